package fees_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"raseed/store/fees"
)

const today fees.Date = "2026-11-30"

// order is a payment that holds.
func order() fees.PaymentOrder {
	return fees.PaymentOrder{
		ID: "01ARZ3NDEKTSV4RRFFQ69G5FAV", Student: "1024", Date: today,
		Tenders: []fees.Tender{{Mode: fees.ModeCash, Amount: 4500_00}},
		By:      fees.Actor{Login: "asha", Role: fees.RoleCashier},
	}
}

func TestPaymentCheckNormalises(t *testing.T) {
	o := order()
	o.Student, o.Remark, o.Date = " a/12-b ", "  first\nterm ", ""
	o.Tenders = []fees.Tender{
		{Mode: fees.ModeCash, Amount: 1, Ref: "  ", Bank: "SBI", Date: "nonsense"},
		{Mode: fees.ModeCheque, Amount: 1, Ref: " 000123 ", Bank: "  State Bank  of India ", Date: "2026-11-28"},
		{Mode: fees.ModeDraft, Amount: 1, Ref: "654321", Bank: "HDFC"},
		{Mode: fees.ModeUPI, Amount: 1, Ref: "633412345678", Bank: "\x00"},
		{Mode: fees.ModeCard, Amount: 1, Ref: " ab12c "},
		{Mode: fees.ModeTransfer, Amount: 1, Ref: "hdfcr52026113012345678"},
	}
	want := o
	want.Student, want.Remark = "A/12-B", "first term"
	want.Tenders = []fees.Tender{
		{Mode: fees.ModeCash, Amount: 1},
		{Mode: fees.ModeCheque, Amount: 1, Ref: "000123", Bank: "State Bank of India", Date: "2026-11-28"},
		{Mode: fees.ModeDraft, Amount: 1, Ref: "654321", Bank: "HDFC"},
		{Mode: fees.ModeUPI, Amount: 1, Ref: "633412345678"},
		{Mode: fees.ModeCard, Amount: 1, Ref: "AB12C"},
		{Mode: fees.ModeTransfer, Amount: 1, Ref: "HDFCR52026113012345678"},
	}
	for _, time := range []string{"first", "second"} {
		if err := o.Check(dps(), today); err != nil {
			t.Fatalf("%s check: %v %v", time, err, err.Fields)
		}
		if !reflect.DeepEqual(o, want) {
			t.Fatalf("after the %s check the order is\n%+v, want\n%+v", time, o, want)
		}
	}
}

