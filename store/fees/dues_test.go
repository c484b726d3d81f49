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

// bill is a bill of one period with alternating heads and amounts.
func bill(period string, due fees.Date, lines ...any) fees.Bill {
	b := fees.Bill{ID: "DPS:1024:" + period, Period: period, Title: "Term " + period, DueDate: due}
	for i := 0; i < len(lines); i += 2 {
		head, amount := lines[i].(string), fees.Amount(lines[i+1].(int))
		b.Lines = append(b.Lines, fees.BillLine{Head: head, HeadName: strings.ToLower(head), Gross: amount, Net: amount})
	}
	b.Net = fees.NetOf(b.Lines)
	return b
}

// row is a ledger row of alternating "bill head" and amounts.
func row(lines ...any) fees.Row {
	var r fees.Row
	for i := 0; i < len(lines); i += 2 {
		bill, head, found := strings.Cut(lines[i].(string), " ")
		if !found {
			bill, head = "", bill
		}
		l := fees.Line{Bill: bill, Head: head, Amount: fees.Amount(lines[i+1].(int))}
		r.Lines, r.Total = append(r.Lines, l), r.Total+l.Amount
	}
	return r
}

// open says what is owed, line by line.
func open(d fees.Dues) string {
	var b strings.Builder
	for _, l := range d.Lines {
		fmt.Fprintf(&b, "%s %s %d, ", l.Bill, l.Head, l.Open)
	}
	fmt.Fprintf(&b, "due %d, advance %d, balance %d", d.Due, d.Advance, d.Balance)
	return b.String()
}

func TestDues(t *testing.T) {
	t1 := bill("T1", "2026-04-10", "TUITION", 1000, "LAB", 300)
	t2 := bill("T2", "2026-08-10", "TUITION", 1000)
	opening := bill("OPENING", "2026-04-01", "OPENING", 200)
	credit := bill("OPENING", "2026-04-01", "OPENING", -500)
	for _, tc := range []struct {
		name  string
		bills []fees.Bill
		rows  []fees.Row
		want  string
	}{
		{"nothing", nil, nil, "due 0, advance 0, balance 0"},
		{"one bill", []fees.Bill{t1}, nil, "T1 TUITION 1000, T1 LAB 300, due 1300, advance 0, balance 1300"},
		{"oldest first", []fees.Bill{t2, t1, opening}, nil,
			"OPENING OPENING 200, T1 TUITION 1000, T1 LAB 300, T2 TUITION 1000, due 2500, advance 0, balance 2500"},
		{"same day, by bill", []fees.Bill{bill("B", "2026-04-10", "X", 1), bill("A", "2026-04-10", "Z", 1, "Y", 2)}, nil,
			"A Z 1, A Y 2, B X 1, due 4, advance 0, balance 4"},
		{"part paid", []fees.Bill{t1}, []fees.Row{row("T1 TUITION", 400)},
			"T1 TUITION 600, T1 LAB 300, due 900, advance 0, balance 900"},
		{"paid", []fees.Bill{t1}, []fees.Row{row("T1 TUITION", 1000, "T1 LAB", 300)}, "due 0, advance 0, balance 0"},
		{"reversed", []fees.Bill{t1}, []fees.Row{row("T1 TUITION", 1000), row("T1 TUITION", -1000)},
			"T1 TUITION 1000, T1 LAB 300, due 1300, advance 0, balance 1300"},
		{"advance before any bill", nil, []fees.Row{row("ADVANCE", 700)}, "due 0, advance 700, balance -700"},
		{"advance covers the oldest", []fees.Bill{t2, t1}, []fees.Row{row("ADVANCE", 1100)},
			"T1 LAB 200, T2 TUITION 1000, due 1200, advance 0, balance 1200"},
		{"advance is left", []fees.Bill{t2}, []fees.Row{row("ADVANCE", 1100)}, "due 0, advance 100, balance -100"},
		{"advance reversed", []fees.Bill{t2}, []fees.Row{row("ADVANCE", 1100), row("ADVANCE", -1100)},
			"T2 TUITION 1000, due 1000, advance 0, balance 1000"},
		{"two counters raced", []fees.Bill{t1, t2}, []fees.Row{row("T1 TUITION", 1000), row("T1 TUITION", 1000)},
			"T2 TUITION 300, due 300, advance 0, balance 300"},
		{"a bill that is not there", []fees.Bill{t2}, []fees.Row{row("T9 TUITION", 300)}, "T2 TUITION 700, due 700, advance 0, balance 700"},
		{"opening credit", []fees.Bill{credit, t2}, nil, "T2 TUITION 500, due 500, advance 0, balance 500"},
		{"opening credit alone", []fees.Bill{credit}, nil, "due 0, advance 500, balance -500"},
		{"a discount line", []fees.Bill{bill("T1", "2026-04-10", "TUITION", 1000, "SIBLING", -100)}, nil,
			"T1 TUITION 900, due 900, advance 0, balance 900"},
		{"conceded to zero", []fees.Bill{bill("T1", "2026-04-10", "TUITION", 0)}, nil, "due 0, advance 0, balance 0"},
		{"more given back than held", []fees.Bill{t2}, []fees.Row{row("ADVANCE", -50)}, "T2 TUITION 1000, due 1000, advance -50, balance 1050"},
		{"an applied advance is reversed: the newest is owed again", []fees.Bill{t1, t2},
			[]fees.Row{row("T1 TUITION", 1000, "T1 LAB", 300, "ADVANCE", 400), row("ADVANCE", -400, "T2 TUITION", 400), row("ADVANCE", -400)},
			"T2 TUITION 1000, due 1000, advance 0, balance 1000"},
		{"and of several the newest", []fees.Bill{t1, t2},
			[]fees.Row{row("ADVANCE", 1500), row("ADVANCE", -1500, "T1 TUITION", 1000, "T1 LAB", 300, "T2 TUITION", 200), row("ADVANCE", -600)},
			"T1 TUITION 100, T1 LAB 300, T2 TUITION 1000, due 1400, advance 0, balance 1400"},
		{"given back from a line", []fees.Bill{t2}, []fees.Row{row("T2 TUITION", -50)}, "T2 TUITION 1050, due 1050, advance 0, balance 1050"},
	} {
		d := fees.DuesOf(tc.bills, tc.rows)
		if got := open(d); got != tc.want {
			t.Errorf("%s: %s\nwant %s", tc.name, got, tc.want)
		}
	}
	d := fees.DuesOf([]fees.Bill{t1}, []fees.Row{row("T1 LAB", 100)})
	want := fees.DueLine{Bill: "T1", Title: "Term T1", Head: "LAB", HeadName: "lab", DueDate: "2026-04-10", Net: 300, Open: 200}
	if len(d.Lines) != 2 || d.Lines[1] != want {
		t.Errorf("the lines are %+v, want the second %+v", d.Lines, want)
	}
}

