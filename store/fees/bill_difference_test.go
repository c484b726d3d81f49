package fees_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"raseed/store/fees"
)

func line(head string, gross, less fees.Amount) fees.BillLine {
	l := fees.BillLine{Head: head, HeadName: head, Gross: gross, Concession: less, Net: gross - less}
	if less != 0 {
		l.Reasons = []fees.Conceded{{Reason: "merit", Amount: less}}
	}
	return l
}

func TestDifference(t *testing.T) {
	for _, tc := range []struct {
		name       string
		have, want []fees.BillLine
		difference []fees.BillLine
	}{
		{"nothing", nil, nil, nil},
		{"the same", []fees.BillLine{line("A", 100, 10)}, []fees.BillLine{line("A", 100, 10)}, nil},
		{"the same in another order", []fees.BillLine{line("A", 100, 10), line("B", 5, 0)}, []fees.BillLine{line("B", 5, 0), line("A", 100, 10)}, nil},
		{"nothing in lines", []fees.BillLine{line("A", 0, 0)}, nil, nil},
		{"more", []fees.BillLine{line("A", 100, 0)}, []fees.BillLine{line("A", 130, 0)}, []fees.BillLine{line("A", 30, 0)}},
		{"a concession more", []fees.BillLine{line("A", 100, 0)}, []fees.BillLine{line("A", 100, 25)}, []fees.BillLine{line("A", 0, 25)}},
		{"a concession less", []fees.BillLine{line("A", 100, 25)}, []fees.BillLine{line("A", 100, 0)}, []fees.BillLine{line("A", 0, -25)}},
		{"both, and the net is the same", []fees.BillLine{line("A", 100, 0)}, []fees.BillLine{line("A", 120, 20)}, []fees.BillLine{line("A", 20, 20)}},
		{"a head goes, another comes", []fees.BillLine{line("A", 100, 10)}, []fees.BillLine{line("B", 7, 0)}, []fees.BillLine{line("B", 7, 0), line("A", -100, -10)}},
		{"in two bills", []fees.BillLine{line("A", 100, 0), line("A", 30, 0)}, []fees.BillLine{line("A", 130, 0)}, nil},
	} {
		if got := fees.Difference(tc.have, tc.want); len(got)+len(tc.difference) > 0 && !reflect.DeepEqual(got, tc.difference) {
			t.Errorf("%s: %+v\nwant %+v", tc.name, got, tc.difference)
		}
		if got := fees.SameLines(tc.have, tc.want); got != (tc.difference == nil) {
			t.Errorf("%s: the same %v", tc.name, got)
		}
	}
}

// With its difference a bill charges what it should, and nothing is left to add.
func TestDifferenceIsWhole(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	random := func() (lines []fees.BillLine) {
		for _, head := range []string{"A", "B", "C"} {
			if r.IntN(3) > 0 {
				gross := fees.Amount(r.IntN(100))
				lines = append(lines, line(head, gross, fees.Amount(r.Int64N(int64(gross)+1))))
			}
		}
		return lines
	}
	for range 2000 {
		have, want := random(), random()
		more := fees.Difference(have, want)
		if fees.NetOf(have)+fees.NetOf(more) != fees.NetOf(want) {
			t.Fatalf("%+v and %+v is not %+v", have, more, want)
		}
		for _, l := range more {
			var conceded fees.Amount
			for _, reason := range l.Reasons {
				conceded += reason.Amount
			}
			if l.Net != l.Gross-l.Concession || conceded != l.Concession {
				t.Fatalf("the line %+v does not add up", l)
			}
		}
		if rest := fees.Difference(append(append([]fees.BillLine{}, have...), more...), want); len(rest) > 0 {
			t.Fatalf("%+v and %+v lacks %+v of %+v", have, more, rest, want)
		}
		replaced := fees.Replaced(have, want)
		if !fees.SameLines(replaced, want) || len(replaced) < len(have) {
			t.Fatalf("%+v replaced by %+v is %+v", have, want, replaced)
		}
	}
}

func TestDifferencePeriod(t *testing.T) {
	if got := fees.DifferencePeriod("2026-27/T1", 2); got != "2026-27/T1/D2" {
		t.Errorf("it is %s", got)
	}
	for period, want := range map[string]string{"2026-27/T1/D1": "2026-27/T1", "2026-27/T1/D12": "2026-27/T1", "2026-27/T1": "", "2026-27/T1/LATE": "", "2026-27/T1/D": "", "2026-27/DEC": "", "2026-27/T1/D0": "", "2026-27/T1/D-1": ""} {
		if of, ok := fees.DifferenceOf(period); ok != (want != "") || ok && of != want {
			t.Errorf("%s is of %s, %v; want %q", period, of, ok, want)
		}
	}
}
