package views

import (
	"net/url"

	"raseed/store/fees"
	"raseed/views/ui"
)

// Register is the receipt register: a selection of the ledger's rows, newest
// first, and what the whole selection comes to.
type Register struct {
	Frame  Frame
	Filter RegisterFilter
	Alert  *ui.AlertView // why the filter was refused; there are no rows then
	Own    bool          // the visitor sees their own rows only

	Rows   []RegisterRow
	Total  Sum    // of the whole selection, reversals taken off
	Of     string // what the total is of
	Symbol string

	CSV   string
	Pager ui.PagerView
	Empty ui.EmptyView
}

// RegisterFilter is the filter as it was typed.
type RegisterFilter struct {
	From, To                           ui.FieldView
	Mode, Head, Class, Cashier, Status ui.SelectView
	Quick                              []Link // usual ranges of dates
	Set                                bool   // something is restricted
}

// Link is a place to go.
type Link struct {
	Href, Text string
	Current    bool
}

// RegisterRow is one row of the register. Other leads from a reversed row to
// its reversal and back.
type RegisterRow struct {
	Href, Number      string
	Date, Time        string
	StudentHref       string
	AdmissionNo, Name string
	Class, Modes      string
	Total             string
	Taken             bool // a reversal: money taken back
	Status            ui.StatusView
	Other             Link
	Cashier           string
}

// RegisterRowOf is a ledger row as the register shows it. other is the number
// of the row's reversal, where it has one.
func RegisterRowOf(inst fees.Institute, row fees.Row, other string) RegisterRow {
	v := RegisterRow{
		Href:        ReceiptHref(row.ShortID()),
		Number:      NumberOr(row.NumberText),
		Date:        Day(row.Date),
		Time:        row.RecordedAt.In(inst.Location()).Format("15:04"),
		StudentHref: StudentHref(row.Student),
		AdmissionNo: row.Student,
		Name:        row.StudentName,
		Class:       ClassOf(row.Class, row.Section),
		Modes:       ModesOf(row.Tenders),
		Total:       inst.Money().Format(row.Total),
		Taken:       row.Total < 0,
		Status:      StatusPill(row.Status()),
		Cashier:     row.CashierName,
	}
	switch {
	case row.ReversedBy != "":
		v.Other = Link{Href: ReceiptHref(fees.After(row.ReversedBy)), Text: NumberOr(other)}
	case row.Reverses != "":
		v.Other = Link{Href: ReceiptHref(fees.After(row.Reverses)), Text: NumberOr(row.ReversesText)}
	}
	return v
}

// SelectionOf says what the total of a selection of n rows is of: under a mode
// or a head it is not the rows' own totals that are summed.
func SelectionOf(f fees.RegisterFilter, n int64) string {
	switch rows := Plural(n, "row"); {
	case f.Head != "":
		return "net for " + f.Head + " in " + rows
	case f.Mode != "":
		return "net by " + f.Mode.Title() + " in " + rows
	default:
		return "net of " + rows
	}
}

// ReceiptHref is the page of a row, by the part of its id after the institute.
func ReceiptHref(id string) string { return "/receipts/" + url.PathEscape(id) }

// StudentHref is a student's statement.
func StudentHref(admissionNo string) string { return "/students/" + url.PathEscape(admissionNo) }
