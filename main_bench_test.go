package main

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestBench(t *testing.T) {
	p := newProgram(t)
	data := filepath.Join(p.dir, "ledger")
	args := []string{"bench", "--receipts", "300", "--students", "24", "--cashiers", "4", "--for", "200ms", "--data", data}
	for _, again := range []bool{false, true} {
		status, out, errs := p.run("", args...)
		if status != 0 || strings.Count(out, "failed: 0\n") != 2 || !strings.Contains(out, "sound: nothing missing") {
			t.Fatalf("status %d\n%s%s", status, out, errs)
		}
		if made := strings.Contains(out, "300 rows of 24 students"); made == again {
			t.Errorf("the ledger was made again where it was there, or not at all:\n%s", out)
		}
		for _, step := range []string{"flow", "search", "dues", "payment", "receipt"} {
			if !strings.Contains(out, step+"  ") {
				t.Errorf("nothing is said of %s:\n%s", step, out)
			}
		}
	}
	for _, wrong := range [][]string{{"--cashiers", "0"}, {"--for", "0s"}, {"--cashiers", "9", "--students", "8", "--receipts", "10"}} {
		if status, out, errs := p.run("", append([]string{"bench"}, wrong...)...); status != exitFailed || errs == "" {
			t.Errorf("%v: status %d, %q, %q", wrong, status, out, errs)
		}
	}
	if _, out, _ := p.run("", "--help"); strings.Contains(out, "bench") {
		t.Errorf("the help shows what is nobody's business:\n%s", out)
	}
}