func TestAllocate(t *testing.T) {
	d := fees.DuesOf([]fees.Bill{
		bill("T1", "2026-04-10", "TUITION", 1000, "LAB", 300),
		bill("T2", "2026-08-10", "TUITION", 1000),
	}, nil)
	choice := func(bill, head string, amount int) fees.Choice {
		return fees.Choice{Bill: bill, Head: head, Amount: fees.Amount(amount)}
	}
	for _, tc := range []struct {
		total   fees.Amount
		choices []fees.Choice
		want    string // the lines, or "!field: part of the reason"
	}{
		{1, nil, "T1 TUITION 1"},
		{1000, nil, "T1 TUITION 1000"},
		{1200, nil, "T1 TUITION 1000, T1 LAB 200"},
		{2300, nil, "T1 TUITION 1000, T1 LAB 300, T2 TUITION 1000"},
		{2500, nil, "T1 TUITION 1000, T1 LAB 300, T2 TUITION 1000,  ADVANCE 200"},
		{300, []fees.Choice{choice("T2", "TUITION", 300)}, "T2 TUITION 300"},
		{500, []fees.Choice{choice("T2", "TUITION", 300)}, "T1 TUITION 200, T2 TUITION 300"},
		{1200, []fees.Choice{choice("T1", "LAB", 300), choice("T1", "TUITION", 100)}, "T1 TUITION 900, T1 LAB 300"},
		{2400, []fees.Choice{choice("T2", "TUITION", 1000)}, "T1 TUITION 1000, T1 LAB 300, T2 TUITION 1000,  ADVANCE 100"},
		{500, []fees.Choice{choice("T1", "LAB", 100), choice("T1", "LAB", 200)}, "T1 TUITION 200, T1 LAB 300"},
		{0, nil, "!: above zero"},
		{-5, nil, "!: above zero"},
		{500, []fees.Choice{choice("T1", "LAB", 301)}, "!line_amount.0: more than is owed"},
		{500, []fees.Choice{choice("T1", "LAB", 200), choice("T1", "LAB", 101)}, "!line_amount.1: more than is owed"},
		{500, []fees.Choice{choice("T1", "LAB", 300), choice("T1", "TUITION", 201)}, "!line_amount.1: more than what was paid"},
		{500, []fees.Choice{choice("T1", "LAB", 0)}, "!line_amount.0: above zero"},
		{500, []fees.Choice{choice("T1", "LAB", -1)}, "!line_amount.0: above zero"},
		{500, []fees.Choice{choice("T1", "BUS", 1)}, "!line_bill.0: not owed"},
		{500, []fees.Choice{choice("T3", "TUITION", 1)}, "!line_bill.0: not owed"},
		{500, []fees.Choice{choice("", "ADVANCE", 1)}, "!line_bill.0: not owed"},
	} {
		lines, err := d.Allocate(tc.total, tc.choices)
		if problem, ok := strings.CutPrefix(tc.want, "!"); ok {
			field, reason, _ := strings.Cut(problem, ": ")
			if err == nil || err.Code != fees.Invalid || lines != nil || field != "" && !strings.Contains(err.Fields[field], reason) || !strings.Contains(err.Message, reason) {
				t.Errorf("%d with %v: %v (%v), want a refusal of %s", tc.total, tc.choices, lines, err, problem)
			}
			continue
		}
		var got []string
		for _, l := range lines {
			got = append(got, fmt.Sprintf("%s %s %d", l.Bill, l.Head, l.Amount))
		}
		if err != nil || strings.Join(got, ", ") != tc.want {
			t.Errorf("%d with %v: %v (%v), want %s", tc.total, tc.choices, got, err, tc.want)
		}
	}
	lines, err := d.Allocate(2500, nil)
	want := []fees.Line{
		{Bill: "T1", Title: "Term T1", Head: "TUITION", HeadName: "tuition", Amount: 1000},
		{Bill: "T1", Title: "Term T1", Head: "LAB", HeadName: "lab", Amount: 300},
		{Bill: "T2", Title: "Term T2", Head: "TUITION", HeadName: "tuition", Amount: 1000},
		{Head: "ADVANCE", HeadName: "Advance", Amount: 200},
	}
	if err != nil || !reflect.DeepEqual(lines, want) {
		t.Errorf("the lines are %+v (%v), want %+v", lines, err, want)
	}
}

