package store

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"raseed/store/fees"
)

// collect takes money: it retries what was not confirmed, and now and then
// posts a form that was posted before, by itself or by another process, or that
// form with something else in it.
func (a *actor) collect() {
	for range 1 + a.rng.IntN(3) {
		if !a.think() {
			return
		}
		a.pay(a.form())
	}
}

// form is what a cashier posts next.
func (a *actor) form() fees.PaymentOrder {
	o, there := a.school.someForm(a.rng)
	switch {
	case !there || a.rng.IntN(3) > 0:
		return a.newForm()
	case a.rng.IntN(4) == 0:
		o.Tenders = []fees.Tender{{Mode: fees.ModeCash, Amount: o.Tenders[0].Amount + 1}}
	}
	return o
}

func (a *actor) newForm() fees.PaymentOrder {
	id := a.p.s.NewID()
	o := fees.PaymentOrder{
		ID: id, Student: a.school.someStudent(a.rng), Remark: "form " + id,
		Tenders: []fees.Tender{{Mode: fees.ModeCash, Amount: fees.Amount(100 + a.rng.IntN(90_000))}},
		Shift:   a.till(),
		By:      tillKeeper,
	}
	// By cash, by cash and a cheque, by a cheque, or by two.
	ways := a.rng.IntN(6)
	if ways == 0 {
		o.Tenders = nil
	}
	for range min(max(0, 3-ways), 1+ways%2) {
		o.Tenders = append(o.Tenders, chequeTender(fmt.Sprint(a.rng.IntN(1_000_000)), fees.Amount(100+a.rng.IntN(40_000)), ""))
	}
	return o
}

// pay posts the form until it is answered. It gives up after a few times.
func (a *actor) pay(o fees.PaymentOrder) (confirmed bool) {
	record := func() (fees.Row, error) { return a.p.s.RecordPayment(a.ctx, a.school.code(), o) }
	if broken := a.w.broken.record; broken != nil {
		record = func() (fees.Row, error) { return broken(a, &o) }
	}
	a.school.posts(o)
	for range 4 {
		row, err := record()
		if a.p.dead {
			a.school.doubt(o.ID)
			return false
		}
		a.school.hears(o.ID, row, err)
		if err == nil || !a.another(&o, err) {
			return err == nil
		}
		time.Sleep(time.Duration(a.rng.IntN(3000)) * time.Millisecond) // and presses again
		a.think()
	}
	return false
}

// another says whether a person presses again after this answer, and makes of
// the form what the page then has in it.
func (a *actor) another(o *fees.PaymentOrder, err error) bool {
	var why *fees.Error
	switch {
	case !errors.As(err, &why):
	case why.Fields["shift"] != "":
		o.Shift = a.till()
	case len(why.Asked) > 0:
		o.RefsAgain = why.Asked
	default:
		return why.Code != fees.Conflict
	}
	return true
}

// reverse takes payments back, each more than once.
func (a *actor) reverse() {
	for range 2 {
		if !a.think() {
			return
		}
		if id, there := a.school.somePayment(a.rng); there {
			a.takeBack(id)
			a.takeBack(id)
		}
	}
}

func (a *actor) takeBack(id string) (confirmed bool) {
	o := fees.ReversalOrder{ID: id, Reason: "wrong entry", By: fees.Actor{Login: "ravi"}}
	if a.rng.IntN(2) == 0 {
		o.Charge = 100
	}
	if a.rng.IntN(3) == 0 {
		o.By = tillKeeper
	}
	reverse := (*Store).ReversePayment
	if a.w.broken.reverse != nil {
		reverse = a.w.broken.reverse
	}
	row, err := reverse(a.p.s, a.ctx, a.school.code(), o)
	if err == nil && !a.p.dead {
		a.school.hears(fees.After(row.ID), row, nil)
	}
	return err == nil
}

// bill bills the term, again where that was not confirmed, and now and then
// re-prices it.
func (a *actor) bill() { a.run(a.rng.IntN(2) == 0) }

// reprice brings the term's bills to what the plan says.
func (a *actor) reprice() { a.run(true) }

func (a *actor) run(reprice bool) {
	a.think()
	o := fees.RunOrder{ID: a.p.s.NewID(), Period: simPeriod, Reprice: reprice, By: fees.Actor{Login: "meera"}}
	for range 3 {
		run, err := a.p.s.StartRun(a.ctx, a.school.code(), o)
		if err == nil {
			_, err = a.p.s.ExecuteRun(a.ctx, a.school.code(), fees.After(run.ID))
		}
		if err == nil || !a.think() {
			return
		}
	}
}

// twice has an actor do something again, as people do who are not sure.
func twice(do func(*actor)) func(*actor) {
	return func(a *actor) {
		do(a)
		if a.think() {
			do(a)
		}
	}
}

// resume goes on with the runs that were left, as a process does when it
// starts.
func (a *actor) resume() {
	left, _ := a.p.s.leftRuns(a.ctx, a.school.code())
	for _, run := range left {
		_, _ = a.p.s.ExecuteRun(a.ctx, a.school.code(), fees.After(run.ID))
	}
}

// sweep finishes what was left, as every process does every few seconds.
func (a *actor) sweep() { _ = a.p.s.sweep(a.ctx, a.school.inst) }

// takeOver imports the list of students with their opening balances.
func (a *actor) takeOver() {
	_, _ = a.p.s.ImportStudents(a.ctx, a.school.code(), strings.NewReader(a.school.list()), false, planner)
}

// repair mends what is derived, of which there is nothing to mend but what is
// on its way.
func (a *actor) repair() { _, _ = a.p.s.Repair(a.ctx, a.school.code(), fees.Actor{Login: "meera"}) }

// audit checks the ledger while all of this goes on: there is nothing to be
// found.
func (a *actor) audit() {
	report, err := a.p.s.Audit(a.ctx, a.school.code())
	a.think()
	if err == nil && len(report.Findings) > 0 && a.w.audited == nil {
		f := report.Findings[0]
		a.w.audited = fmt.Errorf("%s %s: %s", f.What, f.ID, f.Text)
	}
}

// inspect looks at the documents as they are, at a few moments. It uses no
// process, and nothing of the store.
func (a *actor) inspect() {
	for range 2 {
		time.Sleep(time.Duration(a.rng.IntN(3000)) * time.Millisecond)
		a.think()
		a.w.on.outside(func() {
			if err := a.w.inspect(a.school); err != nil && a.w.seen == nil {
				a.w.seen = err
			}
		})
	}
}
