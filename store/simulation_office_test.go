package store

import (
	"slices"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// office does again, when nothing goes wrong any more, what was not confirmed.
func (a *actor) office() {
	a.resume()
	a.reprice()
	a.assess()
}

// replan changes what the term costs, for the better and for the worse.
func (a *actor) replan() {
	for _, amount := range []fees.Amount{62_000, 45_500}[:1+a.rng.IntN(2)] {
		a.think()
		_, _ = a.p.s.DB.UpdateOne(a.ctx, plans, one(a.school.code(), fees.Key(a.school.code(), simPeriod, "*", "*", "TUITION")), set("amount", amount), docdb.Update{})
		a.run(a.rng.IntN(3) > 0)
	}
}

// assess charges the late fees of the day.
func (a *actor) assess() {
	a.think()
	_, _ = a.p.s.AssessLateFees(a.ctx, a.school.code(), "")
}

// simCharge is the one charge that a school makes: whoever presses, it is the
// same form.
func simCharge() fees.ChargeOrder {
	return fees.ChargeOrder{
		ID: simID("K", 1), Title: "Trip", Head: "TRIP", Amount: 30_000, DueDate: "2026-04-20", Class: "5", By: fees.Actor{Login: "meera"},
	}
}

// charge charges everybody for a trip, twice.
func (a *actor) charge() {
	for range 2 {
		a.think()
		_, _ = a.p.s.PlaceCharge(a.ctx, a.school.code(), simCharge())
	}
}

// someBill is a bill that the actor sees and that is of the sort.
func (a *actor) someBill(sort func(fees.Bill) bool) (b fees.Bill, there bool) {
	all, err := a.p.s.Bills(a.ctx, a.school.code(), a.school.someStudent(a.rng))
	all = slices.DeleteFunc(all, func(b fees.Bill) bool { return !sort(b) })
	if err != nil || len(all) == 0 {
		return b, false
	}
	return all[a.rng.IntN(len(all))], true
}

// waive takes something off a late fee, and asks for the same again.
func (a *actor) waive() {
	if !a.think() {
		return
	}
	b, there := a.someBill(func(b fees.Bill) bool { return b.IsLateFee() && b.Net > 0 })
	if !there {
		return
	}
	o := fees.WaiverOrder{
		Student: b.Student, Bill: b.Period, Revision: b.Revision, Amount: 1 + fees.Amount(a.rng.IntN(int(b.Net))),
		Reason: "waiver " + a.p.s.NewID(), By: fees.Actor{Login: "ravi"},
	}
	for range 2 {
		waived, err := a.p.s.WaiveLateFee(a.ctx, a.school.code(), o)
		if err == nil && !a.p.dead {
			a.school.mu.Lock()
			a.school.waived[o.Reason] = waived
			a.school.mu.Unlock()
		}
		a.think()
	}
}

// void cancels bills on which nothing was paid, as far as he saw.
func (a *actor) void() {
	if !a.think() {
		return
	}
	b, there := a.someBill(func(b fees.Bill) bool { return b.Uncancellable() == "" })
	if !there {
		return
	}
	_, err := a.p.s.CancelBill(a.ctx, a.school.code(), fees.CancelOrder{Student: b.Student, Bill: b.Period, Reason: "left", By: fees.Actor{Login: "ravi"}})
	if err == nil && !a.p.dead {
		a.school.mu.Lock()
		a.school.voided[b.ID] = true
		a.school.mu.Unlock()
	}
}