func TestPaymentCheck(t *testing.T) {
	tender := func(ts ...fees.Tender) func(*fees.PaymentOrder) { return func(o *fees.PaymentOrder) { o.Tenders = ts } }
	paid := func(mode fees.Mode, ref string) func(*fees.PaymentOrder) {
		return tender(fees.Tender{Mode: mode, Amount: 1, Ref: ref, Bank: "SBI"})
	}
	dated := func(drawn fees.Date) func(*fees.PaymentOrder) {
		return tender(fees.Tender{Mode: fees.ModeCheque, Amount: 1, Ref: "123456", Bank: "SBI", Date: drawn})
	}
	on := func(role fees.Role, date fees.Date) func(*fees.PaymentOrder) {
		return func(o *fees.PaymentOrder) { o.By.Role, o.Date = role, date }
	}
	remark := func(s string) func(*fees.PaymentOrder) { return func(o *fees.PaymentOrder) { o.Remark = s } }
	choose := func(cs ...fees.Choice) func(*fees.PaymentOrder) { return func(o *fees.PaymentOrder) { o.Choices = cs } }
	cash := fees.Tender{Mode: fees.ModeCash, Amount: 1}

	for _, tc := range []struct {
		name    string
		change  func(*fees.PaymentOrder)
		problem string // "field: part of the reason", "" when the order holds
	}{
		{"as it is", func(o *fees.PaymentOrder) {}, ""},
		{"no id", func(o *fees.PaymentOrder) { o.ID = "" }, "payment_id: damaged"},
		{"another institute's id", func(o *fees.PaymentOrder) { o.ID = "RVS:" + o.ID }, "payment_id: damaged"},
		{"no student", func(o *fees.PaymentOrder) { o.Student = " " }, "student: Enter an admission number"},
		{"another institute's student", func(o *fees.PaymentOrder) { o.Student = "RVS:1024" }, "student: “:” may not be"},

		{"today unsaid", on(fees.RoleCashier, ""), ""},
		{"tomorrow", on(fees.RoleAdmin, "2026-12-01"), "date: in the future"},
		{"no day", on(fees.RoleCashier, "2026-11-31"), "date: no such day"},
		{"another notation", on(fees.RoleCashier, "30/11/2026"), "date: year-month-day"},
		{"a cashier's week", on(fees.RoleCashier, "2026-11-23"), ""},
		{"more than a cashier's week", on(fees.RoleCashier, "2026-11-22"), "date: at most 7 days back for your role (cashier)"},
		{"an accountant's year", on(fees.RoleAccountant, "2026-04-01"), ""},
		{"an auditor back", on(fees.RoleAuditor, "2026-11-29"), "date: at most 0 days back"},
		{"the last closed day", on(fees.RoleAdmin, "2026-03-31"), "date: books are closed up to 31 March 2026"},
		{"a closed year", on(fees.RoleAdmin, "2024-05-05"), "date: books are closed"},

		{"no tender", tender(), "tender_amount.0: Enter what was paid"},
		{"ten tenders", tender(slices.Repeat([]fees.Tender{cash}, 10)...), ""},
		{"eleven tenders", tender(slices.Repeat([]fees.Tender{cash}, 11)...), "tender_mode.10: At most 10"},
		{"nothing", tender(fees.Tender{Mode: fees.ModeCash}), "tender_amount.0: above zero"},
		{"less than nothing", tender(cash, fees.Tender{Mode: fees.ModeCash, Amount: -1}), "tender_amount.1: above zero"},
		{"the most", tender(fees.Tender{Mode: fees.ModeCash, Amount: fees.MaxAmount}), ""},
		{"more than the most", tender(fees.Tender{Mode: fees.ModeCash, Amount: fees.MaxAmount + 1}), "tender_amount.0: largest amount is 99,99,99,999.99"},
		{"more than the most together", tender(fees.Tender{Mode: fees.ModeCash, Amount: fees.MaxAmount}, cash), "tender_amount.1: together"},
		{"no mode", tender(cash, fees.Tender{Amount: 1}), "tender_mode.1: Choose how"},
		{"unknown mode", tender(fees.Tender{Mode: "Cash", Amount: 1}), "tender_mode.0: Choose how"},

		{"cash with a slip", paid(fees.ModeCash, "slip 12"), ""},
		{"cheque", paid(fees.ModeCheque, "1"), ""},
		{"cheque of twelve digits", paid(fees.ModeCheque, "123456789012"), ""},
		{"cheque without number", paid(fees.ModeCheque, ""), "tender_ref.0: cheque number"},
		{"cheque with letters", paid(fees.ModeCheque, "12A456"), "tender_ref.0: cheque number"},
		{"cheque of thirteen digits", paid(fees.ModeCheque, "1234567890123"), "tender_ref.0: cheque number"},
		{"cheque in another script", paid(fees.ModeCheque, "१२३४५६"), "tender_ref.0: cheque number"},
		{"cheque without bank", tender(fees.Tender{Mode: fees.ModeCheque, Amount: 1, Ref: "123456"}), "tender_bank.0: Enter the bank"},
		{"draft of twelve digits", paid(fees.ModeDraft, "123456789012"), ""},
		{"draft of thirteen digits", paid(fees.ModeDraft, "1234567890123"), "tender_ref.0: draft number"},
		{"draft without number", paid(fees.ModeDraft, " "), "tender_ref.0: draft number"},
		{"draft without bank", tender(fees.Tender{Mode: fees.ModeDraft, Amount: 1, Ref: "123456", Bank: "\t"}), "tender_bank.0: Enter the bank"},
		{"long bank", tender(fees.Tender{Mode: fees.ModeDraft, Amount: 1, Ref: "123456", Bank: strings.Repeat("x", 61)}), "tender_bank.0: At most 60"},
		{"upi", paid(fees.ModeUPI, "axl-123/4.5_6@upi"), ""},
		{"upi without reference", paid(fees.ModeUPI, ""), "tender_ref.0: UPI reference"},
		{"upi of six", paid(fees.ModeUPI, "123456"), ""},
		{"upi of five", paid(fees.ModeUPI, "12345"), "tender_ref.0: UPI reference"},
		{"upi with a space", paid(fees.ModeUPI, "1234 56789012"), "tender_ref.0: UPI reference"},
		{"long upi", paid(fees.ModeUPI, strings.Repeat("A", 36)), "tender_ref.0: At most 35"},
		{"card", paid(fees.ModeCard, "1234"), ""},
		{"card without code", paid(fees.ModeCard, ""), "tender_ref.0: approval code"},
		{"card of twelve", paid(fees.ModeCard, "1234567890AB"), ""},
		{"card of three", paid(fees.ModeCard, "123"), "tender_ref.0: approval code"},
		{"card of thirteen", paid(fees.ModeCard, "1234567890ABC"), "tender_ref.0: approval code"},
		{"card with a dash", paid(fees.ModeCard, "12-34"), "tender_ref.0: approval code"},
		{"transfer", paid(fees.ModeTransfer, "SBIN526334123456"), ""},
		{"transfer without UTR", paid(fees.ModeTransfer, ""), "tender_ref.0: UTR"},
		{"transfer of six", paid(fees.ModeTransfer, "N12345"), ""},
		{"transfer of five", paid(fees.ModeTransfer, "N1234"), "tender_ref.0: UTR"},
		{"transfer with a sign", paid(fees.ModeTransfer, "N12345@"), "tender_ref.0: UTR"},
		{"control character", paid(fees.ModeUPI, "1234567\x00"), "tender_ref.0: U+0000"},

		{"cheque of today", dated(today), ""},
		{"cheque three months old", dated("2026-08-30"), ""},
		{"stale cheque", dated("2026-08-29"), "tender_date.0: stale"},
		{"post-dated cheque", dated("2027-11-30"), ""},
		{"cheque too far ahead", dated("2027-12-01"), "tender_date.0: more than a year ahead"},
		{"cheque of no day", dated("2026-02-30"), "tender_date.0: no such day"},
		{"cheque that was good on the day", func(o *fees.PaymentOrder) {
			dated("2026-05-01")(o)
			on(fees.RoleAccountant, "2026-07-31")(o)
		}, ""},
		{"cheque of a month's last day, on the last of its time", dated("2026-08-31"), ""},

		{"a card number", paid(fees.ModeCard, "4111111111111111"), "tender_ref.0: card number"},
		{"a card number as UPI", paid(fees.ModeUPI, "4111111111111111"), "tender_ref.0: card number"},
		{"a card number as UTR", paid(fees.ModeTransfer, "5555 5555 5555 4444"), "tender_ref.0: card number"},
		{"a card number as slip", paid(fees.ModeCash, "AMEX 3782-822463-10005"), "tender_ref.0: card number"},
		{"a card number as bank", tender(fees.Tender{Mode: fees.ModeCheque, Amount: 1, Ref: "123456", Bank: "4111 1111 1111 1111"}), "tender_bank.0: card number"},
		{"a card number of any first digit", paid(fees.ModeUPI, "9000000000000001"), "tender_ref.0: card number"},
		{"a card number behind a letter", paid(fees.ModeCash, "N4111111111111111"), "tender_ref.0: card number"},
		{"a UPI reference that passes the card check", paid(fees.ModeUPI, "N378282246310005"), ""},
		{"a bank reference that passes the card check", paid(fees.ModeTransfer, "N378282246310005"), ""},
		{"a card number behind letters", paid(fees.ModeTransfer, "VISA4111111111111111"), "tender_ref.0: card number"},
		{"a card number between letters", paid(fees.ModeTransfer, "UTR4111111111111111X"), "tender_ref.0: card number"},
		{"a card number with signs", paid(fees.ModeUPI, "4111/1111/1111/1111"), "tender_ref.0: card number"},

		{"a card's last four", tender(fees.Tender{Mode: fees.ModeCard, Amount: 1, Ref: "A1B2C3", Last4: " 4242 "}), ""},
		{"three digits of a card", tender(fees.Tender{Mode: fees.ModeCard, Amount: 1, Ref: "A1B2C3", Last4: "424"}), "tender_last4.0: last four digits"},
		{"letters of a card", tender(fees.Tender{Mode: fees.ModeCard, Amount: 1, Ref: "A1B2C3", Last4: "42AB"}), "tender_last4.0: last four digits"},
		{"a card number as its last four", tender(fees.Tender{Mode: fees.ModeCard, Amount: 1, Ref: "A1B2C3", Last4: "4111 1111 1111 1111"}), "tender_last4.0: card number"},
		{"a card number where none is asked", tender(fees.Tender{Mode: fees.ModeCash, Amount: 1, Last4: "4111111111111111"}), "tender_last4.0: card number"},
		{"branch", tender(fees.Tender{Mode: fees.ModeCheque, Amount: 1, Ref: "123456", Bank: "SBI", Branch: "Rohini"}), ""},
		{"long branch", tender(fees.Tender{Mode: fees.ModeCheque, Amount: 1, Ref: "123456", Bank: "SBI", Branch: strings.Repeat("x", 61)}), "tender_branch.0: At most 60"},
		{"a card number as branch", tender(fees.Tender{Mode: fees.ModeCheque, Amount: 1, Ref: "123456", Bank: "SBI", Branch: "4111 1111 1111 1111"}), "tender_branch.0: card number"},
		{"a card number as the bank of cash", tender(fees.Tender{Mode: fees.ModeCash, Amount: 1, Bank: "4111111111111111"}), "tender_bank.0: card number"},
		{"a card number as the branch of cash", tender(fees.Tender{Mode: fees.ModeCash, Amount: 1, Branch: "4111111111111111"}), "tender_branch.0: card number"},

		{"long remark", remark(strings.Repeat("आ", 200)), ""},
		{"too long remark", remark(strings.Repeat("आ", 201)), "remark: At most 200"},
		{"remark with control characters", remark("a\x07"), "remark: U+0007"},
		{"remark with a card number", remark("paid with 6011 1111 1111 1117 today"), "remark: card number"},

		{"choices", choose(fees.Choice{"2026-27/T1", "TUITION", 1}, fees.Choice{"2026-27/T1", "LAB", 1}), ""},
		{"choice of nothing", choose(fees.Choice{"2026-27/T1", "TUITION", 0}), "line_amount.0: above zero"},
		{"choice of too much", choose(fees.Choice{"2026-27/T1", "TUITION", fees.MaxAmount + 1}), "line_amount.0: largest"},
		{"choice without bill", choose(fees.Choice{"", "TUITION", 1}), "line_bill.0: Choose what"},
		{"choice without head", choose(fees.Choice{"2026-27/T1", "", 1}), "line_bill.0: Choose what"},
		{"choice twice", choose(fees.Choice{"2026-27/T1", "LAB", 1}, fees.Choice{"2026-27/T1", "LAB", 1}), "line_bill.1: twice"},
		{"many choices", func(o *fees.PaymentOrder) {
			for n := range 200 {
				o.Choices = append(o.Choices, fees.Choice{Bill: fmt.Sprint(n), Head: "LAB", Amount: 1})
			}
		}, ""},
		{"endless choices", choose(make([]fees.Choice, 201)...), "line_bill.200: At most 200"},
	} {
		o := order()
		tc.change(&o)
		err := o.Check(dps(), today)
		if tc.problem == "" {
			if err != nil {
				t.Errorf("%s: refused: %v %v", tc.name, err, err.Fields)
			}
			continue
		}
		field, reason, _ := strings.Cut(tc.problem, ": ")
		if err == nil || err.Code != fees.Invalid || len(err.Fields) != 1 || !strings.Contains(err.Fields[field], reason) ||
			!strings.Contains(err.Message, err.Fields[field]) || !strings.HasPrefix(err.Message, "Nothing was recorded. ") {
			t.Errorf("%s: %v, want just %q", tc.name, err, tc.problem)
			if err != nil {
				t.Logf("fields: %v", err.Fields)
			}
		}
	}
}

