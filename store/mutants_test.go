package store

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/fees"
)

// mutant is a way to break the ledger. It takes the place of a part of each
// simulated process; the zero mutant breaks nothing.
type mutant struct {
	name   string
	store  func(s *Store)                                         // changes a process as it starts
	update func(coll string, update bson.D) bson.D                // changes what is written
	filter func(coll string, filter bson.D) bson.D                // changes what a write is conditional on
	insert func(p *proc, coll string, doc any) any                // changes what is inserted
	record func(a *actor, o *fees.PaymentOrder) (fees.Row, error) // instead of Store.RecordPayment
	// reverse is instead of Store.ReversePayment.
	reverse func(s *Store, ctx context.Context, institute string, o fees.ReversalOrder) (fees.Row, error)
	// close is instead of Store.CloseShift.
	close func(s *Store, ctx context.Context, institute string, o fees.CloseOrder) (fees.Shift, error)
}

// altered is a write as the mutant makes it.
func (m mutant) altered(coll string, filter, update bson.D) (bson.D, bson.D) {
	if m.update != nil {
		update = m.update(coll, update)
	}
	if m.filter != nil {
		filter = m.filter(coll, filter)
	}
	return filter, update
}

func mutants() []mutant {
	return []mutant{
		{name: "numbering: the row is read before the counter", store: func(s *Store) { s.numbers.batch = s.numbers.mutantRowFirst }},
		{name: "numbering: the counter is not settled", store: func(s *Store) { s.numbers.batch = s.numbers.mutantSkipSettle }},
		{name: "numbering: a plain $inc", store: func(s *Store) { s.numbers.batch = s.numbers.mutantPlainInc }},
		{name: "numbering: count()+1", store: func(s *Store) { s.numbers.batch = s.numbers.mutantCount }},
		{name: "accounts: no compare-and-set", store: func(s *Store) { s.recounts.serve = s.mutantBlindRecount }},
		{name: "accounts: the sums are read before the version", store: func(s *Store) { s.recounts.serve = s.mutantSumsFirst }},
		{name: "accounts: the number comes before the recount", store: func(s *Store) { s.recounts.serve = s.mutantNumberFirst }},
		{name: "accounts: a bill is not marked as uncounted", update: mutantUnmarkedBill},
		{name: "bills: a change is no compare-and-set", filter: mutantBlindRevision},
		{name: "identity: an adjustment's id is its process's own", insert: mutantOwnAdjustment, store: mutantNumberOwn},
		{name: "opening balances: a student is not marked", update: mutantUnmarkedOpening},
		{name: "identity: a reversal's id is minted", reverse: (*Store).mutantMintedReversal},
		{name: "identity: not confirmed is taken for not recorded", record: mutantNewForm},
		{name: "holds: one is taken that has not run out", filter: without(holds, "$or")},
		{name: "holds: whoever leaves gives it back", filter: without(holds, "token", "holder")},
		{name: "tills: one is summed and closed in one step", close: mutantCloseAtOnce},
		{name: "tills: what comes late is not noted", update: without(shifts, "late")},
		{name: "tills: a change is no compare-and-set", filter: without(shifts, "version", "active")},
		{name: "cheques: a step is no compare-and-set", filter: without(cheques, "state", "version")},
		{name: "cheques: a bounce is not marked", update: without(cheques, "bouncing")},
		ownIDs(mutant{name: "cheques: what is entered again has an id of its process"}, func(row *fees.Row) bool {
			return row.Kind == fees.KindPayment && strings.HasPrefix(row.Remark, reentered)
		}),
		{name: "refunds: an approval is not marked", update: without(refunds, "active")},
		{name: "refunds: a decision is no compare-and-set", filter: without(refunds, "state", "version")},
		ownIDs(mutant{name: "refunds: a row's id is its process's own"}, func(row *fees.Row) bool { return row.Kind == fees.KindRefund }),
		{name: "families: a payment is not marked", insert: mutantUnmarkedFamily},
		ownIDs(mutant{name: "families: a row's id is its process's own"}, func(row *fees.Row) bool { return row.Kind == fees.KindPayment && row.Family != "" }),
	}
}

// The simulation is itself tested: each way of breaking the ledger must be
// caught within a thousand seeds, by what the documents say and without the
// audit.
func TestSimulationCatchesMutants(t *testing.T) {
	oneThing(t)
	all := mutants()
	caught := make([]string, len(all)) // a line of the table each
	t.Run("mutants", func(t *testing.T) {
		for i, m := range all {
			t.Run(m.name, func(t *testing.T) {
				t.Parallel()
				on := openEngine(t)
				for seed := uint64(1); seed <= 1000; seed++ {
					w := newWorldOf(t, on, seed, m)
					w.live(t)
					if wrong := w.promise(); wrong != nil {
						caught[i] = fmt.Sprintf("%-56s seed %3d  %v", m.name, seed, wrong)
						return
					}
				}
				t.Error("a thousand seeds did not catch it: the simulation proves nothing about this")
			})
		}
	})
	t.Log("mutant, the seed that caught it, what was found\n" + strings.Join(caught, "\n"))
}
