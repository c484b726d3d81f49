package store

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"raseed/store/fees"
)

// BenchmarkImportStudents takes 20,000 students over into an empty store, and
// the same file again.
func BenchmarkImportStudents(b *testing.B) {
	const people = 20_000
	text := manyStudents(people)
	for b.Loop() {
		b.StopTimer()
		s, _ := openSchool(b)
		b.StartTimer()
		before := b.Elapsed()
		first := mustImport(b, s, "students", "DPS", text)
		after := b.Elapsed()
		again := mustImport(b, s, "students", "DPS", text)
		if first.Created != people || again.Unchanged != people {
			b.Fatalf("%+v, again %+v", first, again)
		}
		b.ReportMetric(people/(after-before).Seconds(), "students/s")
		b.ReportMetric(people/(b.Elapsed()-after).Seconds(), "unchanged/s")
	}
}

// BenchmarkSearch is what one keystroke costs, among 1,000 students and among
// 20,000.
func BenchmarkSearch(b *testing.B) {
	for _, people := range []int{1_000, 20_000} {
		s, _ := openSchool(b)
		ctx := context.Background()
		mustImport(b, s, "students", "DPS", manyStudents(people))
		for _, typed := range []string{"1024", "9", "a", "sharma", "asha sharma", "khan das", "zoya qqq", "s k", "9000000420", "9000", "0042", "F00042", "asha 1024"} {
			b.Run(fmt.Sprintf("%d/%s", people, strings.ReplaceAll(typed, " ", "+")), func(b *testing.B) {
				found := 0
				for b.Loop() {
					list, err := s.SearchStudents(ctx, "DPS", typed, 10)
					if err != nil {
						b.Fatal(err)
					}
					found = len(list)
				}
				b.ReportMetric(float64(found), "found")
			})
		}
		b.Run(fmt.Sprintf("%d/page", people), func(b *testing.B) {
			for b.Loop() {
				if _, err := s.Students(ctx, "DPS", "", "1500", 50); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("%d/classes", people), func(b *testing.B) {
			for b.Loop() {
				if _, err := s.Classes(ctx, "DPS"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkBillingRun bills 20,000 students for five heads each, then finds
// them billed, and previews.
func BenchmarkBillingRun(b *testing.B) {
	const people = 20_000
	text := manyStudents(people)
	plan := planHeader
	for _, head := range []string{"TUITION", "ANNUAL", "LAB", "BUS", "SPORTS"} {
		for class := range 12 {
			plan += fmt.Sprintf("2026-27,2026-27/T1,2026-04-10,%d,*,%s,100.50\n", class+1, head)
		}
	}
	for b.Loop() {
		b.StopTimer()
		s, _ := openSchool(b)
		mustImport(b, s, "students", "DPS", text)
		mustImport(b, s, "plan", "DPS", plan)
		b.StartTimer()
		before := b.Elapsed()
		first := mustBill(b, s, "DPS", "2026-27/T1")
		after := b.Elapsed()
		again := mustBill(b, s, "DPS", "2026-27/T1")
		twice := b.Elapsed()
		if _, err := s.PreviewRun(context.Background(), "DPS", "2026-27/T1", ""); err != nil {
			b.Fatal(err)
		}
		previewed := b.Elapsed()
		if first.Tally.Created != people || first.Tally.Amount != people*5*fees.Amount(100_50) || again.Tally.Unchanged != people {
			b.Fatalf("%+v, again %+v", first.Tally, again.Tally)
		}
		b.ReportMetric((after - before).Seconds(), "s/first")
		b.ReportMetric((twice - after).Seconds(), "s/again")
		b.ReportMetric((previewed - twice).Seconds(), "s/preview")
	}
}
