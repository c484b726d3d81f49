package views

import (
	"slices"
	"testing"

	"raseed/store/fees"
)

func TestRegisterRow(t *testing.T) {
	inst := rupees()
	paid := fees.Row{
		ID: "DPS:01A", Kind: fees.KindPayment, Date: "2026-04-01", RecordedAt: at("2026-03-31T19:00:30Z"), Total: 12345678,
		Student: "A/12-B", StudentName: "=Asha", Class: "5", Section: "A", NumberText: "DPS/26-27/00001", CashierName: "@ravi",
		Tenders: []fees.Tender{{Mode: fees.ModeCash}, {Mode: fees.ModeCheque}}, ReversedBy: "DPS:01A:reversal",
	}
	back := fees.Row{
		ID: "DPS:01A:reversal", Kind: fees.KindReversal, Date: "2026-04-02", RecordedAt: at("2026-04-02T04:00:00Z"), Total: -12345678,
		Student: "A/12-B", StudentName: "=Asha", Class: "5", NumberText: "RV/26-27/00001", CashierName: "Mira",
		Tenders: []fees.Tender{{Mode: fees.ModeCash}}, Reverses: "DPS:01A", ReversesText: "DPS/26-27/00001",
	}

	v := RegisterRowOf(inst, paid, "RV/26-27/00001")
	if v.Href != "/receipts/01A" || v.StudentHref != "/students/A%2F12-B" || v.Time != "00:30" || v.Date != "1 Apr 2026" ||
		v.Class != "5-A" || v.Modes != "Cash, Cheque" || v.Total != "1,23,456.78" || v.Taken || v.Status.Word != "Reversed" {
		t.Errorf("the payment is shown as %+v", v)
	}
	if v.Other != (Link{Href: "/receipts/01A:reversal", Text: "RV/26-27/00001"}) {
		t.Errorf("the payment leads to %+v, not to its reversal", v.Other)
	}
	if v := RegisterRowOf(inst, paid, ""); v.Other.Text != "Number pending" {
		t.Errorf("a reversal that awaits its number is called %q", v.Other.Text)
	}
	v = RegisterRowOf(inst, back, "")
	if v.Other != (Link{Href: "/receipts/01A", Text: "DPS/26-27/00001"}) || !v.Taken || v.Status.Word != "Reversal" {
		t.Errorf("the reversal is shown as %+v", v)
	}

	cells := RegisterCells(inst, paid, "RV/26-27/00001")
	want := []string{"DPS/26-27/00001", "2026-04-01", "00:30:30", "A/12-B", "'=Asha", "5", "A", "Cash, Cheque", "123456.78", "reversed", "RV/26-27/00001", "'@ravi"}
	if !slices.Equal(cells, want) {
		t.Errorf("cells are\n%q\nwant\n%q", cells, want)
	}
	if n := len(RegisterColumns()); len(cells) != n {
		t.Errorf("%d cells under %d columns", len(cells), n)
	}
	if cells = RegisterCells(inst, back, ""); cells[8] != "-123456.78" || cells[10] != "DPS/26-27/00001" {
		t.Errorf("the reversal's cells are %q", cells)
	}
}

type typed map[string]string

func (t typed) Value(name string) string { return t[name] }
func (t typed) Problem(string) string    { return "" }

// A filter for what is not on offer (a class of last year) is shown as it was
// followed.
func TestRegisterFilterKeepsWhatIsNotOnOffer(t *testing.T) {
	f := RegisterFilterOf(typed{"class": "LKG", "head": fees.HeadOpening}, RegisterChoices{
		Classes: []string{"1", "2"},
		Heads:   []fees.Head{{Code: fees.HeadOpening, Name: "Old dues"}},
	})
	if last := f.Class.Options[len(f.Class.Options)-1]; last.Value != "LKG" || f.Class.Value != "LKG" {
		t.Errorf("class offers %v with %q chosen", f.Class.Options, f.Class.Value)
	}
	n := 0
	for _, o := range f.Head.Options {
		if o.Value == fees.HeadOpening {
			n++
		}
	}
	if n != 1 {
		t.Errorf("the opening head is offered %d times", n)
	}
}
