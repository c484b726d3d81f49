package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// An audit beside counters that collect, reverse and bill finds nothing.
func TestAuditBesideCounters(t *testing.T) {
	s := openTest(t)
	s.Now = fixedNow
	testSchool(t, s, "P", 6)
	mustImport(t, s, "plan", "P", "fy,period,due_date,class,category,head,amount\n2026-27,2026-27/T2,2026-12-10,*,*,TUITION,500.00\n")
	ctx := context.Background()
	var counters sync.WaitGroup
	for n := range 4 {
		counters.Go(func() {
			for i := range 40 {
				row, err := s.RecordPayment(ctx, "P", cash(s, fmt.Sprint(1+(n+i)%6), 100))
				if err == nil && i%4 == 0 {
					_, err = s.ReversePayment(ctx, "P", fees.ReversalOrder{ID: row.ShortID(), Reason: "wrong entry", Charge: 500, By: fees.Actor{Login: "ravi", Name: "Ravi M"}})
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	counters.Go(func() {
		for i := range 5 {
			no := fmt.Sprintf("N%d", i)
			mustImport(t, s, "students", "P", studentsCSV(no+",New Hand,5,A,general,,,,,active,70.00"))
			mustBill(t, s, "P", "2026-27/T2")
		}
	})
	closed := make(chan struct{})
	go func() { counters.Wait(); close(closed) }()
	audits := 0
	for open := true; open; audits++ {
		select {
		case <-closed:
			open = false // and once more, when all is quiet
		default:
		}
		mustAudit(t, s)
	}
	if audits < 2 {
		t.Errorf("only %d audit ran: the counters closed too early to tell", audits)
	}
	report := mustAudit(t, s)
	if a := report.Accounts[0]; a.Rows != 200 || a.Accounts != 11 || a.Differ != 0 {
		t.Errorf("in the end the audit counts %+v, want 200 rows and 11 accounts", a)
	}
}

// A batch that is attached in part is on its way, and is no finding; once the
// counter says nothing of it, it is one.
func TestAuditMeetsHalfABatch(t *testing.T) {
	b := openBookkeeping(t)
	// Numbers 3 to 5 are of one batch, of which only 5 is attached.
	ids := []string{b.paid[2].ID, b.paid[3].ID, b.paid[4].ID}
	for _, change := range []error{
		b.set(counters, counterOfP, "holders", ids),
		b.set(counters, counterOfP, "baseHash", b.paid[1].Hash),
	} {
		if change != nil {
			t.Fatal(change)
		}
	}
	for _, id := range ids[:2] {
		if err := b.update(payments, id, bson.D{
			{Key: "$unset", Value: bson.D{{Key: "number", Value: ""}, {Key: "numberText", Value: ""}, {Key: "numberedAt", Value: ""}, {Key: "prevHash", Value: ""}, {Key: "hash", Value: ""}}},
			{Key: "$set", Value: bson.D{{Key: "awaiting", Value: true}}},
		}); err != nil {
			t.Fatal(err)
		}
	}
	report := mustAudit(t, b.s)
	if r := report.Series[0]; r.Series != fees.SeriesReceipt || r.Count != 3 || r.Last != 5 || r.MissingN != 0 || r.Awaiting != 2 || !r.ChainOK {
		t.Errorf("half a batch is reported as %+v", r)
	}
	if err := b.set(counters, counterOfP, "holders", ids[2:]); err != nil {
		t.Fatal(err)
	}
	report, err := b.s.Audit(context.Background(), "P")
	if err != nil || report.Series[0].MissingN != 2 || report.Series[0].ChainOK {
		t.Errorf("numbers that are on their way to nobody are reported as %+v (%v)", report.Series[0], err)
	}
	if err := b.set(counters, counterOfP, "holders", ids); err != nil {
		t.Fatal(err)
	}
	later := openOn(t, b.s.DB) // as after a restart
	if err := later.Sweep(context.Background()); err != nil {
		t.Fatal(err)
	}
	if r := mustAudit(t, later).Series[0]; r.Count != 5 || r.Awaiting != 0 {
		t.Errorf("once it is swept the batch is reported as %+v", r)
	}
}

// What is still to be counted is reported and does not count as agreeing.
func TestAuditCountsWhatWaits(t *testing.T) {
	b := openBookkeeping(t)
	all := mustAudit(t, b.s).Accounts[0]
	if err := b.set(bills, "P:900:2026-27/T2", "uncounted", true); err != nil {
		t.Fatal(err)
	}
	if a := mustAudit(t, b.s).Accounts[0]; a.Uncounted != 1 || a.Waiting != 0 || a.Agree() != all.Accounts {
		t.Errorf("a bill whose mark alone is left is reported as %+v", a)
	}
	if err := b.set(accounts, "P:900", "billed", int64(1)); err != nil {
		t.Fatal(err)
	}
	if a := mustAudit(t, b.s).Accounts[0]; a.Uncounted != 1 || a.Waiting != 1 || a.Differ != 0 || a.Agree() != all.Accounts-1 {
		t.Errorf("an account that waits for a bill is reported as %+v", a)
	}
}

// restless is a database in which an account moves on whenever it is read.
type restless struct {
	docdb.DB
	id string
}

func (r restless) FindOne(ctx context.Context, coll string, filter bson.D, o docdb.Find, into any) error {
	if coll == accounts {
		if _, err := r.UpdateOne(ctx, accounts, one("P", r.id), bson.D{{Key: "$inc", Value: bson.D{{Key: "version", Value: int64(1)}}}}, docdb.Update{}); err != nil {
			return err
		}
	}
	return r.DB.FindOne(ctx, coll, filter, o, into)
}

// A student who never keeps still is reported by name, and is no finding.
func TestAuditTellsWhoIsBusy(t *testing.T) {
	b := openBookkeeping(t)
	all := mustAudit(t, b.s).Accounts[0]
	if err := b.set(accounts, "P:900", "billed", int64(1)); err != nil {
		t.Fatal(err)
	}
	b.s.DB = restless{b.s.DB, "P:900"}
	if a := mustAudit(t, b.s).Accounts[0]; !slices.Equal(a.Busy, []string{"900"}) || a.Differ != 0 || a.Agree() != all.Accounts-1 {
		t.Errorf("a student who never keeps still is reported as %+v", a)
	}
}

// A row or bill that cannot be read is the finding, and not its student's
// account, which counts it.
func TestAuditDoesNotBlameTheAccount(t *testing.T) {
	b := openBookkeeping(t)
	if err := errors.Join(b.set(payments, b.paid[0].ID, "studentName", int64(1)), b.set(payments, b.paid[1].ID, "lines", "none"), b.set(bills, "P:900:2026-27/T2", "title", int64(1))); err != nil {
		t.Fatal(err)
	}
	report, err := b.s.Audit(context.Background(), "P")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Findings {
		if f.What == "account" || f.What == "missing" {
			t.Errorf("the audit blames %+v", f)
		}
	}
	if a := report.Accounts[0]; a.Differ != 2 {
		t.Errorf("accounts that cannot be compared are reported as %+v, want 2 that differ", a)
	}
}

// What a large ledger is made of is what Raseed itself would have written.
func TestGeneratedLedgerIsSound(t *testing.T) {
	oneThing(t)
	s := openTest(t)
	s.Now = fixedNow
	inst := addSchool(t, s, "P")
	generateLedger(t, s, inst.Code, LedgerSize{Rows: 5_000, Students: 40, BillsEach: 12})
	report := mustAudit(t, s)
	if a := report.Accounts[0]; a.Rows != 5_000 || a.Accounts != 40 || a.Bills != 40*12+5_000/256 || a.Differ != 0 {
		t.Errorf("generated %+v", a)
	}
	if len(report.Series) != 4 {
		t.Errorf("generated %d series, want receipts and reversals of two years: %+v", len(report.Series), report.Series)
	}
	for _, r := range report.Series {
		if r.First != 1 || r.Last != r.Count || r.Count == 0 {
			t.Errorf("generated the series %+v", r)
		}
	}
	// It goes on like any other.
	row, err := s.RecordPayment(context.Background(), "P", cash(s, "100001", 100))
	if err != nil || row.Number != report.Series[2].Last+1 {
		t.Errorf("the next receipt is %+v (%v)", row, err)
	}
	mustAudit(t, s)
	all, err := docdb.All[fees.Account](s.DB.Find(context.Background(), accounts, bson.D{under("P:")}, docdb.Find{Limit: 10}))
	if err != nil || len(all) != 10 {
		t.Fatal(len(all), err)
	}
	for _, a := range all {
		dues, err := s.Dues(context.Background(), "P", a.Student)
		if err != nil || dues.Balance != a.Balance {
			t.Errorf("student %s owes %d (%v), the generated account says %d", a.Student, dues.Balance, err, a.Balance)
		}
	}
}
