package fees_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"raseed/store/fees"
)

// linesText is lines as "bill head amount, …".
func linesText(lines []fees.Line) string {
	var all []string
	for _, l := range lines {
		all = append(all, strings.TrimSpace(fmt.Sprintf("%s %s %d", l.Bill, l.Head, l.Amount)))
	}
	return strings.Join(all, ", ")
}

func TestApplyAdvance(t *testing.T) {
	t1 := bill("T1", "2026-04-10", "TUITION", 1000, "LAB", 300)
	t2 := bill("T2", "2026-08-10", "TUITION", 1000)
	credit := bill("OPENING", "2026-04-01", "OPENING", -500)
	for _, tc := range []struct {
		name  string
		bills []fees.Bill
		rows  []fees.Row
		want  string
	}{
		{"nothing", nil, nil, ""},
		{"no advance", []fees.Bill{t1}, []fees.Row{row("T1 TUITION", 1000)}, ""},
		{"no bill", nil, []fees.Row{row("ADVANCE", 700)}, ""},
		{"nothing open", []fees.Bill{t1}, []fees.Row{row("T1 TUITION", 1000, "T1 LAB", 300, "ADVANCE", 50)}, ""},
		{"oldest first", []fees.Bill{t2, t1}, []fees.Row{row("ADVANCE", 1400)},
			"ADVANCE -1400, T1 TUITION 1000, T1 LAB 300, T2 TUITION 100"},
		{"advances of several rows", []fees.Bill{t2}, []fees.Row{row("ADVANCE", 100), row("ADVANCE", 200)}, "ADVANCE -300, T2 TUITION 300"},
		{"no more than is open", []fees.Bill{t2}, []fees.Row{row("ADVANCE", 1100)}, "ADVANCE -1000, T2 TUITION 1000"},
		{"not what is applied already", []fees.Bill{t2}, []fees.Row{row("ADVANCE", 700), row("ADVANCE", -700, "T2 TUITION", 700)}, ""},
		{"an overpaid line", []fees.Bill{t1, t2}, []fees.Row{row("T1 TUITION", 1000, "T1 LAB", 300), row("T1 TUITION", 600)},
			"T1 TUITION -600, T2 TUITION 600"},
		{"an opening credit", []fees.Bill{credit, t2}, nil, "OPENING OPENING -500, T2 TUITION 500"},
		{"an opening credit in part used", []fees.Bill{credit, t1}, []fees.Row{row("OPENING OPENING", -200, "T1 LAB", 200)}, "OPENING OPENING -300, T1 TUITION 300"},
		{"advance, then overpaid, then credits", []fees.Bill{credit, t1, bill("T2", "2026-08-10", "TUITION", 2500)},
			[]fees.Row{row("T1 TUITION", 1000, "T1 LAB", 900), row("ADVANCE", 700)},
			"ADVANCE -700, T1 LAB -600, OPENING OPENING -500, T2 TUITION 1800"},
		{"a discount line", []fees.Bill{bill("T1", "2026-04-10", "TUITION", 1000, "SIBLING", -100)}, nil, "T1 SIBLING -100, T1 TUITION 100"},
		{"a difference in the payer's favour", []fees.Bill{t1, bill("T1/D1", "2026-04-10", "LAB", -300), t2}, []fees.Row{row("T1 TUITION", 1000, "T1 LAB", 300)},
			"T1/D1 LAB -300, T2 TUITION 300"},
		{"credit on a bill that is void now", []fees.Bill{bill("T1", "2026-04-10", "TUITION", 0), t2}, []fees.Row{row("T1 TUITION", 400)}, "T1 TUITION -400, T2 TUITION 400"},
		{"a bill that is not there", []fees.Bill{t2}, []fees.Row{row("T9 TUITION", 300)}, "T9 TUITION -300, T2 TUITION 300"},
		{"given back, newest first", []fees.Bill{t1, t2},
			[]fees.Row{row("ADVANCE", 1500), row("ADVANCE", -1500, "T1 TUITION", 1000, "T1 LAB", 300, "T2 TUITION", 200), row("ADVANCE", -1500)},
			"T2 TUITION -200, T1 LAB -300, T1 TUITION -1000, ADVANCE 1500"},
		{"given back of another advance first", []fees.Bill{t1, t2},
			[]fees.Row{row("ADVANCE", 500), row("ADVANCE", -500, "T1 TUITION", 500), row("T1 TUITION", 800), row("ADVANCE", -500)},
			"T1 TUITION -500, ADVANCE 500"},
		{"given back of what was paid", []fees.Bill{t2}, []fees.Row{row("T2 TUITION", 900), row("ADVANCE", 100), row("ADVANCE", -100, "T2 TUITION", 100), row("ADVANCE", -100)},
			"T2 TUITION -100, ADVANCE 100"},
		{"more given back than there ever was", []fees.Bill{t2}, []fees.Row{row("ADVANCE", -50)}, ""},
		{"used twice at once", []fees.Bill{t1, t2}, []fees.Row{row("ADVANCE", 700), row("ADVANCE", -700, "T1 TUITION", 700), row("ADVANCE", -700, "T1 TUITION", 700)},
			"T1 TUITION -700, ADVANCE 700"},
	} {
		if got := linesText(fees.ApplyAdvance(tc.bills, tc.rows)); got != tc.want {
			t.Errorf("%s: %s\nwant %s", tc.name, got, tc.want)
		}
	}
	lines := fees.ApplyAdvance([]fees.Bill{t2}, []fees.Row{{Lines: []fees.Line{{Head: fees.HeadAdvance, HeadName: "Advance", Amount: 100}}}})
	want := []fees.Line{
		{Head: fees.HeadAdvance, HeadName: "Advance", Amount: -100},
		{Bill: "T2", Title: "Term T2", Head: "TUITION", HeadName: "tuition", Amount: 100},
	}
	if !reflect.DeepEqual(lines, want) {
		t.Errorf("the lines are %+v, want %+v", lines, want)
	}
}