// Everything wrong is said at once.
func TestPaymentCheckCollects(t *testing.T) {
	o := fees.PaymentOrder{
		Date: "2026-12-24", Remark: "\x00",
		Tenders: []fees.Tender{{}, {Mode: fees.ModeCheque, Date: "x"}, {Mode: fees.ModeUPI, Amount: 1}},
		Choices: []fees.Choice{{}},
	}
	err := o.Check(dps(), today)
	want := "date line_amount.0 line_bill.0 payment_id remark student tender_amount.0 tender_amount.1 tender_bank.1 tender_date.1 " +
		"tender_mode.0 tender_ref.1 tender_ref.2"
	if err == nil || strings.Join(slices.Sorted(maps.Keys(err.Fields)), " ") != want {
		t.Fatalf("the problems are %v,\nwant %s", err, want)
	}
}

// Card numbers of every scheme are found however they are written, and other
// digits are left alone.
func TestCardNumbers(t *testing.T) {
	refused := func(text string) bool {
		o := order()
		o.Remark = text
		err := o.Check(dps(), today)
		return err != nil && strings.Contains(err.Fields["remark"], "card number")
	}
	cards := []string{
		"4111111111111111", "4012888888881881", "4222222222222", "5555555555554444", "5105105105105100", "2223000048400011",
		"378282246310005", "371449635398431", "30569309025904", "6011111111111117", "3530111333300000", "6521111111111117", "4000000000000000006",
	}
	for _, card := range cards {
		if !passesLuhn(card) {
			// RuPay has no public test number here: give it its check digit.
			for d := range 10 {
				if fixed := card[:len(card)-1] + fmt.Sprint(d); passesLuhn(fixed) {
					card = fixed
				}
			}
		}
		forms := []string{card, "card " + card, card + ".", "no" + card + "x", "(" + card + ")", "a 12 " + card, strings.NewReplacer(
			"0", "०", "1", "१", "2", "२", "3", "३", "4", "४", "5", "५", "6", "६", "7", "७", "8", "८", "9", "९").Replace(card)}
		for _, sep := range []string{" ", "-", ".", "/", "_", " - ", "–", "\u2011", ", ", ":", "|"} {
			groups := []int{4, 4, 4, 4, 4}
			switch len(card) {
			case 15:
				groups = []int{4, 6, 5}
			case 14:
				groups = []int{4, 6, 4}
			}
			var parts []string
			for rest := card; rest != ""; groups = groups[1:] {
				n := min(groups[0], len(rest))
				parts, rest = append(parts, rest[:n]), rest[n:]
			}
			forms = append(forms, strings.Join(parts, sep), "12 "+strings.Join(parts, sep)+" 07/29")
		}
		if len(card) == 16 {
			forms = append(forms, card[:8]+" "+card[8:], card[:6]+"/"+card[6:])
		}
		for _, zero := range []rune{'٠', '۰', '০', '௦', '０', '𝟎', '𝟶'} {
			forms = append(forms, strings.Map(func(r rune) rune { return r - '0' + zero }, card))
		}
		for _, form := range forms {
			if !refused(form) {
				t.Errorf("%q is not taken for a card number", form)
			}
		}
		// One digit off is no card number.
		off := card[:len(card)-1] + fmt.Sprint((int(card[len(card)-1]-'0')+1)%10)
		if refused(off) {
			t.Errorf("%q is taken for a card number", off)
		}
	}
	for _, text := range []string{
		"", "call 9000000001 9000000002", "2026-11-30 11:30", "class 10, term 1", "411111111111", // 12 digits
		"41111111111111110000", // 20 digits
		"4111 then 1111 then 1111 then 1111", "41111 11111 111111", "2026-11-30 2026-12-01 9999.00", "RF/26-27/00042, RF/26-27/00043, RF/26-27/00044",
	} {
		if refused(text) {
			t.Errorf("%q is taken for a card number", text)
		}
	}
}

