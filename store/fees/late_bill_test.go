package fees_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"raseed/store/fees"
)

// lateStudent is a student whose terms of 1,000.00 were due on 10 June and
// 10 July, with a late fee of 10.00 a day after two days of grace.
func lateStudent() (map[string]fees.LateRule, []fees.Bill) {
	bill := func(period string, due fees.Date) fees.Bill {
		return fees.Bill{
			ID: "DPS:1:" + period, Institute: "DPS", Student: "1", FY: "2026-27", Period: period, Title: period, DueDate: due,
			Lines: []fees.BillLine{{Head: "TUITION", HeadName: "Tuition", Gross: 1000_00, Net: 1000_00}}, Net: 1000_00, Run: "DPS:R",
		}
	}
	return map[string]fees.LateRule{"2026-27": {Head: fees.HeadLateFee, Kind: fees.LateDay, Amount: 10_00, GraceDays: 2}},
		[]fees.Bill{bill("2026-27/T1", "2026-06-10"), bill("2026-27/T2", "2026-07-10")}
}

func paid(date fees.Date, period string, amount fees.Amount) fees.Row {
	line := fees.Line{Bill: period, Head: "TUITION", Amount: amount}
	if period == "" {
		line.Head = fees.HeadAdvance
	}
	return fees.Row{Date: date, Lines: []fees.Line{line}, Total: amount}
}

// apply makes the changes, as the store does.
func apply(bills []fees.Bill, changes []fees.LateChange) []fees.Bill {
	bills = slices.Clone(bills)
	for _, c := range changes {
		if at := slices.IndexFunc(bills, func(b fees.Bill) bool { return b.ID == c.New.ID }); at >= 0 {
			c.New.Revision++
			bills[at] = c.New
		} else {
			bills = append(bills, c.New)
		}
	}
	return bills
}

