package fees

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// PlanTable is the plan of one period as people see it: a row for a class and
// category, a column for a head.
type PlanTable struct {
	Period string // 2026-27/T1
	Heads  []string
	Rows   []PlanTableRow
}

// PlanTableRow is what a class and category, either of which may be Any, pay.
// A head that Amounts lacks is not charged by this row, so that a more general
// one holds; one that it has with 0 is free.
type PlanTableRow struct {
	Class, Category string
	Amounts         map[string]Amount // by head
}

// TableOf is the table of one period's rows: the most general first, then by
// class, those with a name before those with a number.
func TableOf(period string, heads []string, rows []PlanRow) PlanTable {
	t := PlanTable{Period: period, Heads: heads}
	places := map[string]int{}
	for _, r := range rows {
		key := strings.ToLower(r.Class + ":" + r.Category)
		at, there := places[key]
		if !there {
			at = len(t.Rows)
			places[key] = at
			t.Rows = append(t.Rows, PlanTableRow{Class: r.Class, Category: r.Category, Amounts: map[string]Amount{}})
		}
		t.Rows[at].Amounts[r.Head] = r.Amount
	}
	slices.SortFunc(t.Rows, func(a, b PlanTableRow) int {
		return cmp.Or(compareAnyFirst(a.Class, b.Class), compareAnyFirst(a.Category, b.Category))
	})
	return t
}

func compareAnyFirst(a, b string) int {
	rank := func(s string) int {
		switch {
		case s == Any:
			return 0
		case leadingDigits(s) == 0:
			return 1
		}
		return 2
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), compareNatural(a, b))
}

// PlanVersion tells plans apart: it is the same for the same rows in any order,
// and another once somebody changed one.
func PlanVersion(rows []PlanRow) string {
	lines := make([]string, len(rows))
	for i, r := range rows {
		lines[i] = fmt.Sprintf("%s=%d", r.Key(), r.Amount)
	}
	slices.Sort(lines)
	return versionOf(lines)
}

// HeadsVersion tells lists of heads apart, as PlanVersion does plans.
func HeadsVersion(heads []Head) string {
	lines := make([]string, len(heads))
	for i, h := range heads {
		lines[i] = fmt.Sprintf("%s=%d %t %s", h.Code, h.Order, h.Refundable, h.Name)
	}
	slices.Sort(lines)
	return versionOf(lines)
}

func versionOf(lines []string) string {
	sum := sha256.New()
	for _, line := range lines {
		fmt.Fprintln(sum, line)
	}
	return hex.EncodeToString(sum.Sum(nil)[:12])
}
