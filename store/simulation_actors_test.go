package store

import (
	"context"
	"fmt"
	"math/rand/v2"

	"raseed/store/fees"
)

// start starts an actor.
func (w *world) start(p *proc, name string, script func(ctx context.Context, rng *rand.Rand, s *Store)) {
	rng := rand.New(rand.NewPCG(w.rng.Uint64(), 1))
	ctx := context.WithValue(context.Background(), actorKey{}, p.name+"/"+name)
	go script(ctx, rng, p.s)
}

// cashier collects, retries what was not confirmed, and now and then posts a
// form twice, or one that another cashier has posted.
func (w *world) cashier(ctx context.Context, rng *rand.Rand, s *Store) {
	for range 1 + rng.IntN(3) {
		w.mu.Lock()
		var o fees.PaymentOrder
		if len(w.orders) > 0 && rng.IntN(4) == 0 {
			o = w.orders[rng.IntN(len(w.orders))]
		} else {
			o = fees.PaymentOrder{
				Student: fmt.Sprint(1 + rng.IntN(3)),
				Tenders: []fees.Tender{{Mode: fees.ModeCash, Amount: fees.Amount(100 + rng.IntN(90_000))}},
				By:      fees.Actor{Login: "asha", Name: "Asha", Role: fees.RoleCashier},
			}
		}
		w.mu.Unlock()
		if o.ID == "" {
			o.ID = s.NewID()
			w.mu.Lock()
			w.orders = append(w.orders, o)
			w.mu.Unlock()
		}
		for range 4 {
			row, err := s.RecordPayment(ctx, w.inst.Code, o)
			if err == nil {
				w.ack(row)
				break
			}
		}
	}
}

// reverser takes payments back, each more than once.
func (w *world) reverser(ctx context.Context, rng *rand.Rand, s *Store) {
	for range 2 {
		w.mu.Lock()
		var id string
		if len(w.orders) > 0 {
			id = w.orders[rng.IntN(len(w.orders))].ID
		}
		w.mu.Unlock()
		if id == "" {
			_, _ = s.Institute(ctx, w.inst.Code) // let somebody pay first
			continue
		}
		for range 2 {
			if row, err := s.ReversePayment(ctx, w.inst.Code, fees.ReversalOrder{ID: id, Reason: "wrong entry", Charge: 100, By: fees.Actor{Login: "ravi"}}); err == nil {
				w.ack(row)
			}
		}
	}
}

func (w *world) sweeper(ctx context.Context, _ *rand.Rand, s *Store) {
	_ = s.sweepInstitute(ctx, w.inst.Code)
}

func (w *world) biller(ctx context.Context, rng *rand.Rand, s *Store) {
	o := fees.RunOrder{ID: s.NewID(), Period: "2026-27/T1", By: fees.Actor{Login: "meera"}}
	for range 2 {
		if run, err := s.StartRun(ctx, w.inst.Code, o); err == nil {
			_, _ = s.ExecuteRun(ctx, w.inst.Code, fees.After(run.ID))
		}
	}
}

// ack notes what a person was told.
func (w *world) ack(row fees.Row) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if before, ok := w.acked[row.ID]; !ok || before.Number == 0 {
		w.acked[row.ID] = row
	}
}