// passesLuhn is the check by the book, written differently from the code.
func passesLuhn(card string) bool {
	double := []int{0, 2, 4, 6, 8, 1, 3, 5, 7, 9}
	sum := 0
	for i, c := range card {
		d := int(c - '0')
		if (len(card)-i)%2 == 0 {
			d = double[d]
		}
		sum += d
	}
	return sum%10 == 0
}

func TestTotalOf(t *testing.T) {
	of := func(amounts ...fees.Amount) (fees.Amount, *fees.Error) {
		tenders := make([]fees.Tender, len(amounts))
		for i, a := range amounts {
			tenders[i].Amount = a
		}
		return fees.TotalOf(tenders)
	}
	if total, err := of(); total != 0 || err != nil {
		t.Errorf("no tenders come to %d (%v)", total, err)
	}
	if total, err := of(1, 2, fees.MaxAmount-3); total != fees.MaxAmount || err != nil {
		t.Errorf("tenders up to the limit come to %d (%v)", total, err)
	}
	for _, amounts := range [][]fees.Amount{{fees.MaxAmount, 1}, {1 << 62, 1 << 62}, {1<<63 - 1, 1<<63 - 1, 2}} {
		if total, err := of(amounts...); total != 0 || err == nil || err.Code != fees.Invalid {
			t.Errorf("%v come to %d (%v), must be refused", amounts, total, err)
		}
	}
}

