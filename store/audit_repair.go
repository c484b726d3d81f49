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
// from bills and ledger rows: it attaches the numbers, counts the bills and bills
// the opening balances that are on their way, sets counters to the rows that
// there are where these are 1, 2, 3 … n (a restore may have left a counter ahead
// of them or behind), and recounts accounts that differ. Bills and rows
// themselves are never touched. Everything else is left, and reported as Audit
// does: what cannot be read, a row that was changed before it had its number,
// and an account that counts more than there is, which may be the last trace of
// what was removed.
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
	all, unread := s.auditInstitutes(ctx, institute, &fees.AuditReport{})
	if fees.CodeOf(unread) == fees.NotFound {
		return report, unread
	}
	// Before anything is written by following wrong indexes.
	if report.Findings, err = s.auditEngine(ctx, institute); err != nil || len(report.Findings) > 0 {
		return report, err
	}
	if unread != nil {
		return report, unread
	}
	numbers := newNumberer(s)
	each := func(step func(r repairer) error) error {
		for _, inst := range all {
			if !inst.readable {
				continue
			}
			if err := step(repairer{s: s, inst: inst.Institute, by: by, numbers: numbers, report: &report}); err != nil {
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
	s    *Store
	inst fees.Institute
	by   fees.Actor
	// numbers is the repair's own, beside that of a server it may run in: it
	// tells what the repair attached.
	numbers *numberer
	report  *fees.RepairReport
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
		if docdb.IsDuplicate(err) { // an earlier attempt did it
			return nil
		}
		if !errors.Is(err, docdb.ErrUnknownOutcome) || attempt == writeAttempts {
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

// sweep finishes what is on its way.
func (r *repairer) sweep(ctx context.Context) error {
	for _, left := range []struct {
		mark, one string
		sweep     func() (int64, error)
		text      string
	}{
		{"awaiting", "row", func() (int64, error) {
			before := r.numbers.gave.Load()
			err := r.s.sweepRows(ctx, r.inst.Code, r.numbers)
			return r.numbers.gave.Load() - before, err
		}, "numbered %s: recorded, and without a number until now"},
		{"uncounted", "bill", func() (int64, error) { return r.s.sweepBills(ctx, r.inst.Code) },
			"counted %s: written, and in no account until now"},
		{"bouncing", "bounced cheque", func() (int64, error) { return r.s.sweepBounces(ctx, r.inst.Code) },
			"took back the receipts of %s: entered, and not finished until now"},
		{"active", "refund", func() (int64, error) { return r.s.sweepRefunds(ctx, r.inst) },
			"paid out %s: approved, and without a voucher until now"},
		{"opening", "opening balance", func() (int64, error) { return r.s.sweepOpenings(ctx, r.inst) },
			"billed %s: written with the student, and no bill until now"},
	} {
		n, failed := left.sweep()
		if n > 0 {
			if err := r.did(ctx, left.mark, "", left.text, several(n, left.one)); err != nil {
				return err
			}
		}
		if failed != nil && cannotGoOn(failed) {
			return failed
		}
	}
	return nil
}

// cannotGoOn says that the store cannot be reached, rather than that something
// in it is not as it must be, which the audit tells.
func cannotGoOn(err error) bool {
	return errors.Is(err, docdb.ErrUnavailable) || errors.Is(err, docdb.ErrUnknownOutcome) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
