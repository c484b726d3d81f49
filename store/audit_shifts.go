package store

import (
	"context"
	"maps"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/fees"
)

// tillRows are what was met of the rows of one till.
type tillRows struct {
	rows    int64
	cash    fees.Amount
	total   fees.Amount
	row     string // one of them
	cashier string // whose rows they are
	mixed   bool   // they are several people's
}

// countTill counts a row for the till that it says it went through.
func (a *auditor) countTill(row *auditedRow) {
	cash := fees.CashOf(row.Tenders)
	if row.Shift == "" {
		cash = 0
	}
	if row.Cash != cash {
		a.find("sum", row.ID, "%s says that it moves %s in cash through a till, and it is %s", row.name(), a.money(row.Cash), a.money(cash))
	}
	if row.Shift == "" {
		return
	}
	t := a.tills[row.Shift]
	if t == nil {
		t = &tillRows{row: row.ID}
		a.tills[row.Shift] = t
	}
	t.rows++
	t.cash += cash
	t.total += row.Total
	if row.Kind == fees.KindReversal { // of what went through the till, whoever took it back
		return
	}
	t.mixed = t.mixed || t.cashier != "" && t.cashier != row.Cashier
	t.cashier = row.Cashier
}

// walkShifts holds the tills that are closed against the rows that name them. It
// comes after the rows, which name a till that was there before.
func (a *auditor) walkShifts(ctx context.Context) error {
	for raw, err := range a.s.pagesByKey(ctx, shifts, fees.Key(a.inst.Code, "")) {
		if err != nil {
			return err
		}
		id := textOf(raw, "_id")
		met := a.tills[fees.After(id)]
		delete(a.tills, fees.After(id))
		var shift fees.Shift
		if err := bson.Unmarshal(raw, &shift); err != nil {
			a.find("till", id, "the till cannot be read: %v", err)
			continue
		}
		if shift.Institute != a.inst.Code || !fees.ValidID(shift.ShortID()) {
			a.find("till", id, "the till's key and what it says differ")
		}
		if met != nil && (met.mixed || met.cashier != "" && met.cashier != shift.Cashier) {
			a.find("till", id, "rows of the till of %s were recorded by somebody else", shift.Cashier)
		}
		if shift.State == fees.ShiftClosed {
			if err := a.closedTill(ctx, shift, met); err != nil {
				return err
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(a.tills)) {
		a.find("till", a.tills[id].row, "the row names the till %s, which is not there", id)
	}
	return nil
}

// closedTill checks what a till was closed with. Rows may have been met before
// it was closed; so where they differ they are read again.
func (a *auditor) closedTill(ctx context.Context, shift fees.Shift, met *tillRows) error {
	if shift.Sums == nil || shift.Count == nil || shift.Active || shift.Closing {
		a.find("till", shift.ID, "the till is closed and does not say with what, or says that it is not")
		return nil
	}
	counted := shift.Count.Other
	for _, c := range shift.Count.Pieces {
		counted += c.Value * fees.Amount(c.Count)
	}
	if counted != shift.Count.Counted {
		a.find("till", shift.ID, "the till's count comes to %s and says %s", a.money(counted), a.money(shift.Count.Counted))
	}
	if met == nil {
		met = &tillRows{}
	}
	closed := shift.Sums
	if (fees.LateSums{Rows: met.rows - closed.Rows, Cash: met.cash - closed.Cash, Total: met.total - closed.Total().Net()}) == shift.NotedLate() {
		return nil
	}
	for range confirmTries {
		now, err := a.s.sumShift(ctx, shift)
		if err != nil {
			return err
		}
		// A row that comes late is noted before it has its number.
		again, err := a.s.Shift(ctx, a.inst.Code, shift.ShortID())
		if err != nil {
			return err
		}
		if now.Awaiting == 0 && again.Version == shift.Version && shift.LateBy(now) != shift.NotedLate() {
			a.find("till", shift.ID, "the till of %s was closed with %s of %s, %s of it in cash; %s of %s, %s in cash, name it", shift.Cashier,
				several(closed.Rows, "row"), a.money(closed.Total().Net()), a.money(closed.Cash),
				several(now.Rows, "row"), a.money(now.Total().Net()), a.money(now.Cash))
		}
		if again.Version == shift.Version {
			return nil
		}
		shift = again
	}
	return nil
}