// history is everything that can happen to one student's bills and rows.
type history struct {
	rng      *rand.Rand
	bills    []fees.Bill
	rows     []fees.Row
	billed   fees.Amount
	received fees.Amount
}

func (h *history) addBill(b fees.Bill) {
	h.bills, h.billed = append(h.bills, b), h.billed+b.Net
}

func (h *history) addRow(lines []fees.Line) {
	r := fees.Row{Lines: lines}
	for _, l := range lines {
		r.Total += l.Amount
	}
	h.rows, h.received = append(h.rows, r), h.received+r.Total
}

// reprice gives a bill other amounts, as a re-pricing run, a growing late fee,
// a waiver or a cancellation does.
func (h *history) reprice(b *fees.Bill, net func(fees.Amount) fees.Amount) {
	h.billed -= b.Net
	b.Lines = slices.Clone(b.Lines)
	for i := range b.Lines {
		b.Lines[i].Net = net(b.Lines[i].Net)
		b.Lines[i].Gross = b.Lines[i].Net
	}
	b.Net = fees.NetOf(b.Lines)
	h.billed += b.Net
}

// seen is the state as somebody knows it who looked now, or a moment ago.
func (h *history) seen() []fees.Row { return h.rows[:max(0, len(h.rows)-h.rng.IntN(2)*h.rng.IntN(2))] }

func (h *history) step() {
	some := func() *fees.Bill { return &h.bills[h.rng.IntN(len(h.bills))] }
	what := h.rng.IntN(11)
	if len(h.bills) == 0 {
		what = 0
	}
	switch what {
	case 0, 1: // a bill, now and then a credit
		b := bill(fmt.Sprintf("P%02d", len(h.bills)), fees.Date("2026-04-01").AddDays(h.rng.IntN(300)))
		for _, head := range []string{"TUITION", "LAB", "BUS"}[:1+h.rng.IntN(3)] {
			net := fees.Amount(h.rng.IntN(1000) - 100)
			b.Lines = append(b.Lines, fees.BillLine{Head: head, HeadName: head, Gross: net, Net: net})
		}
		b.Net = fees.NetOf(b.Lines)
		h.addBill(b)
	case 2: // a difference bill
		of := *some()
		b := bill(fmt.Sprintf("%s/D%02d", of.Period, len(h.bills)), of.DueDate)
		for _, l := range of.Lines {
			l.Net = fees.Amount(h.rng.IntN(600) - 300)
			b.Lines = append(b.Lines, l)
		}
		b.Net = fees.NetOf(b.Lines)
		h.addBill(b)
	case 3: // a re-pricing, also where a payment raced it
		h.reprice(some(), func(net fees.Amount) fees.Amount { return net + fees.Amount(h.rng.IntN(400)-200) })
	case 4: // a waiver
		h.reprice(some(), func(net fees.Amount) fees.Amount { return max(net, 0) / 2 })
	case 5: // a cancellation
		h.reprice(some(), func(fees.Amount) fees.Amount { return 0 })
	case 6: // a reversal
		if len(h.rows) > 0 {
			var back []fees.Line
			for _, l := range h.rows[h.rng.IntN(len(h.rows))].Lines {
				l.Amount = -l.Amount
				back = append(back, l)
			}
			h.addRow(back)
		}
	case 7, 8: // an adjustment
		if lines := fees.ApplyAdvance(h.bills, h.seen()); lines != nil {
			h.addRow(lines)
		}
	default:
		if lines, err := fees.DuesOf(h.bills, h.seen()).Allocate(fees.Amount(1+h.rng.IntN(1500)), nil); err == nil {
			h.addRow(lines)
		}
	}
}

