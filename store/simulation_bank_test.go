package store

import (
	"raseed/store/fees"
)

// someCheque is a cheque that the actor sees.
func (a *actor) someCheque(student string, of func(fees.Cheque) bool) (fees.Cheque, bool) {
	all, err := a.p.s.StudentCheques(a.ctx, a.school.code(), student)
	if err != nil {
		return fees.Cheque{}, false
	}
	var some []fees.Cheque
	for _, c := range all {
		if of(c) {
			some = append(some, c)
		}
	}
	if len(some) == 0 {
		return fees.Cheque{}, false
	}
	return some[a.rng.IntN(len(some))], true
}

// bank takes cheques to the bank, where some clear and some bounce, and some are
// said to have done both; each is entered more than once.
func (a *actor) bank() {
	for range 3 {
		if !a.think() {
			return
		}
		c, there := a.someCheque(a.school.someStudent(a.rng), func(c fees.Cheque) bool {
			return a.rng.IntN(4) == 0 || c.State == fees.ChequeReceived || c.State == fees.ChequeDeposited
		})
		if !there {
			continue
		}
		slip := a.p.s.NewID()
		for range 1 + a.rng.IntN(2) {
			_, err := a.p.s.DepositCheques(a.ctx, a.school.code(), fees.DepositOrder{ID: slip, Cheques: []string{c.ShortID()}, Account: "SBI", By: accountant})
			a.hearsCheque(c.ID, fees.ChequeDeposited, err)
			a.think()
		}
		clears := a.rng.IntN(3) == 0
		a.school.note(func() { a.school.atBank = append(a.school.atBank, fees.After(c.Row)) })
		for range 2 {
			if clears {
				_, err := a.p.s.ClearCheques(a.ctx, a.school.code(), fees.ClearOrder{Cheques: []string{c.ShortID()}, By: accountant})
				a.hearsCheque(c.ID, fees.ChequeCleared, err)
			} else {
				o := fees.BounceOrder{Cheque: c.ShortID(), Reason: "no funds", Charge: fees.Amount(100 * a.rng.IntN(2)), By: accountant}
				_, err := a.p.s.BounceCheque(a.ctx, a.school.code(), o)
				a.hearsCheque(c.ID, fees.ChequeBounced, err)
			}
			a.think()
			clears = clears != (a.rng.IntN(4) == 0) // the other says otherwise
		}
		if !clears && a.rng.IntN(3) == 0 { // the payer brings it once more
			o := a.newForm()
			o.Student, o.Tenders = c.Student, []fees.Tender{chequeTender(c.Number, c.Amount, "")}
			a.pay(o)
		}
	}
}

func (a *actor) hearsCheque(id string, state fees.ChequeState, err error) {
	if err == nil && !a.p.dead {
		a.school.note(func() { a.school.banked[toldCheque{id, state}] = true })
	}
}

// toldCheque is that a person was told that a cheque had come into a state.
type toldCheque struct {
	id    string
	state fees.ChequeState
}

// refund gives back advances and what was paid for the trip: each is asked for
// more than once, and then approved, refused, or its payment taken back, by
// whoever sees it first.
func (a *actor) refund() {
	if a.rng.IntN(2) == 0 {
		a.charge()
	}
	for range 3 {
		if !a.think() {
			return
		}
		a.askRefund()
		for range 3 {
			if o, there := a.school.someRefund(a.rng); there {
				a.answerRefund(o)
			}
			a.think()
		}
	}
}

func (a *actor) askRefund() {
	o := fees.RefundOrder{ID: a.p.s.NewID(), Student: a.school.someStudent(a.rng), Mode: fees.ModeCash, Reason: "left", By: asker}
	if a.rng.IntN(2) == 0 { // of a payment that pays for everything
		paid := a.newForm()
		paid.Tenders = []fees.Tender{{Mode: fees.ModeCash, Amount: 150_000}}
		if !a.pay(paid) {
			return
		}
		o.Student, o.Payment = paid.Student, paid.ID
	}
	offer, err := a.p.s.RefundOffer(a.ctx, a.school.code(), o.Student, o.Payment)
	if err != nil || len(offer.Lines) == 0 {
		return
	}
	line := offer.Lines[0]
	// Now and then more than there is.
	o.Parts = []fees.RefundPart{{Head: line.Head, Amount: 1 + fees.Amount(a.rng.IntN(int(line.Amount+line.Amount/4)))}}
	for range 2 {
		if _, err := a.p.s.AskRefund(a.ctx, a.school.code(), o); err == nil {
			a.school.note(func() { a.school.asked = append(a.school.asked, o) })
		}
		a.think()
	}
}

func (a *actor) answerRefund(o fees.RefundOrder) {
	switch a.rng.IntN(5) {
	case 0:
		a.decide(fees.RefundDecision{ID: o.ID, Why: "not now", By: accountant})
	case 1:
		if o.Payment != "" {
			a.takeBack(o.Payment)
		}
	default:
		a.decide(fees.RefundDecision{ID: o.ID, Approve: true, By: accountant})
	}
}

func (a *actor) decide(d fees.RefundDecision) {
	r, err := a.p.s.DecideRefund(a.ctx, a.school.code(), d)
	if err == nil && !a.p.dead {
		a.school.note(func() { a.school.decided[toldRefund{r.ID, r.State}] = true })
	}
}

// toldRefund is that a person was told what was decided on a refund.
type toldRefund struct {
	id    string
	state fees.RefundState
}
