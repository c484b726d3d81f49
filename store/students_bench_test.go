package store

import (
	"context"
	"fmt"
	"strings"
	"testing"
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
