package fees_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"raseed/store/fees"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func TestSiblingRanks(t *testing.T) {
	child := func(no, family string) fees.Student {
		return fees.Student{AdmissionNo: no, Family: family, Status: fees.StudentActive}
	}
	left := func(no, family string) fees.Student {
		return fees.Student{AdmissionNo: no, Family: family, Status: fees.StudentLeft}
	}
	type ranks = map[string]int64
	for _, tc := range []struct {
		name     string
		students []fees.Student
		want     ranks
	}{
		{"nobody", nil, ranks{}},
		{"numbers, not texts", []fees.Student{child("10", "F"), child("9", "F"), child("100", "F")}, ranks{"9": 1, "10": 2, "100": 3}},
		{"one who left", []fees.Student{left("1", "F"), child("2", "F"), child("3", "F")}, ranks{"2": 1, "3": 2}},
		{"two families", []fees.Student{child("1", "F"), child("2", "G"), child("3", "f"), child("4", "g")}, ranks{"1": 1, "2": 1, "3": 2, "4": 2}},
		{"no family", []fees.Student{child("1", ""), child("2", "")}, ranks{}},
		{"listed twice", []fees.Student{child("1", "F"), child("1", "F"), child("2", "F"), child("2", "F")}, ranks{"1": 1, "2": 2}},
		{"in two families", []fees.Student{child("2", "G"), child("1", "F"), child("2", "F"), child("3", "G")}, ranks{"1": 1, "2": 2, "3": 1}},
		{"a prefix", []fees.Student{child("A", "F"), child("A1", "F"), child("1A", "F"), child("A-1", "F")}, ranks{"1A": 1, "A": 2, "A-1": 3, "A1": 4}},
		{"years", []fees.Student{child("2025/10", "F"), child("2025/9", "F"), child("2024/300", "F"), child("2025/9B", "F")},
			ranks{"2024/300": 1, "2025/9": 2, "2025/9B": 3, "2025/10": 4}},
		{"zeros in front", []fees.Student{child("07", "F"), child("6", "F"), child("7", "F"), child("007", "F"), child("8", "F")},
			ranks{"6": 1, "007": 2, "07": 3, "7": 4, "8": 5}},
		{"more digits than a word holds", []fees.Student{child("100000000000000000000000", "F"), child("99999999999999999999999", "F")},
			ranks{"99999999999999999999999": 1, "100000000000000000000000": 2}},
	} {
		if got := fees.SiblingRanks(slices.Values(tc.students)); !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}

// In any order a family has the ranks 1 to n, and when one leaves only the
// younger move up, by one.
func TestSiblingRanksProperties(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		seen := map[string]bool{}
		var family []fees.Student
		for range 1 + random.IntN(7) {
			no := fmt.Sprintf("%s%0*d%s", []string{"", "A", "A/"}[random.IntN(3)], 1+random.IntN(3), random.IntN(12), []string{"", "B", ".2"}[random.IntN(3)])
			if !seen[no] {
				seen[no] = true
				family = append(family, fees.Student{AdmissionNo: no, Family: "F", Status: fees.StudentActive})
			}
		}
		before := fees.SiblingRanks(slices.Values(family))
		if got := slices.Sorted(maps.Values(before)); got[0] != 1 || got[len(got)-1] != int64(len(family)) || len(slices.Compact(got)) != len(family) {
			t.Fatalf("ranks %v", before)
		}
		random.Shuffle(len(family), func(i, j int) { family[i], family[j] = family[j], family[i] })
		if again := fees.SiblingRanks(slices.Values(family)); !maps.Equal(before, again) {
			t.Fatalf("in another order %v, not %v", again, before)
		}
		family[0].Status = fees.StudentLeft
		gone := before[family[0].AdmissionNo]
		after := fees.SiblingRanks(slices.Values(family))
		for no, rank := range before {
			want := rank
			switch {
			case rank == gone:
				want = 0
			case rank > gone:
				want--
			}
			if after[no] != want {
				t.Fatalf("%d of %v left, and %s has rank %d, want %d", gone, before, no, after[no], want)
			}
		}
	}
}

func TestCheckSiblingRules(t *testing.T) {
	type rules = []fees.SiblingRule
	got, err := fees.CheckSiblingRules(rules{
		{Rank: 3, Head: "LAB", Kind: "Amount", Amount: 5, Percent: 7},
		{Rank: 2, Head: "TUITION", Kind: "percent", Percent: 10_0000, Amount: 7},
		{Rank: 2, Head: "*", Kind: "percent", Percent: 5},
	})
	want := rules{
		{Rank: 2, Head: "*", Kind: "percent", Percent: 5},
		{Rank: 2, Head: "TUITION", Kind: "percent", Percent: 10_0000},
		{Rank: 3, Head: "LAB", Kind: "amount", Amount: 5},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v\nwant %+v", got, err, want)
	}
	if got, err := fees.CheckSiblingRules(nil); err != nil || len(got) != 0 {
		t.Errorf("no rules: %v, %v", got, err)
	}
	for _, tc := range []struct {
		rule   fees.SiblingRule
		fields string
	}{
		{fees.SiblingRule{Rank: 1, Head: "LAB", Kind: "percent", Percent: 1}, "sibling_rank.1"},
		{fees.SiblingRule{Rank: 13, Head: "LAB", Kind: "percent", Percent: 1}, "sibling_rank.1"},
		{fees.SiblingRule{Rank: 3, Kind: "percent", Percent: 1}, "sibling_head.1"},
		{fees.SiblingRule{Rank: 2, Head: "LAB", Kind: "amount", Amount: 1}, "sibling_head.1"},
		{fees.SiblingRule{Rank: 3, Head: "LAB", Kind: "percent", Percent: fees.MaxPercent + 1}, "sibling_value.1"},
		{fees.SiblingRule{Rank: 3, Head: "*", Kind: "amount", Amount: 1}, "sibling_kind.1"},
		{fees.SiblingRule{Rank: 3, Head: "LAB"}, "sibling_kind.1"},
	} {
		given := rules{{Rank: 2, Head: "LAB", Kind: "PERCENT", Percent: 1}, tc.rule}
		if got, err := fees.CheckSiblingRules(given); wrongFields(err) != tc.fields || got != nil {
			t.Errorf("%+v: %v, %v; want %s wrong", tc.rule, got, err, tc.fields)
		} else if given[0].Kind != "PERCENT" {
			t.Errorf("the rules given became %+v", given)
		}
	}
}
