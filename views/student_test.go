package views

import (
	"math/rand/v2"
	"testing"
	"time"

	"raseed/store/fees"
)

func rupees() fees.Institute {
	return fees.Institute{Code: "DPS", TimeZone: "Asia/Kolkata", Currency: "INR", Decimals: 2, Locale: "en-IN", FYStart: 4}
}

func at(text string) time.Time {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return t
}

func TestStatement(t *testing.T) {
	bills := []fees.Bill{
		{Title: "2026-27/T1", DueDate: "2026-06-10", CreatedAt: at("2026-05-01T10:00:00Z"), Net: 500000, Lines: []fees.BillLine{
			{Head: "TUITION", HeadName: "Tuition", Gross: 450000, Concession: 50000, Net: 400000},
			{Head: "LAB", HeadName: "Lab", Gross: 100000, Net: 100000},
		}},
		{Title: "Opening balance", DueDate: "2026-04-01", CreatedAt: at("2026-04-02T10:00:00Z"), Net: 100000, Lines: []fees.BillLine{
			{Head: "OPENING", HeadName: "Opening balance", Gross: 100000, Net: 100000},
		}},
	}
	rows := []fees.Row{
		{ID: "DPS:01A", Kind: fees.KindPayment, Date: "2026-06-01", RecordedAt: at("2026-06-01T05:00:00Z"), Total: 700000, NumberText: "P/1",
			ReversedBy: "DPS:01A:reversal", Tenders: []fees.Tender{{Mode: fees.ModeCash}, {Mode: fees.ModeUPI}, {Mode: fees.ModeCash}}},
		{ID: "DPS:01A:reversal", Kind: fees.KindReversal, Date: "2026-06-01", RecordedAt: at("2026-06-01T06:00:00Z"), Total: -700000, NumberText: "RV/1",
			Reverses: "DPS:01A", ReversesText: "P/1", Reason: "wrong entry"},
		{ID: "DPS:01B", Kind: fees.KindPayment, Date: "2026-06-02", RecordedAt: at("2026-06-02T06:00:00Z"), Total: 650000, Awaiting: true},
	}
	v := StudentOf(rupees(), fees.Student{AdmissionNo: "A/12-B", Name: "Asha", Class: "5", Section: "A", Phone: "98"}, bills, rows)

	want := []StatementEntry{
		{Date: "2 Apr 2026", What: "Opening balance", Detail: "Opening balance 1,000.00 · due 1 Apr 2026", Billed: "1,000.00", Balance: "1,000.00"},
		{Date: "1 May 2026", What: "2026-27/T1", Detail: "Tuition 4,000.00 (4,500.00 less 500.00) · Lab 1,000.00 · due 10 Jun 2026", Billed: "5,000.00", Balance: "6,000.00"},
		{Date: "1 Jun 2026", What: "P/1", Href: "/receipts/01A", Detail: "Cash, UPI", Received: "7,000.00", Balance: "-1,000.00"},
		{Date: "1 Jun 2026", What: "RV/1", Href: "/receipts/01A:reversal", Detail: "reverses P/1: wrong entry", Received: "-7,000.00", Balance: "6,000.00"},
		{Date: "2 Jun 2026", What: "Number pending", Href: "/receipts/01B", Received: "6,500.00", Balance: "-500.00"},
	}
	words := []string{"", "", "Reversed", "Reversal", "Number pending"}
	if len(v.Entries) != len(want) {
		t.Fatalf("%d entries, want %d", len(v.Entries), len(want))
	}
	for i, got := range v.Entries {
		word := ""
		if got.Status != nil {
			word = got.Status.Word
		}
		if got.Status = nil; got != want[i] || word != words[i] {
			t.Errorf("entry %d is\n%+v %q\nwant\n%+v %q", i, got, word, want[i], words[i])
		}
	}
	if v.Billed != "6,000.00" || v.Received != "6,500.00" || v.Balance != (Sum{"-500.00", "-50000"}) || v.State != "in credit" {
		t.Errorf("sums are %s billed, %s received, %+v %s", v.Billed, v.Received, v.Balance, v.State)
	}
	if len(v.Facts) != 1 || v.Facts[0] != (Fact{"Phone", "98"}) {
		t.Errorf("facts are %v, want the phone only: what is unknown is left out", v.Facts)
	}
}

// Whatever was billed and paid, the statement ends with the balance that the
// counter shows.
func TestStatementEndsWithTheBalance(t *testing.T) {
	inst := rupees()
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		var bills []fees.Bill
		var rows []fees.Row
		for i := range r.IntN(5) {
			net := fees.Amount(r.IntN(900000) - 200000)
			bills = append(bills, fees.Bill{
				ID: "DPS:1:" + Count(int64(i)), Period: Count(int64(i)), Net: net, CreatedAt: at("2026-05-01T10:00:00Z").AddDate(0, 0, r.IntN(90)),
				Lines: []fees.BillLine{{Head: "TUITION", Net: net}},
			})
		}
		for range r.IntN(6) {
			total := fees.Amount(r.IntN(900000) - 300000)
			rows = append(rows, fees.Row{
				Date: fees.Date("2026-06-01").AddDays(r.IntN(60)), RecordedAt: at("2026-07-01T10:00:00Z"), Total: total,
				Lines: []fees.Line{{Head: fees.HeadAdvance, Amount: total}},
			})
		}
		v := StudentOf(inst, fees.Student{}, bills, rows)
		want := SumOf(inst.Money(), fees.DuesOf(bills, rows).Balance)
		if v.Balance != want {
			t.Fatalf("seed %d: the statement ends with %v, the dues say %v", seed, v.Balance, want)
		}
		if n := len(v.Entries); n > 0 && v.Entries[n-1].Balance != want.Text {
			t.Fatalf("seed %d: the last line says %s, the total %s", seed, v.Entries[n-1].Balance, want.Text)
		}
	}
}
