package fees_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"raseed/store/fees"
)

// TestShiftArithmetic: over random days at a till, what must be in it is what
// was put in less what was taken out, the sums by mode sum up to the rows, and
// the order of the rows changes nothing.
func TestShiftArithmetic(t *testing.T) {
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 5))
		shift := fees.Shift{Float: fees.Amount(random.Int64N(100_000))}
		var rows []fees.Row
		inTill, all := shift.Float, fees.Amount(0)
		numbers := map[fees.Series]int64{}
		for range random.IntN(40) {
			kind := []fees.Kind{fees.KindPayment, fees.KindPayment, fees.KindReversal, fees.KindRefund}[random.IntN(4)]
			sign := fees.Amount(1)
			if kind != fees.KindPayment {
				sign = -1
			}
			numbers[kind.Series()]++
			row := fees.Row{Kind: kind, Series: kind.Series(), FY: "2026-27", Number: numbers[kind.Series()], NumberText: string(kind) + "-" + string(rune('a'+numbers[kind.Series()]))}
			for range 1 + random.IntN(3) {
				mode := fees.Modes()[random.IntN(len(fees.Modes()))]
				amount := sign * fees.Amount(1+random.Int64N(500_000))
				row.Tenders = append(row.Tenders, fees.Tender{Mode: mode, Amount: amount})
				all += amount
				if mode == fees.ModeCash {
					inTill += amount
				}
			}
			rows = append(rows, row)
			if random.IntN(6) == 0 {
				drop := fees.Amount(1 + random.Int64N(50_000))
				shift.Drops = append(shift.Drops, fees.Drop{Amount: drop})
				inTill -= drop
			}
		}
		var sums, shuffled fees.TillSums
		var cash fees.Amount
		for i := range rows {
			sums.Add(&rows[i])
			rows[i].EnterTill("01J")
			cash += rows[i].Cash
		}
		for _, i := range random.Perm(len(rows)) {
			shuffled.Add(&rows[i])
		}
		if got := shift.Expected(sums.Cash); got != inTill || cash != sums.Cash {
			t.Fatalf("seed %d: expected %d (rows say %d), in the till are %d", seed, got, cash, inTill)
		}
		if total := sums.Total(); total.Net() != all || total.Received < 0 || total.Reversed > 0 || total.Refunded > 0 {
			t.Fatalf("seed %d: the modes sum up to %+v, the rows to %d", seed, total, all)
		}
		if sums.Rows != int64(len(rows)) || sums.Total() != shuffled.Total() || sums.Cash != shuffled.Cash || len(sums.Numbers) != len(shuffled.Numbers) {
			t.Fatalf("seed %d: another order sums up to %+v, not %+v", seed, shuffled, sums)
		}
		for i, n := range sums.Numbers {
			if n.Count != numbers[n.Series] || !strings.HasSuffix(n.First, "-b") || n != shuffled.Numbers[i] {
				t.Fatalf("seed %d: numbers %+v and %+v of %v", seed, n, shuffled.Numbers[i], numbers)
			}
		}
		shift.Sums, shift.Count = &sums, &fees.TillCount{Counted: inTill + 7}
		if shift.Difference() != 7 {
			t.Fatalf("seed %d: a difference of %d, not 7", seed, shift.Difference())
		}
	}
}

func TestCountIsChecked(t *testing.T) {
	inr := fees.Currency{Code: "INR", Decimals: 2, Locale: "en-IN"}
	shift := &fees.Shift{Float: 1000_00}
	for _, tc := range []struct {
		counted  fees.Amount
		note     string
		awaiting int64
		code     fees.Code
		says     string
	}{
		{1500_00, "", 0, "", ""},
		{1480_00, "torn note", 0, "", ""},
		{1480_00, "", 0, fees.Invalid, "short by 20.00"},
		{1501_00, "", 0, fees.Invalid, "1.00 in excess"},
		{1500_00, "", 1, fees.Conflict, "awaits its number"},
		{1480_00, "torn note", 2, fees.Conflict, "await their numbers"},
	} {
		count := fees.TillCount{Counted: tc.counted, Note: tc.note}
		bad := count.Check(shift, fees.TillSums{Cash: 500_00, Awaiting: tc.awaiting}, inr)
		if (bad == nil) != (tc.code == "") || bad != nil && (bad.Code != tc.code || !strings.Contains(bad.Message, tc.says)) {
			t.Errorf("%+v: %v", tc, bad)
		}
	}
}

