package store

import (
	"fmt"
	"time"

	"raseed/store/fees"
)

// serve collects as a counter's page does: it takes the student, renews the
// hold while the payer looks for his money, now and then for longer than it
// lasts, and gives the student back. Who finds somebody else there goes on to the
// next.
func (a *actor) serve() {
	by := a.teller()
	for range 2 + a.rng.IntN(2) {
		if !a.think() {
			return
		}
		o := a.newForm()
		o.By = by
		token := o.ID
		h, err := a.p.s.TakeHold(a.ctx, a.school.code(), o.Student, by, token, "")
		a.holds(h, token, err)
		for range a.rng.IntN(3) {
			if a.rng.IntN(3) == 0 {
				time.Sleep(fees.HoldTime - time.Second + time.Duration(a.rng.IntN(3000))*time.Millisecond)
			}
			h, err = a.p.s.RenewHold(a.ctx, a.school.code(), o.Student, by, token)
			a.holds(h, token, err)
		}
		h, held, err := a.p.s.LiveHold(a.ctx, a.school.code(), o.Student)
		if err == nil && (!held || h.Holder == by.Login) {
			a.pay(o)
		}
		if a.rng.IntN(3) > 0 && !a.p.dead { // and else it runs out
			a.school.mu.Lock()
			a.school.given[token] = true
			a.school.mu.Unlock()
			_ = a.p.s.ReleaseHold(a.ctx, a.school.code(), o.Student, token)
		}
	}
}

// teller is the person that the role's name says, after the process and school.
func (a *actor) teller() fees.Actor {
	var process, login string
	_, _ = fmt.Sscan(a.ctx.Value(actorKey{}).(string), &process, &login)
	return fees.Actor{Login: login, Name: login, Role: fees.RoleCashier}
}

// holds notes that somebody was told to have a student.
func (a *actor) holds(h fees.Hold, token string, err error) {
	if err != nil || a.p.dead {
		return
	}
	a.school.mu.Lock()
	defer a.school.mu.Unlock()
	a.school.held[token] = h
}

// had: who was told to have a student had him.
func (w *world) had(s *school) error {
	for token, h := range s.held {
		if !w.watch.tokens[token] {
			return fmt.Errorf("%s was told to have %s, and never had", h.Holder, h.ID)
		}
	}
	return nil
}
