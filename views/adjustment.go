package views

import (
	"strings"

	"raseed/store/fees"
	"raseed/views/print"
)

// movesOf says what an adjustment moves: "700.00 from Advance to Tuition
// 2026-27/T1".
func movesOf(money fees.Currency, lines []fees.Line) string {
	var from, to []string
	var moved fees.Amount
	for _, l := range lines {
		name := l.HeadName
		if l.Title != "" && l.Title != l.HeadName {
			name += " " + l.Title
		}
		if l.Amount < 0 {
			from, moved = append(from, name), moved-l.Amount
		} else {
			to = append(to, name)
		}
	}
	return money.Format(moved) + " from " + strings.Join(from, ", ") + " to " + strings.Join(to, ", ")
}

// voucher makes the paper of an adjustment say that no money came in.
func voucher(p *print.Receipt, row fees.Row) {
	p.Title, p.Reverses, p.By = "Adjustment voucher", row.Reason, "Recorded by"
	p.Words = "No money was received: credit was moved"
}

// reversalOf is the page of the reversal that an adjustment follows from, nil
// where it follows from a bill.
func reversalOf(row fees.Row) *Link {
	of, ok := fees.AdvanceOf(row.ID)
	if !ok || !fees.ValidRowID(fees.After(of)) {
		return nil
	}
	return &Link{Href: ReceiptHref(fees.After(of)), Text: row.Reason}
}
