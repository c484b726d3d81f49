package views

import (
	"raseed/store/fees"
	"raseed/views/export"
)

// RegisterColumns are the columns of the register as a file.
func RegisterColumns() []string {
	return []string{"number", "date", "time", "admission_no", "name", "class", "section", "modes", "total", "status", "linked_to", "cashier"}
}

// RegisterCells are a ledger row in those columns: amounts as plain numbers,
// dates as 2006-01-02, text neutralised. other is the number of the row's
// reversal, where it has one.
func RegisterCells(inst fees.Institute, row fees.Row, other string) []string {
	if row.Reverses != "" {
		other = row.ReversesText
	}
	if row.Refunds != "" {
		other = row.RefundsText
	}
	return []string{
		export.Text(row.NumberText),
		string(row.Date),
		row.RecordedAt.In(inst.Location()).Format("15:04:05"),
		export.Text(row.Student),
		export.Text(row.StudentName),
		export.Text(row.Class),
		export.Text(row.Section),
		export.Text(ModesOf(row.Tenders)),
		inst.Money().Plain(row.Total),
		string(row.Status()),
		export.Text(other),
		export.Text(row.CashierName),
	}
}
