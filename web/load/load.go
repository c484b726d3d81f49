// Package load plays the cashiers of a busy morning at a running server, over
// HTTP as browsers do, and measures how long they wait.
package load

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Login is how a cashier gets in.
type Login struct{ Login, Password string }

// Plan is a morning.
type Plan struct {
	URL      string   // the server's origin, such as http://127.0.0.1:8080
	Cashiers []Login  // each works by itself, without a pause
	Students []string // admission numbers; each cashier has a part of them, at least one
	Seed     int      // which of them come, and in which order
	Now      func() time.Time
	NewID    func() string // ULIDs
}

// The steps of which a Report tells.
const (
	Flow    = "flow" // all of the next four
	Search  = "search"
	Dues    = "dues"
	Payment = "payment"
	Receipt = "receipt"
)

// Crew is the cashiers, logged in.
type Crew struct {
	cashiers []*cashier
	now      func() time.Time
}

// LogIn logs every cashier in.
func LogIn(ctx context.Context, p Plan) (*Crew, error) {
	if len(p.Students) < len(p.Cashiers) {
		return nil, fmt.Errorf("%d cashiers cannot share %d students", len(p.Cashiers), len(p.Students))
	}
	crew := &Crew{now: p.Now}
	for i, login := range p.Cashiers {
		// Two who serve one student at once would wait for each other.
		c := newCashier(p, i)
		if err := c.logIn(ctx, login); err != nil {
			return nil, fmt.Errorf("log in as %s: %w", login.Login, err)
		}
		crew.cashiers = append(crew.cashiers, c)
	}
	return crew, nil
}

// Close ends the cashiers' connections.
func (c *Crew) Close() {
	for _, one := range c.cashiers {
		one.http.CloseIdleConnections()
	}
}

// Flows has every cashier serve one payer after the other for a time: type in
// the search box, open the student, record a payment, look at the receipt.
func (c *Crew) Flows(ctx context.Context, span time.Duration) Report {
	return c.work(ctx, span, (*cashier).flow, Flow, Search, Dues, Payment, Receipt)
}

// Payments has every cashier post payments for a time, and nothing else.
func (c *Crew) Payments(ctx context.Context, span time.Duration) Report {
	return c.work(ctx, span, (*cashier).pay, Payment)
}

// work has them all do it again and again until the time is over. What is
// begun by then is finished and counts.
func (c *Crew) work(ctx context.Context, span time.Duration, do func(*cashier, context.Context, *tally) error, steps ...string) Report {
	begin := c.now()
	tallies := make([]*tally, len(c.cashiers))
	var all sync.WaitGroup
	for i, one := range c.cashiers {
		t := newTally(c.now)
		tallies[i] = t
		all.Go(func() {
			for ctx.Err() == nil && c.now().Sub(begin) < span {
				if err := do(one, ctx, t); err != nil && !errors.Is(err, context.Canceled) {
					t.failed = append(t.failed, err)
				}
			}
		})
	}
	all.Wait()
	return reportOf(tallies, c.now().Sub(begin), steps)
}
