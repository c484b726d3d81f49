package store

import (
	"context"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/fees"
)

// unsoundAccounts replaces the accounts that no recount could write to.
func (r *repairer) unsoundAccounts(ctx context.Context) error {
	a := newAuditor(r.s, r.inst, &fees.AuditReport{})
	for raw, err := range r.s.pagesByKey(ctx, accounts, fees.Key(r.inst.Code, "")) {
		if err != nil {
			return err
		}
		if _, why := a.readAccount(raw); why == "" {
			continue
		}
		// What it says is known again from bills and rows.
		id := textOf(raw, "_id")
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

// accountsThatDiffer recounts the accounts that the audit found to differ.
func (r *repairer) accountsThatDiffer(ctx context.Context) error {
	var differ []string
	for _, f := range r.report.Findings {
		if f.What == "account" && f.Institute == r.inst.Code {
			differ = append(differ, fees.After(f.ID))
		}
	}
	a := newAuditor(r.s, r.inst, &fees.AuditReport{})
	for batch := range slices.Chunk(differ, batchSize) {
		before, err := r.s.accounts(ctx, r.inst.Code, batch)
		if err != nil {
			return err
		}
		if err := r.s.recount(ctx, r.inst.Code, batch); err != nil {
			return err
		}
		after, err := r.s.accounts(ctx, r.inst.Code, batch)
		if err != nil {
			return err
		}
		for _, student := range batch {
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
