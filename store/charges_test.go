package store

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"raseed/store/docdb/docdbtest"
	"raseed/store/fees"
)

// openTrip opens a school with 120 students of class 5, of whom one left, and
// one of class 6.
func openTrip(t testing.TB) *Store {
	t.Helper()
	s, _ := openSchool(t)
	rows := []string{"900,Left,5,,general,,,,,left,", "901,Six,6,,general,,,,,,"}
	for i := range 119 {
		rows = append(rows, fmt.Sprintf("%d,Student %d,5,,general,,,,,,", i+1, i+1))
	}
	mustImport(t, s, "students", "DPS", studentsCSV(rows...))
	mustImport(t, s, "plan", "DPS", planHeader+"2026-27,2026-27/T1,2026-06-10,5,*,TRIP,1\n")
	return s
}

func tripOrder(s *Store) fees.ChargeOrder {
	return fees.ChargeOrder{
		ID: s.NewID(), Title: "Trip to Agra", Head: "trip", Amount: 750_00, DueDate: "2026-07-01", Class: "5",
		By: fees.Actor{Login: "meera", Name: "Meera Joshi"},
	}
}

func TestPlaceCharge(t *testing.T) {
	s := openTrip(t)
	ctx := context.Background()
	order := tripOrder(s)
	preview, err := s.PreviewCharge(ctx, "DPS", order)
	if err != nil || preview.Charge.Students != 119 || preview.Charge.Total != 119*750_00 || preview.Inactive != 1 {
		t.Errorf("the preview is %+v, %v", preview, err)
	}
	if all, err := s.Charges(ctx, "DPS", 10); err != nil || len(all) != 0 {
		t.Errorf("the preview left %+v, %v", all, err)
	}
	c, err := s.PlaceCharge(ctx, "DPS", order)
	if err != nil || c.State != fees.ChargeDone || c.Students != 119 || c.Total != 119*750_00 || c.Head != "TRIP" || c.FY != "2026-27" || c.By != "Meera Joshi" {
		t.Fatalf("placed it is %+v, %v", c, err)
	}
	if again, err := s.PlaceCharge(ctx, "DPS", order); err != nil || again.ID != c.ID || again.Students != 119 {
		t.Errorf("the same form again: %+v, %v", again, err)
	}
	other := order
	other.Amount = 800_00
	_, err = s.PlaceCharge(ctx, "DPS", other)
	wantCode(t, "the same form with another amount", err, fees.Conflict, "already charged Trip to Agra")
	if all, err := s.Bills(ctx, "DPS", "7"); err != nil || len(all) != 1 || all[0].Net != 750_00 || all[0].Charge != order.ID ||
		all[0].Period != "2026-27/CHARGE-"+order.ID || all[0].Title != "Trip to Agra" || all[0].Uncounted {
		t.Errorf("student 7 was charged %+v, %v", all, err)
	}
	for _, student := range []string{"900", "901"} {
		if all, err := s.Bills(ctx, "DPS", student); err != nil || len(all) != 0 {
			t.Errorf("%s, who left or is of another class, was charged %+v, %v", student, all, err)
		}
	}
	single := tripOrder(s)
	single.Class, single.Student = "", "900"
	if c, err := s.PlaceCharge(ctx, "DPS", single); err != nil || c.Students != 1 || c.Total != 750_00 {
		t.Errorf("one student: %+v, %v", c, err)
	}
	if all, err := s.Charges(ctx, "DPS", 1); err != nil || len(all) != 1 || all[0].Student != "900" {
		t.Errorf("the newest charge is %+v, %v", all, err)
	}
	if balances, err := s.Balances(ctx, "DPS", []string{"7", "900"}); err != nil || balances["7"] != 750_00 || balances["900"] != 750_00 {
		t.Errorf("the accounts say %v, %v", balances, err)
	}
	mustAudit(t, s)
}

