package store

import (
	"strings"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/fees"
)

// numbered checks one numbered row and its place in the series.
func (a *auditor) numbered(raw bson.Raw) {
	row, readable := a.met(raw)
	if !readable {
		return
	}
	r := a.series
	if r.Count == 0 {
		r.First = row.Number
	}
	r.Count++
	r.Total += row.Total
	if row.ReversedBy != "" {
		r.Reversed++
	}
	switch {
	case row.Number < 1:
		a.find("row", row.ID, "%s has the number %d", row.name(), row.Number)
	case row.Number <= r.Last:
		a.find("duplicate", row.ID, "%s %s: number %d is there twice", r.Series, r.FY, row.Number)
	case row.Number > r.Last+1:
		a.gaps = append(a.gaps, gap{seriesKey{r.Institute, r.FY, r.Series}, r.Last + 1, row.Number - 1})
	}
	a.chain(&row, a.body(raw, &row), row.Number == r.Last+1)
	r.Last = max(r.Last, row.Number)
	a.attachment(&row)
	a.content(&row)
	a.link(&row)
	if _, met := a.waiting[row.ID]; met { // and numbered since
		delete(a.waiting, row.ID)
		a.totals.Rows--
		return
	}
	a.count(&row)
}

// body checks that what was written is what is there, and is the hash of that.
// What a hash does not cover may be missing and is never there and empty.
func (a *auditor) body(raw bson.Raw, row *auditedRow) string {
	body, err := bodyOf(raw)
	switch {
	case err != nil:
		a.find("body", row.ID, "%s cannot be read as a ledger row: %v", row.name(), err)
	case body != row.Body:
		a.find("body", row.ID, "%s was changed after it was written", row.name())
	}
	if !row.Awaiting && has(raw, "awaiting") || row.ReversedBy == "" && has(raw, "reversedBy") {
		a.find("row", row.ID, "%s has an empty mark, which nothing writes", row.name())
	}
	return body
}

// chain follows the chain over what the row is now, and over what is stored of
// the row before, so that one break is told as one. After a gap the row before
// is not known; the gap is told instead.
func (a *auditor) chain(row *auditedRow, body string, follows bool) {
	if row.Hash != chainHash(body, row.Number, row.PrevHash) || follows && row.PrevHash != a.prev {
		if a.series.ChainOK {
			a.find("chain", row.ID, "the chain of %s %s breaks at number %d", row.Series, row.FY, row.Number)
		}
		a.series.ChainOK = false
	}
	a.prev, a.series.LastHash = row.Hash, row.Hash
	id := seriesKey{a.inst.Code, row.FY, row.Series}.id()
	if c, ok := a.counters[id]; ok && row.Number == c.Seq-int64(len(c.Holders)) {
		a.bases[id] = row.Hash
	}
}

// clocksApart is more than the clocks of the processes that record and number
// are ever apart, or put back in between.
const clocksApart = 24 * time.Hour

// attachment checks what numbering added to the row.
func (a *auditor) attachment(row *auditedRow) {
	if format, ok := a.format(row.Format); !ok || format.Text(row.FY, row.Number) != row.NumberText {
		a.find("numberText", row.ID, "number %d of %s %s is printed as %q", row.Number, row.Series, row.FY, row.NumberText)
	}
	switch {
	case row.NumberedAt == 0:
		a.find("row", row.ID, "%s does not say when it was numbered", row.name())
	case row.NumberedAt.Time().Before(row.RecordedAt.Time().Add(-clocksApart)):
		a.find("row", row.ID, "%s was numbered more than a day before it was recorded", row.name())
	}
	if row.Awaiting {
		a.find("awaiting", row.ID, "%s has a number and still says that it awaits one", row.name())
	}
}

func (a *auditor) format(text string) (fees.NumberFormat, bool) {
	if format, ok := a.forms[text]; ok {
		return format, true
	}
	format, bad := fees.ParseFormat(text, a.inst.Code)
	if bad == nil {
		a.forms[text] = format
	}
	return format, bad == nil
}

