package fees_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"raseed/store/fees"
)

// due is one line that a child owes.
func due(date fees.Date, open fees.Amount) fees.DueLine {
	return fees.DueLine{Bill: string(date), Head: "TUITION", DueDate: date, Net: open, Open: open}
}

func duesOf(lines ...fees.DueLine) fees.Dues {
	d := fees.Dues{Lines: lines}
	for _, l := range lines {
		d.Due += l.Open
	}
	return d
}

func TestFamilyAllocate(t *testing.T) {
	anyone := func(no string) fees.FamilyChild { return fees.FamilyChild{Student: no} }
	chosen := func(no string, a fees.Amount) fees.FamilyChild {
		return fees.FamilyChild{Student: no, Chosen: true, Amount: a}
	}
	owing := []fees.Dues{
		duesOf(due("2026-06-10", 500), due("2026-10-10", 500)),
		duesOf(due("2026-04-10", 300), due("2026-06-10", 600)),
	}
	for _, tt := range []struct {
		name     string
		children []fees.FamilyChild
		total    fees.Amount
		want     []fees.Amount
	}{
		{"all", []fees.FamilyChild{anyone("9"), anyone("10")}, 1900, []fees.Amount{1000, 900}},
		{"the oldest first", []fees.FamilyChild{anyone("9"), anyone("10")}, 200, []fees.Amount{0, 200}},
		{"of one day, the lower number first", []fees.FamilyChild{anyone("9"), anyone("10")}, 900, []fees.Amount{500, 400}},
		{"whatever their order on the form", []fees.FamilyChild{anyone("10"), anyone("9")}, 1100, []fees.Amount{200, 900}},
		{"too much", []fees.FamilyChild{anyone("9"), anyone("10")}, 2000, []fees.Amount{1100, 900}},
		{"one is chosen", []fees.FamilyChild{chosen("9", 50), anyone("10")}, 400, []fees.Amount{50, 350}},
		{"one is chosen, and more is paid than the others owe", []fees.FamilyChild{anyone("9"), chosen("10", 350)}, 1700, []fees.Amount{1000, 700}},
		{"one is chosen, and owes the oldest of the rest", []fees.FamilyChild{anyone("9"), chosen("10", 100)}, 400, []fees.Amount{300, 100}},
		{"one is chosen, and more is paid than all owe", []fees.FamilyChild{anyone("9"), chosen("10", 350)}, 1950, []fees.Amount{1050, 900}},
		{"one is chosen beyond what it owes", []fees.FamilyChild{anyone("9"), chosen("10", 950)}, 1950, []fees.Amount{1000, 950}},
		{"nothing for one", []fees.FamilyChild{anyone("9"), chosen("10", 0)}, 1000, []fees.Amount{1000, 0}},
		{"nothing for one, until the others have all", []fees.FamilyChild{anyone("9"), chosen("10", 0)}, 1400, []fees.Amount{1000, 400}},
		{"both are chosen, and more is paid", []fees.FamilyChild{chosen("9", 50), chosen("10", 60)}, 420, []fees.Amount{120, 300}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			o := fees.FamilyOrder{Children: tt.children}
			if got := o.Allocate(tt.total, owing); !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

// Whatever is owed and paid: the parts sum to the total, the tenders of each
// part to the part, and the parts of each tender to the tender.
func TestFamilySplitProperty(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 2000 {
		var o fees.FamilyOrder
		var dues []fees.Dues
		var total fees.Amount
		for range rng.IntN(4) + 1 {
			a := fees.Amount(rng.IntN(1000) + 1)
			total += a
			o.Payment.Tenders = append(o.Payment.Tenders, fees.Tender{Mode: fees.ModeCheque, Amount: a, Ref: fmt.Sprint(len(o.Payment.Tenders))})
		}
		left := total
		for n := range rng.IntN(5) + 1 {
			c := fees.FamilyChild{Student: fmt.Sprint(n), Chosen: rng.IntN(3) == 0}
			if c.Chosen {
				c.Amount = fees.Amount(rng.Int64N(int64(left) + 1))
				left -= c.Amount
			}
			o.Children = append(o.Children, c)
			var lines []fees.DueLine
			for range rng.IntN(4) {
				lines = append(lines, due(fees.Date(fmt.Sprintf("2026-%02d-10", rng.IntN(12)+1)), fees.Amount(rng.IntN(600)+1)))
			}
			dues = append(dues, duesOf(lines...))
		}
		parts := o.Allocate(total, dues)
		dealt := fees.SplitTenders(o.Payment.Tenders, parts)
		var sum fees.Amount
		byTender := map[string]fees.Amount{}
		for n, part := range parts {
			sum += part
			if part < 0 {
				t.Fatalf("round %d: parts %v", round, parts)
			}
			var ofPart fees.Amount
			for _, tender := range dealt[n] {
				ofPart += tender.Amount
				byTender[tender.Ref] += tender.Amount
				if tender.Amount <= 0 {
					t.Fatalf("round %d: a tender of %d", round, tender.Amount)
				}
			}
			if ofPart != part {
				t.Fatalf("round %d: tenders of %d for a part of %d", round, ofPart, part)
			}
		}
		var open, advance fees.Amount // an advance that nobody chose, while somebody owes
		for n, part := range parts {
			open += max(0, dues[n].Due-part)
			advance += max(0, part-max(dues[n].Due, o.Children[n].Amount))
		}
		if open > 0 && advance > 0 {
			t.Fatalf("round %d: an advance of %d beside open dues of %d", round, advance, open)
		}
		if sum != total {
			t.Fatalf("round %d: parts %v, want %d in all", round, parts, total)
		}
		for _, tender := range o.Payment.Tenders {
			if byTender[tender.Ref] != tender.Amount {
				t.Fatalf("round %d: the parts of a tender of %d come to %d", round, tender.Amount, byTender[tender.Ref])
			}
		}
	}
}

func TestFamilyCheck(t *testing.T) {
	inst := fees.Institute{Code: "DPS", Currency: "INR", Decimals: 2, Locale: "en-IN", TimeZone: "Asia/Kolkata", FYStart: 4}
	order := func(children ...fees.FamilyChild) fees.FamilyOrder {
		return fees.FamilyOrder{Children: children, Payment: fees.PaymentOrder{
			ID: "01J00000000000000000000000", Tenders: []fees.Tender{{Mode: fees.ModeCash, Amount: 100}}, By: fees.Actor{Role: fees.RoleCashier},
		}}
	}
	good := order(fees.FamilyChild{Student: " a9 "}, fees.FamilyChild{Student: "A10", Chosen: true, Amount: 100})
	if err := good.Check(inst, "2026-06-15"); err != nil {
		t.Fatal(err)
	}
	if good.Children[0].Student != "A9" || good.Payment.Student != "" {
		t.Errorf("in its normal form it is %+v", good)
	}
	many := make([]fees.FamilyChild, fees.MaxFamily+1)
	for name, tt := range map[string]struct {
		order fees.FamilyOrder
		field string
	}{
		"no child":        {order(), "child.0"},
		"too many":        {order(many...), "child.20"},
		"one twice":       {order(fees.FamilyChild{Student: "9"}, fees.FamilyChild{Student: " 9"}), "child.1"},
		"no number":       {order(fees.FamilyChild{Student: "9:1"}), "child.0"},
		"a negative part": {order(fees.FamilyChild{Student: "9", Chosen: true, Amount: -1}), "child_amount.0"},
		"more than is paid": {order(fees.FamilyChild{Student: "9", Chosen: true, Amount: 60},
			fees.FamilyChild{Student: "10", Chosen: true, Amount: 41}), "child_amount.1"},
	} {
		err := tt.order.Check(inst, "2026-06-15")
		if err == nil || err.Code != fees.Invalid || err.Fields[tt.field] == "" {
			t.Errorf("%s: %v, want the field %s", name, err, tt.field)
		}
	}
	bad := order(fees.FamilyChild{Student: "9"})
	bad.Payment.Tenders, bad.Payment.Date = nil, "2027-01-01"
	if err := bad.Check(inst, "2026-06-15"); err == nil || err.Fields["tender_amount.0"] == "" || err.Fields["date"] == "" || err.Fields["student"] != "" {
		t.Errorf("no tender, tomorrow: %+v", err)
	}
}
