package store

import (
	"fmt"
	"slices"

	"raseed/store/fees"
)

var tillKeeper = fees.Actor{Login: "asha", Name: "Asha", Role: fees.RoleCashier}

// keepTill opens tills, takes cash out of them and closes them, each more than
// once, as the cashiers' own login in one more tab. What is counted is what is
// expected, or not.
func (a *actor) keepTill() {
	for range 2 {
		o := fees.ShiftOrder{ID: a.p.s.NewID(), Float: fees.Amount(a.rng.IntN(3)) * 1000, By: tillKeeper}
		for range 2 {
			if !a.think() {
				return
			}
			shift, err := a.p.s.OpenShift(a.ctx, a.school.code(), o)
			a.hearsTill(shift, err)
		}
		shift, ok, err := a.p.s.ShiftOf(a.ctx, a.school.code(), tillKeeper.Login)
		if err != nil || !ok {
			continue
		}
		drop := fees.DropOrder{ID: a.p.s.NewID(), Shift: shift.ShortID(), Amount: fees.Amount(1 + a.rng.IntN(1500)), By: tillKeeper}
		for range 2 {
			a.think()
			if _, err := a.p.s.DropToSafe(a.ctx, a.school.code(), drop); err == nil && !a.p.dead {
				a.school.note(func() { a.school.dropped[drop.ID] = drop })
			}
		}
		for range a.rng.IntN(20) { // customers come and go
			a.think()
		}
		a.close(shift, tillKeeper)
	}
}

// closeTills closes whatever tills are open, as somebody else.
func (a *actor) closeTills() {
	for range 2 {
		for range a.rng.IntN(30) {
			a.think()
		}
		open, err := a.p.s.OpenShifts(a.ctx, a.school.code())
		if err != nil || !a.think() {
			return
		}
		for _, shift := range open {
			a.close(shift, fees.Actor{Login: "meera", Name: "Meera", Role: fees.RoleAdmin})
		}
	}
}

// close counts a till and closes it; it says why where the count is not what
// was expected.
func (a *actor) close(shift fees.Shift, by fees.Actor) {
	cash, err := a.p.s.ShiftCash(a.ctx, a.school.code(), shift.ShortID())
	if err != nil {
		return
	}
	o := fees.CloseOrder{Shift: shift.ShortID(), Other: max(0, shift.Expected(cash)), Reason: "went home", By: by}
	if a.rng.IntN(3) == 0 {
		o.Other += 100
	}
	closing := (*Store).CloseShift
	if a.w.broken.close != nil {
		closing = a.w.broken.close
	}
	for range 3 {
		if !a.think() {
			return
		}
		now, err := closing(a.p.s, a.ctx, a.school.code(), o)
		a.hearsTill(now, err)
		if fees.CodeOf(err) == fees.Invalid {
			o.Note = "counted twice"
		}
	}
}

// till is the till that a form is rendered with; "" where there are none.
func (a *actor) till() string {
	if !a.w.open[tillDesk] || a.rng.IntN(2) == 0 {
		return ""
	}
	shift, ok, err := a.p.s.ShiftOf(a.ctx, a.school.code(), tillKeeper.Login)
	if err != nil || !ok {
		return ""
	}
	return shift.ShortID()
}

// hearsTill notes what a person was told of a till.
func (a *actor) hearsTill(shift fees.Shift, err error) {
	if err != nil || a.p.dead {
		return
	}
	a.school.note(func() {
		if before := a.school.tills[shift.ID]; before.State != fees.ShiftClosed {
			a.school.tills[shift.ID] = shift
		}
	})
}

// counted is what rows come to.
type tillSum struct {
	rows        int64
	cash, total fees.Amount
}

// tilled: at every moment a closed till was closed with what its rows come to,
// less what is noted as late, unless one of them still awaits its number; a
// difference to what was counted has its reason; its rows are its cashier's.
func (r remains) tilled() error {
	sums, waits := map[string]tillSum{}, map[string]bool{}
	for _, row := range r.rows {
		if cash := fees.CashOf(row.Tenders); row.Shift != "" && row.Cash != cash || row.Shift == "" && row.Cash != 0 {
			return fmt.Errorf("%s moves %d of %d in cash through the till %q", row.ID, row.Cash, cash, row.Shift)
		}
		if row.Shift == "" {
			continue
		}
		id := fees.Key(row.Institute, row.Shift)
		if !slices.ContainsFunc(r.shifts, func(s fees.Shift) bool {
			return s.ID == id && (s.Cashier == row.Cashier || row.Kind == fees.KindReversal)
		}) {
			return fmt.Errorf("%s of %s went through %s, which is not theirs", row.ID, row.Cashier, id)
		}
		t := sums[id]
		sums[id] = tillSum{t.rows + 1, t.cash + row.Cash, t.total + row.Total}
		waits[id] = waits[id] || row.Awaiting
	}
	for _, s := range r.shifts {
		if s.State != fees.ShiftClosed {
			continue
		}
		late, expected := fees.LateSums{}, s.Float+s.Sums.Cash
		if s.Late != nil {
			late = *s.Late
		}
		for _, d := range s.Drops {
			expected -= d.Amount
		}
		var total fees.Amount
		for _, m := range s.Sums.Modes {
			total += m.Received + m.Reversed + m.Refunded
		}
		if closed := (tillSum{s.Sums.Rows + late.Rows, s.Sums.Cash + late.Cash, total + late.Total}); closed != sums[s.ID] && !waits[s.ID] {
			return fmt.Errorf("till %s was closed with %v, %v of it late, and its rows are %v", s.ID, closed, late, sums[s.ID])
		}
		if s.Count.Counted != expected && s.Count.Note == "" || s.Count.By != s.Cashier && s.Count.Reason == "" {
			return fmt.Errorf("till %s was closed with %d of %d, and nobody says why: %+v", s.ID, s.Count.Counted, expected, s.Count)
		}
	}
	return nil
}

// tillsAsTold: no till is still closing; one that somebody was told was opened,
// or closed, is, with the count that he was told of; and what was taken to the
// safe was taken once.
func (r remains) tillsAsTold() error {
	byID, drops := map[string]fees.Shift{}, map[string]fees.Drop{}
	for _, s := range r.shifts {
		byID[s.ID] = s
		if s.Closing || s.State == fees.ShiftClosing || s.Active != (s.State == fees.ShiftOpen) {
			return fmt.Errorf("till %s is %s, closing %v, active %v", s.ID, s.State, s.Closing, s.Active)
		}
		for _, d := range s.Drops {
			if _, twice := drops[d.ID]; twice {
				return fmt.Errorf("the drop %s was made twice", d.ID)
			}
			drops[d.ID] = d
		}
	}
	for id, told := range r.school.tills {
		switch s, there := byID[id]; {
		case !there || s.Float != told.Float || s.Cashier != told.Cashier:
			return fmt.Errorf("till %s of %s was told of, and is %+v", id, told.Cashier, s)
		case told.State == fees.ShiftClosed && closedAs(s) != closedAs(told):
			return fmt.Errorf("till %s was told to be %s, and is %s", id, closedAs(told), closedAs(s))
		}
	}
	for id, told := range r.school.dropped {
		if drops[id].Amount != told.Amount {
			return fmt.Errorf("%d was told to be in the safe, and it is %d", told.Amount, drops[id].Amount)
		}
	}
	return nil
}
