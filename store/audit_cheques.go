package store

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// walkCheques holds the cheques against their payments, a batch at a time. What
// does not agree is read again, the payment first: a cheque comes after its
// payment and stands otherwise before it does.
func (a *auditor) walkCheques(ctx context.Context) error {
	var batch []bson.Raw
	check := func() error {
		ids := make([]string, len(batch))
		for i, raw := range batch {
			ids[i] = textOf(raw, "row")
		}
		rows, err := a.s.readBatch(ctx, payments, a.inst.Code, ids, "student", "tenders", "reversedBy", "awaiting")
		var reversed []string
		for i, raw := range batch {
			if gone(fees.ChequeState(textOf(raw, "state"))) {
				reversed = append(reversed, fees.ReversalID(ids[i]))
			}
		}
		var reversals map[string]bson.Raw
		if err == nil {
			reversals, err = a.s.readBatch(ctx, payments, a.inst.Code, reversed, "cheque")
		}
		for i := 0; err == nil && i < len(batch); i++ {
			if chequeDiffers(batch[i], rows[ids[i]], reversals[fees.ReversalID(ids[i])]) != "" {
				err = a.confirmCheque(ctx, textOf(batch[i], "_id"), ids[i])
			}
		}
		batch = batch[:0]
		return err
	}
	for raw, err := range a.s.pagesByKey(ctx, cheques, fees.Key(a.inst.Code, "")) {
		if err != nil {
			return err
		}
		if batch = append(batch, raw); len(batch) == batchSize {
			if err := check(); err != nil {
				return err
			}
		}
	}
	return check()
}

// confirmCheque reads payment and cheque again, and what reverses the payment
// before them: once that has its number it has said so on the payment and taken
// the cheques along, and until then it has still to do so.
func (a *auditor) confirmCheque(ctx context.Context, id, row string) error {
	for try := 1; ; try++ {
		reversal, there, err := a.rowAgain(ctx, fees.ReversalID(row))
		if err != nil {
			return err
		}
		all, err := a.readWithRows(ctx, id, row)
		if err != nil {
			return err
		}
		why := chequeDiffers(all[0], all[1], all[2])
		if why == "" || there && reversal.Awaiting {
			return nil
		}
		if there || try == confirmTries {
			a.find("cheque", id, "%s", why)
			return nil
		}
	}
}

// readWithRows reads a cheque, its payment and what reverses that; nil for what is
// not there.
func (a *auditor) readWithRows(ctx context.Context, id, row string) (all [3]bson.Raw, err error) {
	for i, of := range []struct{ coll, id string }{{cheques, id}, {payments, row}, {payments, fees.ReversalID(row)}} {
		found, err := docdb.All[bson.Raw](a.s.DB.Find(ctx, of.coll, bson.D{{Key: "_id", Value: of.id}}, docdb.Find{}))
		if err != nil {
			return all, err
		}
		if len(found) > 0 {
			all[i] = found[0]
		}
	}
	return all, nil
}

// gone says whether a cheque in that state went with its payment.
func gone(state fees.ChequeState) bool {
	return state == fees.ChequeWithdrawn || state == fees.ChequeBounced
}

// chequeDiffers says in what a cheque is not what its payment says, or what takes
// that back, "" where nothing is wrong with it.
func chequeDiffers(cheque, paid, reversal bson.Raw) string {
	var c fees.Cheque
	if err := bson.Unmarshal(cheque, &c); err != nil {
		return "the cheque cannot be read: " + err.Error()
	}
	if paid == nil {
		if c.State == fees.ChequeBounced || len(c.History) == 0 || c.History[0].Note == "" {
			return c.Name() + " is of the payment " + c.Row + ", which is not there"
		}
		return "" // carried over to a payment that is about to be entered
	}
	var row fees.Row
	if err := bson.Unmarshal(paid, &row); err != nil {
		return "" // that the row cannot be read is found with the rows
	}
	at := -1
	for n := range row.Tenders {
		if fees.ChequeID(c.Row, n) == c.ID {
			at = n
		}
	}
	gone, bounced := gone(c.State), textOf(reversal, "cheque")
	switch {
	case at < 0 || !row.Tenders[at].IsCheque():
		return c.Name() + " is no tender of its payment"
	case row.Tenders[at].Amount != c.Amount || row.Tenders[at].Ref != c.Number || row.Student != c.Student:
		return c.Name() + " is not what its payment says"
	case len(c.History) == 0 || c.History[len(c.History)-1].State != c.State:
		return c.Name() + " does not say how it came to be where it is"
	case gone && !c.Bouncing && row.ReversedBy == "":
		return c.Name() + " is " + string(c.State) + ", and its payment was not reversed"
	case reversal != nil && c.State == fees.ChequeBounced && !c.Bouncing && bounced == "":
		return c.Name() + " is bounced, and its payment was reversed by a person"
	case c.State == fees.ChequeWithdrawn && bounced == c.ID:
		return c.Name() + " is withdrawn, and its payment was reversed as it bounced"
	case !gone && row.ReversedBy != "":
		return c.Name() + " is " + string(c.State) + ", and its payment was reversed"
	}
	return ""
}
