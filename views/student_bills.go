package views

import (
	"strings"
	"time"

	"raseed/store/fees"
	"raseed/views/ui"
)

// billEntries are a bill's lines of a statement: what it was when it was
// created, and each change that somebody or a run made of it since. A late fee
// that only grew is one line that says what it has come to.
func billEntries(money fees.Currency, zone *time.Location, b fees.Bill) []entry {
	first := b.Net
	if len(b.Revisions) > 0 {
		first = b.Revisions[0].Net
	}
	created := entry{date: fees.DateOf(b.CreatedAt, zone), at: b.CreatedAt, moves: first}
	entries := []entry{created}
	for i, r := range b.Revisions {
		now := b.Net
		if i+1 < len(b.Revisions) {
			now = b.Revisions[i+1].Net
		}
		if b.IsLateFee() && r.Grew() {
			entries[0].moves += now - r.Net
			continue
		}
		entries = append(entries, entry{
			date: fees.DateOf(r.At, zone), at: r.At, moves: now - r.Net,
			line: StatementEntry{
				What: b.Title, Billed: money.Format(now - r.Net), Detail: changeDetail(money, r, now),
				Status: changePill(b, i),
			},
		})
	}
	entries[0].line = StatementEntry{What: b.Title, Bill: b.Period, Billed: money.Format(entries[0].moves), Detail: billDetail(money, b, entries[0].moves)}
	return entries
}

// billDetail says what a bill was made of when it was created, and when it is
// due. A late fee is one amount.
func billDetail(money fees.Currency, b fees.Bill, first fees.Amount) string {
	due := "due " + Day(b.DueDate)
	if b.IsLateFee() {
		return b.Lines[0].HeadName + " " + money.Format(first) + " · " + due
	}
	lines := b.Lines
	if len(b.Revisions) > 0 {
		lines = b.Revisions[0].Lines
	}
	parts := make([]string, len(lines), len(lines)+1)
	for i, l := range lines {
		parts[i] = l.HeadName + " " + money.Format(l.Net)
		if l.Concession != 0 {
			parts[i] += " (" + money.Format(l.Gross) + " less " + money.Format(l.Concession) + ")"
		}
	}
	return strings.Join(append(parts, due), " · ")
}

func changeDetail(money fees.Currency, r fees.BillRevision, now fees.Amount) string {
	text := "from " + money.Format(r.Net) + " to " + money.Format(now)
	if r.By != "" {
		text += ", by " + r.By
	}
	if r.Reason != "" {
		text += ": " + r.Reason
	}
	return text
}

// changePill says in a word what the n-th change (from 0) of a bill was.
func changePill(b fees.Bill, n int) *ui.StatusView {
	switch {
	case b.Cancelled != nil && n == len(b.Revisions)-1:
		return &ui.StatusView{Kind: "neutral", Word: "Cancelled"}
	case b.IsLateFee():
		return &ui.StatusView{Kind: "info", Word: "Waived"}
	}
	return &ui.StatusView{Kind: "info", Word: "Revised"}
}
