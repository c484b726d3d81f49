package store

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"raseed/store/fees"
)

func TestUsersOfOneInstitute(t *testing.T) {
	s := openTest(t)
	ctx := context.Background()
	for _, code := range []string{"P", "Q"} {
		testSchool(t, s, code, 0)
	}
	for _, u := range []struct{ institute, login string }{{"P", "zoya"}, {"Q", "mira"}, {"P", "asha"}} {
		if _, err := s.AddUser(ctx, u.institute, u.login, "Name of "+u.login, fees.RoleCashier, "a good long one"); err != nil {
			t.Fatal(err)
		}
	}
	people, err := s.Users(ctx, "P")
	if err != nil {
		t.Fatal(err)
	}
	if len(people) != 2 || people[0].Login != "asha" || people[1].Login != "zoya" {
		t.Fatalf("users of P are %+v, want asha and zoya", people)
	}
	for _, u := range people {
		if u.Password != "" {
			t.Errorf("%s comes with a password's hash", u.Login)
		}
		if u.Name != "Name of "+u.Login || u.Role != fees.RoleCashier || u.Institute != "P" || u.CreatedAt.IsZero() {
			t.Errorf("%s is read as %+v", u.Login, u)
		}
	}
}

func TestBillTotalsOfOneInstitute(t *testing.T) {
	s := openTest(t)
	ctx := context.Background()
	testSchool(t, s, "P", 3)
	testSchool(t, s, "Q", 1)
	if _, err := s.DB.InsertMany(ctx, bills, []any{
		mustSeal(t, fees.Bill{
			ID: "P:1:1999-00/T2", Institute: "P", Student: "1", FY: "1999-00", Period: "1999-00/T2", Title: "1999-00/T2", DueDate: "1999-10-01",
			Lines: []fees.BillLine{{Head: "TUITION", HeadName: "Tuition", Gross: -700, Net: -700}}, Net: -700, CreatedAt: s.instant(),
		}),
	}); err != nil {
		t.Fatal(err)
	}
	totals, err := s.BillTotals(ctx, "P")
	if err != nil {
		t.Fatal(err)
	}
	if len(totals) != 2 || totals[0] != (fees.BillTotal{Period: "1999-00/T2", Count: 1, Net: -700}) || totals[1].Count != 3 || totals[1].Net != 150_000 {
		t.Errorf("totals are %+v, want one bill of -700 and three of 50,000 together", totals)
	}
	if none, err := s.BillTotals(ctx, "R"); err != nil || len(none) != 0 {
		t.Errorf("an institute without bills has totals %+v, %v", none, err)
	}
}

// What the billing page waits for: three terms of 20,000 students.
func BenchmarkBillTotals(b *testing.B) {
	for _, n := range []int{1_000, 20_000} {
		b.Run(fmt.Sprintf("students=%d", n), func(b *testing.B) {
			s := openBench(b)
			ctx := context.Background()
			testSchool(b, s, "P", n)
			for _, period := range []string{"2026-27/T8", "2026-27/T9"} {
				var more []any
				for i := range n {
					more = append(more, fees.Bill{
						ID: fees.Key("P", fmt.Sprint(i), period), Institute: "P", Student: fmt.Sprint(i), Period: period, Net: 50_000,
						Lines: []fees.BillLine{{Head: "TUITION", HeadName: "Tuition", Gross: 50_000, Net: 50_000}},
					})
				}
				for batch := range slices.Chunk(more, 1000) {
					if _, err := s.DB.InsertMany(ctx, bills, batch); err != nil {
						b.Fatal(err)
					}
				}
			}
			for b.Loop() {
				if totals, err := s.BillTotals(ctx, "P"); err != nil || len(totals) != 3 {
					b.Fatal(totals, err)
				}
			}
		})
	}
}
