package store

import (
	"context"
	"errors"
	"maps"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// links are what rows and bills say of others that were not met yet.
type links struct {
	reversed map[string]reversed   // payments that were reversed, by the reversal
	charges  map[string]chargedFor // bills of a reversal's charge, by the reversal
	runs     map[string]ofRun      // what bills say of billing runs, by the run
	heads    map[string]string     // a bill that names a head, by the head
	doubtful []string              // rows to be looked at again

	refunded    map[string]givenBack  // refunds' rows, by id
	unasked     map[string]struct{}   // of them, those whose refund was not met
	refundBills map[string]chargedFor // bills of refunds, by the row
}

type reversed struct {
	payment, student string
	total            fees.Amount
}

type chargedFor struct {
	bill string
	net  fees.Amount
}

func newLinks() links {
	return links{reversed: map[string]reversed{}, charges: map[string]chargedFor{}, runs: map[string]ofRun{}, heads: map[string]string{},
		refunded: map[string]givenBack{}, unasked: map[string]struct{}{}, refundBills: map[string]chargedFor{}}
}

// link notes a payment that was reversed, and strikes it out when its reversal
// comes: a reversal has its number after its payment and in a later series.
func (a *auditor) link(row *auditedRow) {
	switch row.Kind {
	case fees.KindPayment:
		if row.ReversedBy == "" {
			return
		}
		if _, taken := a.links.reversed[row.ReversedBy]; taken {
			a.links.doubtful = append(a.links.doubtful, row.ID)
			return
		}
		a.links.reversed[row.ReversedBy] = reversed{row.ID, row.Student, row.Total}
	case fees.KindReversal:
		if a.links.reversed[row.ID] == (reversed{row.Reverses, row.Student, -row.Total}) {
			delete(a.links.reversed, row.ID)
			return
		}
		a.links.doubtful = append(a.links.doubtful, row.ID)
	}
}

// confirmLinks looks again at the rows and charges whose other half was not
// met: on a live store it may have come since.
func (a *auditor) confirmLinks(ctx context.Context) error {
	for _, r := range a.links.reversed {
		a.links.doubtful = append(a.links.doubtful, r.payment)
	}
	slices.Sort(a.links.doubtful)
	for _, id := range slices.Compact(a.links.doubtful) {
		if err := a.confirmLink(ctx, id); err != nil {
			return err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(a.links.charges)) {
		c := a.links.charges[id]
		row, there, err := a.rowAgain(ctx, id)
		switch {
		case err != nil:
			return err
		case !there:
			a.find("bill", c.bill, "the bill charges for the reversal %s, which is not there", id)
		case row.Charge != c.net:
			a.find("bill", c.bill, "the bill charges %s for the reversal %s, which says %s", a.money(c.net), row.name(), a.money(row.Charge))
		}
	}
	return nil
}

// confirmLink checks that a reversal and its payment point at each other and
// cancel.
func (a *auditor) confirmLink(ctx context.Context, id string) error {
	row, there, err := a.rowAgain(ctx, id)
	if err != nil || !there {
		return err
	}
	to, back := row.ReversedBy, func(r auditedRow) string { return r.Reverses }
	if row.Kind == fees.KindReversal {
		to, back = row.Reverses, func(r auditedRow) string { return r.ReversedBy }
	}
	if to == "" {
		if row.Kind == fees.KindReversal {
			a.find("link", row.ID, "%s reverses nothing", row.name())
		}
		return nil
	}
	other, there, err := a.rowAgain(ctx, to)
	switch {
	case err != nil:
		return err
	case !there:
		a.find("link", row.ID, "%s points at %s, which is not there", row.name(), to)
	case back(other) != row.ID:
		a.find("link", row.ID, "%s points at %s, which does not point back", row.name(), other.name())
	case row.Total+other.Total != 0 || row.Student != other.Student:
		a.find("link", row.ID, "%s and %s do not cancel", row.name(), other.name())
	}
	return nil
}

// rowAgain reads a row, as far as it can be read.
func (a *auditor) rowAgain(ctx context.Context, id string) (row auditedRow, there bool, err error) {
	var raw bson.Raw
	err = a.s.DB.FindOne(ctx, payments, one(a.inst.Code, id), docdb.Find{}, &raw)
	if errors.Is(err, docdb.ErrNotFound) {
		return row, false, nil
	}
	if err == nil && bson.Unmarshal(raw, &row) != nil {
		row.ID = id // that it cannot be read was found when it was walked
	}
	return row, err == nil, err
}