func TestReversalCheck(t *testing.T) {
	for _, reason := range []string{"wrong student", "  bad  ", "आशा", strings.Repeat("आ", 200)} {
		o := fees.ReversalOrder{Reason: reason, Charge: fees.MaxAmount}
		if err := o.Check(); err != nil || o.Reason != strings.TrimSpace(reason) {
			t.Errorf("%q: %v, reason is now %q", reason, err, o.Reason)
		}
	}
	for _, tc := range []struct {
		order fees.ReversalOrder
		want  string
	}{
		{fees.ReversalOrder{}, "reason: at least 3"},
		{fees.ReversalOrder{Reason: " ab "}, "reason: at least 3"},
		{fees.ReversalOrder{Reason: strings.Repeat("a", 201)}, "reason: At most 200"},
		{fees.ReversalOrder{Reason: "a\x00bc"}, "reason: U+0000"},
		{fees.ReversalOrder{Reason: "card 4111111111111111"}, "reason: card number"},
		{fees.ReversalOrder{Reason: "bounced", Charge: -1}, "charge: negative"},
		{fees.ReversalOrder{Reason: "bounced", Charge: fees.MaxAmount + 1}, "charge: so large"},
	} {
		field, reason, _ := strings.Cut(tc.want, ": ")
		if err := tc.order.Check(); err == nil || err.Code != fees.Invalid || len(err.Fields) != 1 || !strings.Contains(err.Fields[field], reason) {
			t.Errorf("%+v: %v, want %q", tc.order, err, tc.want)
		}
	}
}

func BenchmarkPaymentCheck(b *testing.B) {
	inst := dps()
	b.ReportAllocs()
	for b.Loop() {
		o := order()
		if err := o.Check(inst, today); err != nil {
			b.Fatal(err)
		}
	}
}

// An order may be sent twice at once: what it shares with its copy is not
// written to.
func TestCheckLeavesTheCallersSlices(t *testing.T) {
	tenders := []fees.Tender{{Mode: fees.ModeUPI, Amount: 100, Ref: " abc123456 "}}
	o := fees.PaymentOrder{Tenders: tenders}
	o.Check(fees.Institute{}, "2026-11-30")
	if tenders[0].Ref != " abc123456 " {
		t.Errorf("the caller's reference became %q", tenders[0].Ref)
	}
	if o.Tenders[0].Ref == tenders[0].Ref {
		t.Errorf("the order's reference is as it was typed: %q", o.Tenders[0].Ref)
	}
}