func TestCloseOrder(t *testing.T) {
	inr := fees.Currency{Code: "INR", Decimals: 2, Locale: "en-IN"}
	order := fees.CloseOrder{Pieces: []fees.Counted{{Piece: "coin-5", Count: 3}, {Piece: "note-500", Count: 4}, {Piece: "note-10", Count: 0}}, Other: 50, Note: "  a   note "}
	if bad := order.Check(inr); bad != nil {
		t.Fatal(bad)
	}
	if got := order.Counted(); got != 2015_50 || order.Note != "a note" {
		t.Errorf("counted %d, note %q", got, order.Note)
	}
	if len(order.Pieces) != 2 || order.Pieces[0] != (fees.Counted{Piece: "note-500", Value: 500_00, Count: 4}) {
		t.Errorf("pieces %+v", order.Pieces)
	}
	for name, bad := range map[string]fees.CloseOrder{
		"count.note-500": {Pieces: []fees.Counted{{Piece: "note-500", Count: -1}}},
		"count.note-20":  {Pieces: []fees.Counted{{Piece: "note-20", Count: 1}, {Piece: "note-20", Count: 1}}},
		"count.note-3":   {Pieces: []fees.Counted{{Piece: "note-3", Count: 1}}},
		"count.coin-2":   {Pieces: []fees.Counted{{Piece: "coin-2", Count: 1_000_001}}},
		"other":          {Other: -1},
		"note":           {Note: "card 4111 1111 1111 1111"},
		"reason":         {Reason: strings.Repeat("x", 201)},
	} {
		if err := bad.Check(inr); err == nil || err.Fields[name] == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPieces(t *testing.T) {
	for code, want := range map[string]struct {
		decimals         int64
		n                int
		largest, last    string
		value, lastValue fees.Amount
	}{
		"INR": {2, 11, "note-500", "coin-1", 500_00, 1_00},
		"JPY": {0, 10, "note-10000", "coin-1", 10_000, 1},
		"KWD": {3, 11, "note-20", "coin-0.005", 20_000, 5},
		"USD": {2, 13, "note-100", "coin-0.01", 100_00, 1},
		"EUR": {2, 15, "note-500", "coin-0.01", 500_00, 1},
	} {
		pieces := fees.Currency{Code: code, Decimals: want.decimals}.Pieces()
		if len(pieces) != want.n {
			t.Errorf("%s has %d notes and coins, want %d", code, len(pieces), want.n)
			continue
		}
		if p := pieces[0]; p.ID != want.largest || p.Value != want.value || !p.Note {
			t.Errorf("%s begins with %+v", code, p)
		}
		if p := pieces[len(pieces)-1]; p.ID != want.last || p.Value != want.lastValue || p.Note {
			t.Errorf("%s ends with %+v", code, p)
		}
		seen := map[string]bool{}
		for i, p := range pieces {
			if seen[p.ID] || i > 0 && p.Note == pieces[i-1].Note && p.Value >= pieces[i-1].Value {
				t.Errorf("%s: %s is there twice or out of order", code, p.ID)
			}
			seen[p.ID] = true
		}
	}
	if p := (fees.Currency{Code: "USD", Decimals: 0}).Pieces(); len(p) != 8 || p[7].ID != "coin-1" {
		t.Errorf("dollars without cents: %+v", p)
	}
	if p := (fees.Currency{Code: "XYZ", Decimals: 2}).Pieces(); p != nil {
		t.Errorf("an unknown currency has %+v", p)
	}
}

func TestShiftIsLeft(t *testing.T) {
	at := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	closing := fees.Shift{State: fees.ShiftClosing, Count: &fees.TillCount{At: at}}
	if closing.Left(at.Add(fees.ClosingTime - 1)) {
		t.Error("whoever is closing it has left it before its time")
	}
	if !closing.Left(at.Add(fees.ClosingTime)) {
		t.Error("nobody goes on with a close that was left")
	}
	if (&fees.Shift{State: fees.ShiftOpen}).Left(at) {
		t.Error("an open till is taken for left")
	}
}
