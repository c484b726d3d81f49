package store

import (
	"context"
	"maps"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/fees"
)

// givenBack is a refund's row as the audit met it.
type givenBack struct {
	student, payment string
	total            fees.Amount
	byHead           map[string]fees.Amount // without the advance
}

func refundedOf(row *auditedRow) givenBack {
	r := givenBack{student: row.Student, payment: row.Refunds, total: row.Total, byHead: map[string]fees.Amount{}}
	for _, l := range row.Lines {
		if l.Head != fees.HeadAdvance {
			r.byHead[l.Head] += l.Amount
		}
	}
	return r
}

// billed is what the heads of the row come to.
func (r givenBack) billed() (sum fees.Amount) {
	for _, amount := range r.byHead {
		sum += amount
	}
	return sum
}

// walkRefunds holds the refunds against their rows, the rows against the
// payments that they give back from, and the bills of refunds against the rows.
// It comes last: each of them is looked at once everything was met.
func (a *auditor) walkRefunds(ctx context.Context) error {
	for raw, err := range a.s.pagesByKey(ctx, refunds, fees.Key(a.inst.Code, "")) {
		if err != nil {
			return err
		}
		if err := a.refund(ctx, raw); err != nil {
			return err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(a.links.refundBills)) {
		bill := a.links.refundBills[id]
		row, there, err := a.rowAgain(ctx, id)
		switch {
		case err != nil:
			return err
		case !there:
			a.find("refund", bill.bill, "the bill is of the refund %s, which is not there", id)
		case refundedOf(&row).billed() != bill.net:
			a.find("refund", bill.bill, "the bill of the refund %s comes to %s", row.name(), a.money(bill.net))
		}
	}
	return a.refundedPayments(ctx)
}

// refund checks one refund. Its row is written after it was approved and before
// it says that it is paid.
func (a *auditor) refund(ctx context.Context, raw bson.Raw) error {
	var r fees.Refund
	if err := bson.Unmarshal(raw, &r); err != nil {
		a.find("refund", textOf(raw, "_id"), "the refund cannot be read: %v", err)
		return nil
	}
	if r.Institute != a.inst.Code {
		a.find("refund", r.ID, "the refund's key and what it says differ")
	}
	id := fees.RefundRowID(r.ID)
	met, there := a.links.refunded[id]
	delete(a.links.unasked, id)
	if !there && r.State == fees.RefundPaid { // since the rows were read, perhaps
		row, now, err := a.rowAgain(ctx, id)
		if err != nil {
			return err
		}
		met, there = refundedOf(&row), now
	}
	switch {
	case r.State == fees.RefundPaid && !there:
		a.find("refund", r.ID, "the refund of %s to %s is paid, and its row is not there", a.money(r.Amount), r.StudentName)
	case there && (met.total != -r.Amount || met.payment != r.Payment || met.student != r.Student):
		a.find("refund", r.ID, "the refund of %s to %s is not what its row says", a.money(r.Amount), r.StudentName)
	}
	return nil
}

// refundedPayments checks that no more was given back of a payment than it
// brought in, by head, and that each row was asked for.
func (a *auditor) refundedPayments(ctx context.Context) error {
	given := map[string]map[string]fees.Amount{}
	students := map[string]string{}
	for _, id := range slices.Sorted(maps.Keys(a.links.refunded)) {
		r := a.links.refunded[id]
		if _, unasked := a.links.unasked[id]; unasked {
			n, err := a.s.DB.Count(ctx, refunds, one(a.inst.Code, strings.TrimSuffix(id, ":refund")), 1)
			if err != nil {
				return err
			}
			if n == 0 {
				a.find("refund", id, "the row gives %s back, and nobody asked for it", a.money(-r.total))
			}
		}
		if r.payment == "" {
			continue
		}
		if given[r.payment] == nil {
			given[r.payment], students[r.payment] = map[string]fees.Amount{}, r.student
		}
		for head, amount := range r.byHead {
			given[r.payment][head] -= amount
		}
	}
	for _, id := range slices.Sorted(maps.Keys(given)) {
		row, there, err := a.rowAgain(ctx, id)
		if err != nil {
			return err
		}
		if !there || row.Kind != fees.KindPayment || row.Student != students[id] {
			a.find("refund", id, "something was given back of the payment %s, which is not there", id)
			continue
		}
		brought := map[string]fees.Amount{}
		for _, l := range row.Lines {
			brought[l.Head] += l.Amount
		}
		for _, head := range slices.Sorted(maps.Keys(given[id])) {
			if given[id][head] > brought[head] {
				a.find("refund", id, "%s brought in %s for %s, and %s was given back", row.name(), a.money(brought[head]), head, a.money(given[id][head]))
			}
		}
	}
	return nil
}

// noteRefund notes a refund's row for later, and strikes out its bill.
func (a *auditor) noteRefund(row *auditedRow) {
	r := refundedOf(row)
	a.links.refunded[row.ID] = r
	a.links.unasked[row.ID] = struct{}{}
	if bill, ok := a.links.refundBills[row.ID]; ok && bill.net == r.billed() {
		delete(a.links.refundBills, row.ID)
	}
}