func TestLateChanges(t *testing.T) {
	rules, bills := lateStudent()
	for _, tt := range []struct {
		name string
		with func(bills []fees.Bill) ([]fees.Bill, []fees.Row)
		asOf fees.Date
		want map[string]fees.Amount
	}{
		{"in the days of grace", nil, "2026-06-12", nil},
		{"on the first late day", nil, "2026-06-13", map[string]fees.Amount{"2026-27/T1/LATE": 10_00}},
		{"both", nil, "2026-07-13", map[string]fees.Amount{"2026-27/T1/LATE": 310_00, "2026-27/T2/LATE": 10_00}},
		{"paid in time", func(b []fees.Bill) ([]fees.Bill, []fees.Row) {
			return b, []fees.Row{paid("2026-06-09", "2026-27/T1", 1000_00)}
		}, "2026-07-01", nil},
		{"paid late", func(b []fees.Bill) ([]fees.Bill, []fees.Row) {
			return b, []fees.Row{paid("2026-06-15", "2026-27/T1", 1000_00)}
		}, "2026-07-01", map[string]fees.Amount{"2026-27/T1/LATE": 30_00}},
		{"paid in time and taken back", func(b []fees.Bill) ([]fees.Bill, []fees.Row) {
			return b, []fees.Row{paid("2026-06-09", "2026-27/T1", 1000_00), paid("2026-06-20", "2026-27/T1", -1000_00)}
		}, "2026-06-21", map[string]fees.Amount{"2026-27/T1/LATE": 20_00}},
		{"covered by an advance", func(b []fees.Bill) ([]fees.Bill, []fees.Row) {
			return b, []fees.Row{paid("2026-05-01", "", 1000_00)}
		}, "2026-07-01", nil},
		{"covered in part", func(b []fees.Bill) ([]fees.Bill, []fees.Row) {
			return b, []fees.Row{paid("2026-05-01", "", 999_00)}
		}, "2026-06-13", map[string]fees.Amount{"2026-27/T1/LATE": 10_00}},
		{"a difference in the payer's favour", func(b []fees.Bill) ([]fees.Bill, []fees.Row) {
			return append(b, fees.Bill{
				Institute: "DPS", Student: "1", FY: "2026-27", Period: "2026-27/T1/D1", Of: "2026-27/T1", DueDate: "2026-06-10", Run: "DPS:R",
				Lines: []fees.BillLine{{Head: "TUITION", Gross: -400_00, Net: -400_00}}, Net: -400_00,
			}), []fees.Row{paid("2026-06-09", "2026-27/T1", 600_00)}
		}, "2026-07-01", nil},
		{"a difference that came after it was paid", func(b []fees.Bill) ([]fees.Bill, []fees.Row) {
			return append(b, fees.Bill{
				Institute: "DPS", Student: "1", FY: "2026-27", Period: "2026-27/T1/D1", Of: "2026-27/T1", DueDate: "2026-06-20", Run: "DPS:R",
				Lines: []fees.BillLine{{Head: "TUITION", Gross: 400_00, Net: 400_00}}, Net: 400_00,
			}), []fees.Row{paid("2026-06-09", "2026-27/T1", 1000_00)}
		}, "2026-07-01", nil},
		{"cancelled", func(b []fees.Bill) ([]fees.Bill, []fees.Row) {
			b[0] = b[0].WithoutCharge(fees.BillCancelled{By: "Meera"})
			return b, nil
		}, "2026-07-01", nil},
		{"no run's bills", func(b []fees.Bill) ([]fees.Bill, []fees.Row) {
			b[0].Run, b[1].Run = "", ""
			return b, nil
		}, "2026-08-01", nil},
		{"of a year without a rule", func(b []fees.Bill) ([]fees.Bill, []fees.Row) {
			b[0].FY = "2025-26"
			return b, nil
		}, "2026-07-01", nil},
	} {
		all, rows := slices.Clone(bills), []fees.Row(nil)
		if tt.with != nil {
			all, rows = tt.with(all)
		}
		changes := fees.LateChanges(rules, all, rows, tt.asOf)
		got := map[string]fees.Amount{}
		for _, c := range changes {
			got[c.New.Period] = c.New.Net
			if c.New.Of != c.Of.Period || !c.New.IsLateFee() || c.New.ID != "DPS:1:"+c.New.Period || fees.NetOf(c.New.Lines) != c.New.Net || c.More() != c.New.Net {
				t.Errorf("%s: the late fee of %s is %+v", tt.name, c.Of.Period, c.New)
			}
		}
		if len(got) != len(tt.want) || len(got) != len(changes) {
			t.Errorf("%s: charges %v, want %v", tt.name, got, tt.want)
		}
		for period, want := range tt.want {
			if got[period] != want {
				t.Errorf("%s: %s is %d, want %d", tt.name, period, got[period], want)
			}
		}
		if again := fees.LateChanges(rules, apply(all, changes), rows, tt.asOf); len(again) != 0 {
			t.Errorf("%s: again it charges %+v", tt.name, again)
		}
	}
	changes := fees.LateChanges(rules, bills, nil, "2026-06-20")
	if due := changes[0].New.DueDate; due != "2026-06-13" {
		t.Errorf("a late fee is due on %s, want the first late day, 13 June", due)
	}
}

