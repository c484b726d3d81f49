package views

import (
	"raseed/store/fees"
	"raseed/views/ui"
)

// Verified is what anybody who holds the paper of a row may know of it.
type Verified struct {
	Frame                          Frame
	Institute, Title, Number, Date string
	Total                          string
	Status                         ui.StatusView
	State                          string // more than the status says: "Reversed by RV/26-27/00001 on 30 Nov 2026"
}

// VerifiedOf is a row as the public page shows it: nothing that is not on the
// paper, and nothing about a person.
func VerifiedOf(inst fees.Institute, row fees.Row, reversal *fees.Row) Verified {
	paper := PaperOf(inst, row, reversal)
	v := Verified{
		Institute: row.InstituteName, Title: paper.Title, Number: NumberOr(row.NumberText), Date: paper.Date,
		Total: Money(moneyOf(inst, row), row.Total), Status: StatusPill(row.Status()),
	}
	v.State = paper.Reversed
	if row.NumberText == "" {
		v.State = "Recorded; its number follows"
	}
	return v
}