// In any history of bills, differences, re-pricing, late fees, waivers,
// cancellations, payments, reversals and adjustments, also by those who had not
// seen the last of it: what was billed, less what was allocated to bills, less
// what is held in advance, is the balance; and an adjustment changes no line of
// what is owed, leaves no advance beside an open line, and is made once.
func TestAnyHistoryAddsUp(t *testing.T) {
	applied := 0
	for seed := range uint64(500) {
		h := &history{rng: rand.New(rand.NewPCG(seed, 4))}
		for step := range 40 {
			h.step()
			var allocated, advance fees.Amount
			for _, r := range h.rows {
				for _, l := range r.Lines {
					if l.Bill == "" {
						advance += l.Amount
					} else {
						allocated += l.Amount
					}
				}
			}
			d := fees.DuesOf(h.bills, h.rows)
			if d.Balance != h.billed-allocated-advance || d.Balance != h.billed-h.received || d.Balance != d.Due-d.Advance {
				t.Fatalf("seed %d, step %d: balance %d, due %d, advance %d; billed %d, allocated %d, in advance %d", seed, step, d.Balance, d.Due, d.Advance, h.billed, allocated, advance)
			}
			if d.Advance > 0 && d.Due > 0 {
				t.Fatalf("seed %d, step %d: %d is due and %d held in advance", seed, step, d.Due, d.Advance)
			}
			lines := fees.ApplyAdvance(h.bills, h.rows)
			if lines == nil {
				continue
			}
			applied++
			checkAdjustment(t, fmt.Sprintf("seed %d, step %d", seed, step), h, d, lines)
		}
	}
	if applied < 5000 {
		t.Errorf("only %d adjustments: too few to mean something", applied)
	}
}

func checkAdjustment(t *testing.T, at string, h *history, d fees.Dues, lines []fees.Line) {
	t.Helper()
	var sum fees.Amount
	credited := false
	heads := map[[2]string]bool{}
	for _, l := range lines {
		sum += l.Amount
		if l.Amount == 0 || l.HeadName == "" || heads[[2]string{l.Bill, l.Head}] || credited && l.Amount < 0 {
			t.Fatalf("%s: the adjustment has a line it should not have: %s", at, linesText(lines))
		}
		heads[[2]string{l.Bill, l.Head}] = true
		credited = l.Amount > 0
	}
	if sum != 0 {
		t.Fatalf("%s: an adjustment makes %d: %s", at, sum, linesText(lines))
	}
	after := append(slices.Clone(h.rows), fees.Row{Lines: lines})
	if again := fees.DuesOf(h.bills, after); !reflect.DeepEqual(again, d) {
		t.Fatalf("%s: adjusted by %s, the dues are %s, and were %s", at, linesText(lines), open(again), open(d))
	}
	if more := fees.ApplyAdvance(h.bills, after); more != nil {
		t.Fatalf("%s: adjusted by %s, it is adjusted again by %s", at, linesText(lines), linesText(more))
	}
	bills, rows := slices.Clone(h.bills), slices.Clone(h.rows)
	h.rng.Shuffle(len(bills), func(i, j int) { bills[i], bills[j] = bills[j], bills[i] })
	h.rng.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	if other := fees.ApplyAdvance(bills, rows); !reflect.DeepEqual(other, lines) {
		t.Fatalf("%s: in another order the adjustment is %s, not %s", at, linesText(other), linesText(lines))
	}
}

// What was held in advance when a bill came to be due is paid in time, also
// where the adjustment says so only later; what is given back is owed from then
// on.
func TestAnAppliedAdvanceIsPaidInTime(t *testing.T) {
	term := bill("2026-27/T1", "2026-06-10", "TUITION", 1000)
	term.Run, term.FY, term.Institute, term.Student = "DPS:RUN", "2026-27", "DPS", "1024"
	rules := map[string]fees.LateRule{"2026-27": {Head: fees.HeadLateFee, Kind: fees.LateDay, Amount: 10}}
	paid := row("ADVANCE", 1000)
	paid.Kind, paid.Date = fees.KindPayment, "2026-06-01"
	applied := row("ADVANCE", -1000, "2026-27/T1 TUITION", 1000)
	applied.Kind, applied.Date = fees.KindAdjustment, "2026-06-20"
	back := row("ADVANCE", -1000)
	back.Kind, back.Date = fees.KindReversal, "2026-06-25"
	given := row("2026-27/T1 TUITION", -1000, "ADVANCE", 1000)
	given.Kind, given.Date = fees.KindAdjustment, "2026-06-25"
	for _, tc := range []struct {
		name string
		rows []fees.Row
		want fees.Amount
	}{
		{"nothing was paid", nil, 200},
		{"held in advance", []fees.Row{paid}, 0},
		{"applied", []fees.Row{paid, applied}, 0},
		{"applied and given back", []fees.Row{paid, applied, back, given}, 60},
	} {
		var got fees.Amount
		for _, c := range fees.LateChanges(rules, []fees.Bill{term}, tc.rows, "2026-06-30") {
			got += c.More()
		}
		if got != tc.want {
			t.Errorf("%s: the late fee is %d, want %d", tc.name, got, tc.want)
		}
	}
}
