package docdbtest

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Tally is how an engine did in the contract. A case is a sub-test that has
// none below it.
type Tally struct {
	Passed, Failed int
	Left           Caps // those it cannot pass, of its caps
}

func (t *Tally) cases() int { return t.Passed + t.Failed + len(t.Left) }

func (t *Tally) count(passed bool) {
	if passed {
		t.Passed++
	} else {
		t.Failed++
	}
}

// Row is the tally as a line of the table by engine in docs/architecture.md.
func (t *Tally) Row(engine string) string {
	byReason := map[string]map[string]int{} // reason → part of the contract → cases
	for name, why := range t.Left {
		if byReason[why] == nil {
			byReason[why] = map[string]int{}
		}
		part, _, _ := strings.Cut(name, "/")
		byReason[why][part]++
	}
	var cannot []string
	for _, why := range slices.Sorted(maps.Keys(byReason)) {
		var where []string
		for _, part := range slices.Sorted(maps.Keys(byReason[why])) {
			where = append(where, fmt.Sprintf("%s %d", part, byReason[why][part]))
		}
		cannot = append(cannot, why+" ("+strings.Join(where, ", ")+")")
	}
	if cannot == nil {
		cannot = []string{"nothing"}
	}
	return fmt.Sprintf("| %s | %d of %d | %s |", engine, t.Passed, t.cases(), strings.Join(cannot, ".<br>"))
}

// Documented logs an engine's line of the table in docs/architecture.md, and
// fails unless the table has it so. A run of some of the sub-tests says nothing
// about the table.
func (t *Tally) Documented(tb testing.TB, engine string) {
	tb.Helper()
	row := t.Row(engine)
	tb.Log("\n| engine | passed | not supported, and why |\n" + row)
	if t.Failed > 0 || len(t.Left)+t.Passed < smallestContract {
		return
	}
	table, err := os.ReadFile(architecture(tb))
	if err != nil {
		tb.Fatal(err)
	}
	if !strings.Contains(string(table), "\n"+row+"\n") {
		tb.Errorf("docs/architecture.md has another line for this engine; it should be\n%s", row)
	}
}

// smallestContract is more than any part of the contract has cases.
const smallestContract = 300

// architecture is the path of docs/architecture.md, from a package at any
// depth.
func architecture(tb testing.TB) string {
	dir, err := os.Getwd()
	for err == nil {
		path := filepath.Join(dir, "docs", "architecture.md")
		if _, missing := os.Stat(path); missing == nil {
			return path
		}
		if parent := filepath.Dir(dir); parent != dir {
			dir = parent
			continue
		}
		break
	}
	tb.Fatalf("docs/architecture.md is not above this package (%v)", err)
	return ""
}