func TestPlaceChargeRefuses(t *testing.T) {
	s := openTrip(t)
	ctx := context.Background()
	for field, spoil := range map[string]func(*fees.ChargeOrder){
		"title":     func(o *fees.ChargeOrder) { o.Title = " " },
		"head":      func(o *fees.ChargeOrder) { o.Head = "SPACE" },
		"amount":    func(o *fees.ChargeOrder) { o.Amount = 0 },
		"due_date":  func(o *fees.ChargeOrder) { o.DueDate = "2026-03-31" }, // closed
		"class":     func(o *fees.ChargeOrder) { o.Class = "55" },
		"student":   func(o *fees.ChargeOrder) { o.Class, o.Student = "", "77777" },
		"charge_id": func(o *fees.ChargeOrder) { o.ID = "x" },
	} {
		order := tripOrder(s)
		spoil(&order)
		if field != "charge_id" {
			_, err := s.PreviewCharge(ctx, "DPS", order)
			refused(t, err, field)
		}
		_, err := s.PlaceCharge(ctx, "DPS", order)
		refused(t, err, field)
	}
	for _, both := range []bool{true, false} {
		order := tripOrder(s)
		if order.Student = "1"; !both {
			order.Class, order.Student = "", ""
		}
		_, err := s.PlaceCharge(ctx, "DPS", order)
		refused(t, err, "class")
	}
	if n, err := s.DB.Count(ctx, bills, everything("DPS"), 0); err != nil || n != 0 {
		t.Errorf("refused charges left %d bills, %v", n, err)
	}
}

// A form sent ten times at once, and the sweep between, charge everybody once.
func TestPlaceChargeAtOnce(t *testing.T) {
	s := openTrip(t)
	ctx := context.Background()
	order := tripOrder(s)
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			if c, err := s.PlaceCharge(ctx, "DPS", order); err != nil || c.Students != 119 {
				t.Errorf("place: %+v, %v", c, err)
			}
		})
	}
	wg.Go(func() {
		if err := s.Sweep(ctx); err != nil {
			t.Errorf("sweep: %v", err)
		}
	})
	wg.Wait()
	if n, err := s.DB.Count(ctx, bills, everything("DPS"), 0); err != nil || n != 119 {
		t.Errorf("%d bills, %v; want one for each of 119", n, err)
	}
	mustAudit(t, s)
}

// A charge that stopped midway is finished by the same form, or by the sweep.
func TestPlaceChargeResumes(t *testing.T) {
	oneThing(t)
	for at := range 8 {
		for _, bySweep := range []bool{false, true} {
			s := openTrip(t)
			ctx := context.Background()
			order := tripOrder(s)
			healthy, n := s.DB, 0
			s.DB = docdbtest.Faulty(healthy, func(op docdbtest.Op) docdbtest.Fault {
				if op.Write {
					n++
				}
				if op.Write && n > at {
					return docdbtest.BeforeWrite
				}
				return docdbtest.None
			})
			if _, err := s.PlaceCharge(ctx, "DPS", order); fees.CodeOf(err) != fees.Unavailable && fees.CodeOf(err) != fees.Unconfirmed {
				t.Fatalf("the store is away after %d writes: %v", at, err)
			}
			s.DB = healthy
			want := int64(119)
			if bySweep {
				if at == 0 {
					want = 0 // nothing was begun
				}
				if err := s.Sweep(ctx); err != nil {
					t.Fatal(err)
				}
			} else if _, err := s.PlaceCharge(ctx, "DPS", order); err != nil {
				t.Errorf("again after %d writes: %v", at, err)
			}
			if n, err := s.DB.Count(ctx, bills, everything("DPS"), 0); err != nil || n != want {
				t.Errorf("after %d writes: %d bills, %v; want %d", at, n, err, want)
			}
			if all, err := s.Charges(ctx, "DPS", 2); err != nil || want > 0 && (len(all) != 1 || all[0].State != fees.ChargeDone || all[0].Total != 119*750_00) {
				t.Errorf("after %d writes: %+v, %v", at, all, err)
			}
			if err := s.Sweep(ctx); err != nil {
				t.Fatal(err)
			}
			mustAudit(t, s)
		}
	}
}

// What makes no class of its own: capitals and spaces.
func TestPlaceChargeInCapitals(t *testing.T) {
	s, _ := openSchool(t)
	mustImport(t, s, "students", "DPS", studentsCSV("1,A,Nursery,,general,,,,,,", "2,B,nursery,,general,,,,,,", "3,C,KG,,general,,,,,,"))
	mustImport(t, s, "plan", "DPS", planHeader+"2026-27,2026-27/T1,2026-06-10,*,*,TRIP,1\n")
	order := tripOrder(s)
	order.Class = " " + strings.ToUpper("nursery")
	if c, err := s.PlaceCharge(context.Background(), "DPS", order); err != nil || c.Students != 2 {
		t.Errorf("charged %+v, %v; want the two of Nursery", c, err)
	}
}
