package store

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"raseed/store/fees"
)

// BenchmarkConcessions is what a page of the list costs among 20,000
// concessions: the first, and the dearest, for which a filter reads all of them
// and finds nothing.
func BenchmarkConcessions(b *testing.B) {
	const people = 20_000
	s, _ := openSchool(b)
	ctx := context.Background()
	mustImport(b, s, "students", "DPS", manyStudents(people))
	mustImport(b, s, "plan", "DPS", "fy,period,due_date,class,category,head,amount\n2026-27,2026-27/T1,2026-04-10,*,*,TUITION,500.00\n")
	var file strings.Builder
	file.WriteString("admission_no,head,kind,value,reason\n")
	numbers := strings.Split(manyStudents(people), "\n")[1:]
	for _, row := range numbers {
		if no, _, ok := strings.Cut(row, ","); ok {
			fmt.Fprintf(&file, "%s,TUITION,percent,10,Sibling\n", no)
		}
	}
	mustImport(b, s, "concessions", "DPS", file.String())
	for name, f := range map[string]fees.ConcessionFilter{"first page": {}, "no such reason": {Reason: "nobody"}, "no such class": {Class: "none"}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := s.Concessions(ctx, "DPS", f, "", 50); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