// content checks a row against itself: key, kind, day and sums.
func (a *auditor) content(row *auditedRow) {
	institute, own, _ := strings.Cut(row.ID, ":")
	switch {
	case institute != a.inst.Code:
		a.find("key", row.ID, "%s belongs to %s and its key says %s", row.name(), a.inst.Code, institute)
	case row.Kind == fees.KindPayment && !fees.ValidID(own):
		a.find("key", row.ID, "the key of %s is none that a form could have had", row.name())
	case row.Kind == fees.KindReversal && row.ID != fees.ReversalID(row.Reverses):
		a.find("key", row.ID, "%s takes back %s and its key says another", row.name(), row.Reverses)
	case row.Kind == fees.KindRefund && !refundKey(own):
		a.find("key", row.ID, "the key of %s is of no refund", row.name())
	case row.Kind == fees.KindAdjustment && !adjustmentKey(own):
		a.find("key", row.ID, "the key of %s is of no bill and of no reversal", row.name())
	}
	if row.Cheque != "" && !row.bouncedTender() {
		a.find("link", row.ID, "%s is for the cheque %s, which is no tender of what it takes back", row.name(), row.Cheque)
	}
	if days, ok := a.year(row.FY); !ok || row.Date < days[0] || row.Date > days[1] {
		a.find("key", row.ID, "%s is dated %s, which is not in the year %s", row.name(), row.Date, row.FY)
	}
	if row.Kind.Series() != row.Series {
		a.find("series", row.ID, "%s is a %s and is numbered as %s", row.name(), row.Kind, row.Series)
	}
	var lines, tenders fees.Amount
	for _, l := range row.Lines {
		lines += l.Amount
	}
	for _, t := range row.Tenders {
		tenders += t.Amount
	}
	if lines != row.Total || tenders != row.Total {
		a.find("sum", row.ID, "%s: total %s, lines %s, tenders %s", row.name(), a.money(row.Total), a.money(lines), a.money(tenders))
	}
	if row.Kind == fees.KindAdjustment && (row.Total != 0 || len(row.Tenders) > 0) {
		a.find("sum", row.ID, "%s: an adjustment moves %s, and should move no money", row.name(), a.money(row.Total))
	}
	if row.Kind == fees.KindPayment && row.Total <= 0 || (row.Kind == fees.KindReversal || row.Kind == fees.KindRefund) && row.Total >= 0 {
		a.find("sum", row.ID, "%s: a %s of %s", row.name(), row.Kind, a.money(row.Total))
	}
}

// bouncedTender says whether the cheque for whose bounce r reverses a payment is
// one of that payment.
func (r *auditedRow) bouncedTender() bool {
	for n, t := range r.Tenders {
		if r.Cheque == fees.ChequeID(r.Reverses, n) {
			return r.Kind == fees.KindReversal && t.IsCheque()
		}
	}
	return false
}

// refundKey says whether a refund can have this key, which is what follows the
// institute.
func refundKey(own string) bool {
	_, ok := fees.RefundOf(own)
	return ok && fees.ValidRowID(own)
}

// adjustmentKey says whether an adjustment can have this key, which is what
// follows the institute.
func adjustmentKey(own string) bool {
	_, ok := fees.AdvanceOf(own)
	return ok && fees.ValidRowID(own)
}

// year is the first and last day of a financial year.
func (a *auditor) year(fy string) (days [2]fees.Date, ok bool) {
	if days, ok := a.years[fy]; ok {
		return days, true
	}
	from, to, bad := fees.FYRange(fy, a.inst.FYStart)
	if bad != nil {
		return days, false
	}
	a.years[fy] = [2]fees.Date{from, to}
	return a.years[fy], true
}

func (a *auditor) money(amount fees.Amount) string { return a.inst.Money().Format(amount) }
