package store

import (
	"context"
	"errors"
	"fmt"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// Repair puts right, for one institute or with "" for all, what can be derived
// from bills and ledger rows: it attaches the numbers and counts the bills that
// are on their way, sets counters to the rows that there are where these are
// 1, 2, 3 … n (a restore may have left a counter ahead of them or behind), and
// recounts accounts that differ. Bills and rows themselves are never touched.
// Everything else is left, and reported as Audit does.
//
// It may run beside servers, and run again: then it finds nothing to do. A
// store whose own files are damaged is not repaired. Everything done is kept on
// record, with who had it done, and told by each later audit.
func (s *Store) Repair(ctx context.Context, institute string, by fees.Actor) (fees.RepairReport, error) {
	report, err := s.repair(ctx, institute, by)
	if err != nil {
		return report, begun("repair", err)
	}
	return report, nil
}

func (s *Store) repair(ctx context.Context, institute string, by fees.Actor) (report fees.RepairReport, err error) {
	all := []fees.Institute{{}}
	if institute == "" {
		if report.Findings, err = s.auditEngine(ctx); err != nil || len(report.Findings) > 0 {
			return report, err
		}
		all, err = s.Institutes(ctx)
	} else {
		all[0], err = s.Institute(ctx, institute)
	}
	if err != nil {
		return report, err
	}
	each := func(step func(r repairer) error) error {
		for _, inst := range all {
			if err := step(repairer{s: s, inst: inst, by: by, report: &report}); err != nil {
				return fmt.Errorf("%s: %w", inst.Code, err)
			}
		}
		return nil
	}
	if err := each(func(r repairer) error { return r.beforeAudit(ctx) }); err != nil {
		return report, err
	}
	if report.AuditReport, err = s.Audit(ctx, institute); err != nil {
		return report, err
	}
	done := len(report.Repaired)
	if err := each(func(r repairer) error { return r.accountsThatDiffer(ctx) }); err != nil {
		return report, err
	}
	if len(report.Repaired) > done {
		report.AuditReport, err = s.Audit(ctx, institute)
	}
	return report, err
}

// repairer repairs one institute.
type repairer struct {
	s      *Store
	inst   fees.Institute
	by     fees.Actor
	report *fees.RepairReport
}

// did reports what was done and keeps it on record.
func (r *repairer) did(ctx context.Context, what, id, format string, args ...any) error {
	text := sentence(format, args...)
	r.report.Repaired = append(r.report.Repaired, fees.Finding{Institute: r.inst.Code, What: what, ID: id, Text: text})
	r.s.Log.WarnContext(ctx, "repaired", "institute", r.inst.Code, "what", what, "id", id, "by", r.by.Login, "from", r.by.From)
	record := fees.Repair{
		ID: fees.Key(r.inst.Code, r.s.NewID()), Institute: r.inst.Code, At: r.s.instant(),
		By: r.by.Login, From: r.by.From, What: what, Doc: id, Text: text,
	}
	for attempt := 1; ; attempt++ {
		err := r.s.DB.InsertOne(ctx, repairs, record)
		if err == nil || docdb.IsDuplicate(err) || !errors.Is(err, docdb.ErrUnknownOutcome) || attempt == writeAttempts {
			if docdb.IsDuplicate(err) { // an earlier attempt did it
				return nil
			}
			return err
		}
	}
}

// repairsOn are the institute's repairs on record, newest first.
func (s *Store) repairsOn(ctx context.Context, institute string) ([]fees.Repair, error) {
	return docdb.All[fees.Repair](s.DB.Find(ctx, repairs, bson.D{under(fees.Key(institute, ""))},
		docdb.Find{Sort: []docdb.Key{{Path: "_id", Desc: true}}, Limit: 100}))
}

// beforeAudit repairs what stands in the way of the next payment. Accounts
// first, which a row is counted in before it is numbered, and the counters
// before the rows that want a number of them.
func (r *repairer) beforeAudit(ctx context.Context) error {
	for _, step := range []func(context.Context) error{r.unsoundAccounts, r.counters, r.sweep} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// sweep finishes the rows that await their number and the bills that are not
// counted yet.
func (r *repairer) sweep(ctx context.Context) error {
	ofInstitute := bson.E{Key: "institute", Value: r.inst.Code}
	for _, left := range []struct {
		coll, mark, one string
		sweep           func(context.Context, string) error
		text            string
	}{
		{payments, "awaiting", "row", r.s.sweepRows, "numbered %s: recorded, and without a number until now"},
		{bills, "uncounted", "bill", r.s.sweepBills, "counted %s: written, and in no account until now"},
	} {
		marked := bson.D{ofInstitute, {Key: left.mark, Value: true}}
		before, err := r.s.DB.Count(ctx, left.coll, marked, 0)
		if err != nil {
			return err
		}
		if before == 0 {
			continue
		}
		failed := left.sweep(ctx, r.inst.Code)
		if failed != nil && cannotGoOn(failed) {
			return failed
		}
		after, err := r.s.DB.Count(ctx, left.coll, marked, 0)
		if err != nil {
			return err
		}
		if after < before {
			if err := r.did(ctx, left.mark, "", left.text, several(before-after, left.one)); err != nil {
				return err
			}
		}
	}
	return nil
}

// cannotGoOn says that the store cannot be reached, rather than that something
// in it is not as it must be, which the audit tells.
func cannotGoOn(err error) bool {
	return errors.Is(err, docdb.ErrUnavailable) || errors.Is(err, docdb.ErrUnknownOutcome) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
