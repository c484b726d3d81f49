package store

import (
	"context"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/fees"
)

// unsoundAccounts replaces the accounts that no recount could write to.
func (r *repairer) unsoundAccounts(ctx context.Context) error {
	a := r.auditor()
	for raw, err := range r.s.pagesByKey(ctx, accounts, fees.Key(r.inst.Code, "")) {
		if err != nil {
			return err
		}
		if _, why := a.readAccount(raw); why == "" {
			continue
		}
		id := textOf(raw, "_id")
		books, err := a.readAgain(ctx, fees.After(id))
		if err != nil {
			return err
		}
		if !books.readable() || fees.After(id) == "" {
			continue
		}
		// What it says is known again from bills and rows.
		if _, err := r.s.DB.DeleteOne(ctx, accounts, bson.D{{Key: "_id", Value: id}}); err != nil {
			return err
		}
		if err := r.s.recount(ctx, r.inst.Code, []string{fees.After(id)}); err != nil {
			return err
		}
		if err := r.did(ctx, "account", id, "replaced the account of %s, which could not be used", fees.After(id)); err != nil {
			return err
		}
	}
	return nil
}

func (r *repairer) auditor() *auditor { return newAuditor(r.s, r.inst, &fees.AuditReport{}) }

// readable says whether all of a student's bills and rows can be read.
func (p person) readable() bool {
	return p.there.Bills == int64(len(p.billed)) && p.there.Rows == int64(len(p.rows))
}

// accountsThatDiffer recounts the accounts that the audit found to differ.
func (r *repairer) accountsThatDiffer(ctx context.Context) error {
	a := r.auditor()
	var differ []string
	for _, f := range r.report.Findings {
		if f.What != "account" || f.Institute != r.inst.Code {
			continue
		}
		books, err := a.readAgain(ctx, fees.After(f.ID))
		if err != nil {
			return err
		}
		if books.readable() && !books.unsound && fees.After(f.ID) != "" {
			differ = append(differ, fees.After(f.ID))
		}
	}
	for batch := range slices.Chunk(differ, batchSize) {
		before, err := r.s.accounts(ctx, r.inst.Code, batch)
		if err != nil {
			return err
		}
		recount := func(some []string) error { return r.s.recount(ctx, r.inst.Code, some) }
		if err := inBatch(batch, recount); err != nil && cannotGoOn(err) {
			return err
		} else if err != nil {
			r.s.Log.ErrorContext(ctx, "left by the repair", "institute", r.inst.Code, "why", err)
		}
		after, err := r.s.accounts(ctx, r.inst.Code, batch)
		if err != nil {
			return err
		}
		for _, student := range batch {
			if after[student].Version == 0 || before[student].Version != 0 && sameSums(before[student], after[student]) {
				continue // it could not be counted, or differs from what cannot be
			}
			id, now := fees.Key(r.inst.Code, student), a.saying(after[student])
			text := "made the account of " + student + ": " + now
			if before[student].Version != 0 {
				text = "recounted the account of " + student + ": it said " + a.saying(before[student]) + ", and says " + now
			}
			if err := r.did(ctx, "account", id, "%s", text); err != nil {
				return err
			}
		}
	}
	return nil
}
