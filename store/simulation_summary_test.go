package store

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"raseed/store/fees"
)

// enough is how much of each must have happened in 500 seeds.
var enough = map[string]int{
	"adjustments": 500, "late fees": 500, "differences": 50, "revisions": 200,
	"holds": 200, "holds taken over": 20,
	"tills": 200, "tills closed": 100, "rows through tills": 200, "rows late for their tills": 1,
	"cheques": 500, "cheques deposited": 100, "cheques cleared": 20, "cheques bounced": 20, "payments entered again": 5, "cheques presented again": 5,
	"refunds": 20, "refunds of heads": 2, "refunds refused": 10,
	"family payments": 50, "family payments reversed in part": 5,
}

// summary adds seeds up.
type summary struct {
	mu                     sync.Mutex
	seeds, steps, findings int
	faults                 map[fault]int
	met                    map[string]int
}

// add counts a seed in and says what is wrong with it.
func (s *summary) add(w *world) error {
	wrong := w.verdict()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seeds++
	s.steps += w.steps
	if wrong != nil {
		s.findings++
		return wrong
	}
	if s.faults == nil {
		s.faults, s.met = map[fault]int{}, map[string]int{}
	}
	for kind, n := range w.faults {
		s.faults[kind] += n
	}
	s.met["holds"] += len(w.watch.tokens)
	s.met["holds taken over"] += w.watch.taken
	for _, left := range w.left {
		left.tell(s.met)
	}
	return nil
}

// tell counts what was left.
func (r remains) tell(met map[string]int) {
	count := func(what string, is bool) {
		if is {
			met[what]++
		}
	}
	met["rows"] += len(r.rows)
	met["bills"] += len(r.bills)
	met["rows acknowledged"] += len(r.school.told)
	reversed := map[string]bool{} // family payments
	for _, row := range r.rows {
		count("numbers", row.Number > 0)
		count("reversals", row.Reverses != "")
		count("adjustments", row.Kind == fees.KindAdjustment)
		count("rows through tills", row.Shift != "")
		count("payments entered again", row.Kind == fees.KindPayment && strings.HasPrefix(row.Remark, reentered))
		if row.Family != "" && row.ReversedBy != "" {
			reversed[row.Family] = true
		}
	}
	met["family payments"] += len(r.families)
	met["family payments reversed in part"] += len(reversed)
	for _, b := range r.bills {
		met["revisions"] += len(b.Revisions)
		met["differences"] += int(b.Differences)
		count("late fees", b.IsLateFee())
	}
	met["tills"] += len(r.shifts)
	for _, s := range r.shifts {
		count("tills closed", s.State == fees.ShiftClosed)
		if s.Late != nil {
			met["rows late for their tills"] += int(s.Late.Rows)
		}
	}
	met["cheques"] += len(r.cheques)
	for _, c := range r.cheques {
		count("cheques deposited", c.Deposit != "")
		count("cheques cleared", c.State == fees.ChequeCleared)
		count("cheques bounced", c.State == fees.ChequeBounced)
		count("cheques presented again", c.Again != "")
	}
	for _, f := range r.refunds {
		count("refunds", f.State == fees.RefundPaid)
		count("refunds of heads", f.State == fees.RefundPaid && f.Payment != "")
		count("refunds refused", f.State == fees.RefundRefused)
	}
}

func (s *summary) failed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.findings > 0
}

func (s *summary) String() string {
	total := 0
	for _, n := range s.faults {
		total += n
	}
	return fmt.Sprintf("%d seeds, %d steps, %d findings\n%d faults: %s\n%s", s.seeds, s.steps, s.findings, total, listed(s.faults), listed(s.met))
}

// listed is how many there were of each, most first.
func listed[K ~string](counts map[K]int) string {
	var all []string
	for _, what := range slices.SortedFunc(maps.Keys(counts), func(a, b K) int {
		if d := counts[b] - counts[a]; d != 0 {
			return d
		}
		return strings.Compare(string(a), string(b))
	}) {
		if counts[what] > 0 {
			all = append(all, fmt.Sprintf("%d %s", counts[what], what))
		}
	}
	return strings.Join(all, ", ")
}