// Whatever days are assessed in whatever order, while money comes and goes, the
// last assessment leaves the late fees that a single one makes.
func TestLateChangesInAnyOrder(t *testing.T) {
	rules, terms := lateStudent()
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 1))
		bills, rows := slices.Clone(terms), []fees.Row(nil)
		var standing []int // rows that were not taken back
		end := fees.Date("2026-08-01")
		for day := fees.Date("2026-06-01"); day < end; day = day.AddDays(1) {
			for range rng.IntN(3) { // as of this day or one before
				bills = apply(bills, fees.LateChanges(rules, bills, rows, day.AddDays(-rng.IntN(20))))
			}
			period := terms[rng.IntN(2)].Period
			if open := 1000_00 - fees.PaidOn(rows)[period]; rng.IntN(8) == 0 && open > 0 { // what is more would be an advance, of no day
				rows, standing = append(rows, paid(day, period, min(open, fees.Amount(rng.IntN(500_00)+1)))), append(standing, len(rows))
			}
			if rng.IntN(15) == 0 && len(standing) > 0 {
				i := rng.IntN(len(standing))
				back := rows[standing[i]]
				rows, standing = append(rows, paid(day, back.Lines[0].Bill, -back.Total)), slices.Delete(standing, i, i+1)
			}
		}
		bills = apply(bills, fees.LateChanges(rules, bills, rows, end))
		once := apply(terms, fees.LateChanges(rules, terms, rows, end))
		for _, want := range once {
			at := slices.IndexFunc(bills, func(b fees.Bill) bool { return b.ID == want.ID })
			if at < 0 || bills[at].Net != want.Net || len(bills) != len(once) {
				t.Fatalf("seed %d: %d bills against %d, of which %s comes to %d in one go", seed, len(bills), len(once), want.Period, want.Net)
			}
		}
	}
}

func TestWaive(t *testing.T) {
	rules, terms := lateStudent()
	money := fees.Currency{Code: "INR", Decimals: 2, Locale: "en-IN"}
	late := fees.LateChanges(rules, terms, nil, "2026-06-22")[0].New // ten days
	order := fees.WaiverOrder{Bill: late.Period, Amount: 60_00, Reason: "Flood", By: fees.Actor{Name: "Meera"}}
	if bad := order.Refuses(money, late, 0); bad != nil {
		t.Fatal(bad)
	}
	waived := late.Waive(order)
	waived.Revision++
	if waived.Net != 40_00 || waived.Lines[0].Gross != 100_00 || waived.Waived() != 60_00 || waived.Lines[0].Reasons[0].Approver != "Meera" {
		t.Errorf("60.00 of 100.00 waived is %+v", waived)
	}
	grown := fees.LateChanges(rules, append(slices.Clone(terms), waived), nil, "2026-06-23")
	if len(grown) != 1 || grown[0].New.Net != 50_00 || grown[0].More() != 10_00 || grown[0].New.Waived() != 60_00 {
		t.Errorf("a day later it is %+v, want 50.00 with 60.00 waived", grown)
	}
	for _, tt := range []struct {
		name         string
		amount, paid fees.Amount
		revision     int64
		bill         fees.Bill
		code         fees.Code
	}{
		{"more than is left", 40_01, 0, 1, waived, fees.Invalid},
		{"more than is unpaid", 30_01, 10_00, 1, waived, fees.Invalid},
		{"paid", 1, 40_00, 1, waived, fees.Conflict},
		{"as it was before", 1, 0, 0, waived, fees.Conflict},
		{"no late fee", 1, 0, 0, terms[0], fees.Conflict},
	} {
		o := order
		o.Amount, o.Revision = tt.amount, tt.revision
		bad := o.Refuses(money, tt.bill, tt.paid)
		if bad == nil || bad.Code != tt.code || tt.code == fees.Invalid && bad.Fields["amount"] == "" {
			t.Errorf("%s: %v, want %s", tt.name, bad, tt.code)
		}
	}
	for reason, ok := range map[string]bool{"": false, "  x ": false, "4111 1111 1111 1111": false, " Flood  in July ": true} {
		o := order
		o.Reason = reason
		if bad := o.Check(); (bad == nil) != ok || !ok && bad.Fields["reason"] == "" {
			t.Errorf("the reason %q: %v", reason, bad)
		}
	}
	for _, amount := range []fees.Amount{0, -1, fees.MaxAmount + 1} {
		o := order
		if o.Amount = amount; o.Check() == nil || o.Check().Fields["amount"] == "" {
			t.Errorf("waives %d", amount)
		}
	}
}
