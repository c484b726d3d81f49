// Package print holds what goes onto paper: black on white, no screen
// furniture, everything already in words.
package print

// Format is a size of paper.
type Format string

// The formats: A4, A5, and a roll of 80 mm.
const (
	A4      Format = "a4"
	A5      Format = "a5"
	Thermal Format = "thermal"
)

// Formats are the formats in the order in which they are offered.
func Formats() []Format { return []Format{A5, A4, Thermal} }

// Title is what people call the format, "" for what is none.
func (f Format) Title() string {
	switch f {
	case A4:
		return "A4"
	case A5:
		return "A5, two copies on A4"
	case Thermal:
		return "80 mm roll"
	}
	return ""
}

// Receipt is the paper face of a ledger row, as it was when it was written.
type Receipt struct {
	Institute, Address string
	Logo               string // address of its picture, "" for none
	Footer             string // what the sheet ends with
	Title              string // "Fee receipt", "Reversal of a receipt", "Refund voucher", "Adjustment voucher"
	Number             string // "" while the row awaits it: then this is no receipt yet
	Date               string
	Student            string
	AdmissionNo        string
	Class, Guardian    string
	Symbol             string
	Lines              []Line
	Tenders            []Tender
	Total, Words       string
	Sum                string // Total with its symbol
	BalanceAfter       string
	Remark             string
	By, Cashier        string // "Received by" whom
	RecordedAt         string
	Reversed           string // "REVERSED by RV/26-27/00001 on 30 Nov 2026" across a receipt taken back
	Duplicate          string // on every print but the first: "DUPLICATE, first printed 30 Nov 2026, 10:31"
	Verify             string // the address that says whether this is genuine
	Sign               string // under the line for a signature
	GivesBack          bool   // a refund: money went out
	Note               string // what holds for how it was paid: that a cheque is yet to be paid
	Reverses           string // on a reversal, what it takes back and why; on an adjustment, why
}

// Copies says what the copies of the receipt are called on one sheet: an A5 is
// printed twice on a sheet of A4, to be cut.
func (r Receipt) Copies(f Format) []string {
	switch {
	case f != A5:
		return []string{""}
	case r.GivesBack:
		return []string{"Office copy", "Receiver’s copy"}
	}
	return []string{"Office copy", "Payer’s copy"}
}

// Line is what money was for.
type Line struct{ Title, Head, Amount string }

// Tender is how money was handed over. Details are its reference, bank and
// date.
type Tender struct{ Mode, Details, Amount string }