// A random history of bills, payments, races and reversals: at every step the
// balance is what was billed less what the rows say, the dues explain it, the
// order of documents does not matter, and what a payment is split into is it.
func TestDuesOfRandomHistories(t *testing.T) {
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 9))
		var bills []fees.Bill
		var rows []fees.Row
		var billed, received fees.Amount
		for step := range 40 {
			switch random.IntN(6) {
			case 0, 1: // a bill, now and then a credit
				b := bill(fmt.Sprintf("P%02d", len(bills)), fees.Date("2026-04-01").AddDays(random.IntN(300)))
				for _, head := range []string{"TUITION", "LAB", "BUS"}[:1+random.IntN(3)] {
					net := fees.Amount(random.IntN(1000) - 100)
					b.Lines = append(b.Lines, fees.BillLine{Head: head, Gross: net, Net: net})
				}
				b.Net = fees.NetOf(b.Lines)
				bills, billed = append(bills, b), billed+b.Net
			case 2: // a reversal of any row
				if len(rows) > 0 {
					back := fees.Row{}
					for _, l := range rows[random.IntN(len(rows))].Lines {
						l.Amount = -l.Amount
						back.Lines, back.Total = append(back.Lines, l), back.Total+l.Amount
					}
					rows, received = append(rows, back), received+back.Total
				}
			default: // a payment against what is owed now, or a moment ago
				d := fees.DuesOf(bills, rows[:max(0, len(rows)-random.IntN(2))])
				total := fees.Amount(1 + random.IntN(1500))
				var choices []fees.Choice
				left := total
				for _, l := range d.Lines {
					if amount := min(left, l.Open, fees.Amount(random.IntN(300))); amount > 0 && random.IntN(2) == 0 {
						choices = append(choices, fees.Choice{Bill: l.Bill, Head: l.Head, Amount: amount})
						left -= amount
					}
				}
				random.Shuffle(len(choices), func(i, j int) { choices[i], choices[j] = choices[j], choices[i] })
				lines, err := d.Allocate(total, choices)
				if err != nil {
					t.Fatalf("seed %d, step %d: %d with %v is refused: %v", seed, step, total, choices, err)
				}
				checkLines(t, seed, d, total, choices, lines)
				rows, received = append(rows, fees.Row{Lines: lines, Total: total}), received+total
			}
			d := fees.DuesOf(bills, rows)
			if d.Balance != billed-received || d.Balance != d.Due-d.Advance {
				t.Fatalf("seed %d, step %d: balance %d, due %d, advance %d; billed %d, received %d", seed, step, d.Balance, d.Due, d.Advance, billed, received)
			}
			var due fees.Amount
			for i, l := range d.Lines {
				if due += l.Open; l.Open <= 0 || i > 0 && (l.DueDate < d.Lines[i-1].DueDate || l.DueDate == d.Lines[i-1].DueDate && l.Bill < d.Lines[i-1].Bill) {
					t.Fatalf("seed %d, step %d: line %d is %+v after %+v", seed, step, i, l, d.Lines[max(i-1, 0)])
				}
			}
			if due != d.Due || d.Advance > 0 && d.Due > 0 {
				t.Fatalf("seed %d, step %d: lines come to %d, due is %d with %d in advance", seed, step, due, d.Due, d.Advance)
			}
			random.Shuffle(len(bills), func(i, j int) { bills[i], bills[j] = bills[j], bills[i] })
			shuffled := slices.Clone(rows)
			random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
			if again := fees.DuesOf(bills, shuffled); !reflect.DeepEqual(d, again) {
				t.Fatalf("seed %d, step %d: in another order the dues are %+v, not %+v", seed, step, again, d)
			}
		}
	}
}

func checkLines(t *testing.T, seed uint64, d fees.Dues, total fees.Amount, choices []fees.Choice, lines []fees.Line) {
	t.Helper()
	var sum fees.Amount
	given := map[string]fees.Amount{}
	for i, l := range lines {
		sum += l.Amount
		given[l.Bill+" "+l.Head] += l.Amount
		if l.Amount <= 0 || l.Head == "ADVANCE" && i != len(lines)-1 {
			t.Fatalf("seed %d: line %d of %v", seed, i, lines)
		}
	}
	if sum != total || len(given) != len(lines) {
		t.Fatalf("seed %d: %d is split into %v, which is %d", seed, total, lines, sum)
	}
	for _, c := range choices {
		if given[c.Bill+" "+c.Head] < c.Amount {
			t.Fatalf("seed %d: %v was chosen, and got %d", seed, c, given[c.Bill+" "+c.Head])
		}
	}
	for _, l := range d.Lines {
		if given[l.Bill+" "+l.Head] > l.Open {
			t.Fatalf("seed %d: %+v got %d", seed, l, given[l.Bill+" "+l.Head])
		}
	}
	if given[" ADVANCE"] != max(0, total-d.Due) {
		t.Fatalf("seed %d: %d of %d is an advance, %d was due", seed, given[" ADVANCE"], total, d.Due)
	}
}

func BenchmarkDues(b *testing.B) {
	var bills []fees.Bill
	var rows []fees.Row
	for p := range 12 {
		period := fmt.Sprintf("2026-27/%02d", p)
		bills = append(bills, bill(period, fees.Date("2026-04-10").AddDays(30*p), "TUITION", 1000, "LAB", 300, "BUS", 200, "ANNUAL", 100, "ACTIVITY", 50))
		if p < 8 {
			rows = append(rows, row(period+" TUITION", 1000, period+" LAB", 300, period+" BUS", 200))
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		lines, err := fees.DuesOf(bills, rows).Allocate(5000, nil)
		if err != nil || len(lines) == 0 {
			b.Fatal(err)
		}
	}
}
