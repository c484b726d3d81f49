package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/docdb/docdbtest"
	"raseed/store/fees"
)

// bookkeeping is a small sound ledger of institute P to be harmed by hand:
// student 1 paid five times and the last payment was taken back with a charge,
// student 900 came with an opening balance and was billed by a run.
type bookkeeping struct {
	s        *Store
	db       docdb.DB // without the checks of tests: harm is done here
	paid     []fees.Row
	reversal fees.Row
	run      fees.Run
}

func openBookkeeping(t *testing.T) *bookkeeping {
	t.Helper()
	db := openTestDB(t)
	b := &bookkeeping{db: db, s: openOn(t, docdbtest.NoScans(t, docdbtest.Validated(t, db, Schema())))}
	b.s.Now = fixedNow
	testSchool(t, b.s, "P", 2)
	addSchool(t, b.s, "Q")
	ctx := context.Background()
	mustImport(t, b.s, "students", "P", studentsCSV("900,Old Hand,6,A,general,,,,,active,70.00"))
	mustImport(t, b.s, "plan", "P", "fy,period,due_date,class,category,head,amount\n2026-27,2026-27/T2,2026-12-10,6,*,TUITION,500.00\n")
	b.run = mustBill(t, b.s, "P", "2026-27/T2")
	mustImport(t, b.s, "concessions", "P", "admission_no,head,kind,value\n900,TUITION,percent,10\n") // for the next term
	for range 5 {
		row, err := b.s.RecordPayment(ctx, "P", cash(b.s, "1", 100))
		if err != nil {
			t.Fatal(err)
		}
		b.paid = append(b.paid, row)
	}
	var err error
	b.reversal, err = b.s.ReversePayment(ctx, "P", fees.ReversalOrder{
		ID: b.paid[4].ShortID(), Reason: "wrong entry", Charge: 500, By: fees.Actor{Login: "ravi", Name: "Ravi M"},
	})
	if err != nil {
		t.Fatal(err)
	}
	mustAudit(t, b.s)
	return b
}

// bounce is the key of the bill of the reversal's charge.
func (b *bookkeeping) bounce() string { return bounceBill(b.reversal).ID }

func (b *bookkeeping) update(coll, id string, update bson.D) error {
	res, err := b.db.UpdateOne(context.Background(), coll, bson.D{{Key: "_id", Value: id}}, update, docdb.Update{})
	if err == nil && res.Matched != 1 {
		err = fmt.Errorf("%s has no %s", coll, id)
	}
	return err
}

func (b *bookkeeping) set(coll, id, field string, value any) error {
	return b.update(coll, id, set(field, value))
}

func (b *bookkeeping) unset(coll, id, field string) error {
	return b.update(coll, id, bson.D{{Key: "$unset", Value: bson.D{{Key: field, Value: ""}}}})
}

func (b *bookkeeping) remove(coll, id string) error {
	n, err := b.db.DeleteOne(context.Background(), coll, bson.D{{Key: "_id", Value: id}})
	if err == nil && n != 1 {
		err = fmt.Errorf("%s has no %s", coll, id)
	}
	return err
}

// copied inserts a copy of a document with some fields changed.
func (b *bookkeeping) copied(coll, id string, changes ...any) error {
	var doc bson.D
	if err := b.db.FindOne(context.Background(), coll, bson.D{{Key: "_id", Value: id}}, docdb.Find{}, &doc); err != nil {
		return err
	}
	for i := 0; i < len(changes); i += 2 {
		doc = slices.DeleteFunc(doc, func(e bson.E) bool { return e.Key == changes[i] })
		doc = append(doc, bson.E{Key: changes[i].(string), Value: changes[i+1]})
	}
	return b.db.InsertOne(context.Background(), coll, doc)
}

const counterOfP = "receipt:P:2026-27"

// Every way of harming the ledger is named by the audit, with the document.
func TestAuditNamesWhatIsWrong(t *testing.T) {
	oneThing(t)
	for _, c := range []struct {
		name string
		harm func(b *bookkeeping) error
		what string
		id   func(b *bookkeeping) string
		says string
	}{
		{"a row is removed", func(b *bookkeeping) error { return b.remove(payments, b.paid[1].ID) }, "gap", ofKey(counterOfP), "number 2 is missing"},
		{"a row is removed, by its student", func(b *bookkeeping) error { return b.remove(payments, b.paid[1].ID) }, "missing", ofKey("P:1"), "counts more than there is: it says 2 bills of 505.00, 6 rows of 4.00, balance 501.00, what is there says 2 bills of 505.00, 5 rows of 3.00"},
		{"the last row is removed", func(b *bookkeeping) error { return b.remove(payments, b.paid[4].ID) }, "counter", ofKey(counterOfP), "which is not there"},
		{"an amount is edited", func(b *bookkeeping) error { return b.set(payments, b.paid[2].ID, "total", int64(1)) }, "body", ofPaid(2), "P/26-27/00003 was changed"},
		{"an amount is edited, in the sum", func(b *bookkeeping) error { return b.set(payments, b.paid[2].ID, "total", int64(1)) }, "sum", ofPaid(2), "total 0.01, lines 1.00"},
		{"a row is edited and its body recomputed", func(b *bookkeeping) error {
			if err := b.set(payments, b.paid[2].ID, "remark", "edited"); err != nil {
				return err
			}
			var raw bson.Raw
			if err := b.db.FindOne(context.Background(), payments, one("P", b.paid[2].ID), docdb.Find{}, &raw); err != nil {
				return err
			}
			body, err := bodyOf(raw)
			if err != nil {
				return err
			}
			return b.set(payments, b.paid[2].ID, "body", body)
		}, "chain", ofPaid(2), "breaks at number 3"},
		{"a number is moved", func(b *bookkeeping) error { return b.set(payments, b.paid[4].ID, "number", int64(7)) }, "gap", ofKey(counterOfP), "numbers 5 to 6 are missing"},
		{"a number is none", func(b *bookkeeping) error { return b.set(payments, b.paid[0].ID, "number", int64(-1)) }, "row", ofPaid(0), "has the number -1"},
		{"a number is no number", func(b *bookkeeping) error { return b.set(payments, b.paid[0].ID, "number", "1") }, "duplicate", ofKey(counterOfP), "1 row with a number that another has, or that is no number"},
		{"a row cannot be read", func(b *bookkeeping) error { return b.set(payments, b.paid[0].ID, "total", "1.00") }, "row", ofPaid(0), "cannot be read"},
		{"the time of numbering is lost", func(b *bookkeeping) error { return b.unset(payments, b.paid[0].ID, "numberedAt") }, "row", ofPaid(0), "when it was numbered"},
		{"the time of numbering is of another year", func(b *bookkeeping) error {
			return b.set(payments, b.paid[0].ID, "numberedAt", bson.NewDateTimeFromTime(b.paid[0].RecordedAt.Add(-25*time.Hour)))
		}, "row", ofPaid(0), "numbered more than a day before"},
		{"a field is added", func(b *bookkeeping) error { return b.set(payments, b.paid[0].ID, "outbox", "x") }, "body", ofPaid(0), "was changed"},
		{"a mark of waiting is emptied", func(b *bookkeeping) error { return b.set(payments, b.paid[0].ID, "awaiting", false) }, "row", ofPaid(0), "has an empty mark"},
		{"a pointer to a reversal is emptied", func(b *bookkeeping) error { return b.set(payments, b.paid[0].ID, "reversedBy", "") }, "row", ofPaid(0), "has an empty mark"},
		{"the printed number is edited", func(b *bookkeeping) error { return b.set(payments, b.paid[3].ID, "numberText", "P/26-27/00009") }, "numberText", ofPaid(3), `printed as "P/26-27/00009"`},
		{"a numbered row awaits", func(b *bookkeeping) error { return b.set(payments, b.paid[3].ID, "awaiting", true) }, "awaiting", ofPaid(3), "still says"},
		{"a kind is edited", func(b *bookkeeping) error { return b.set(payments, b.paid[0].ID, "kind", "reversal") }, "series", ofPaid(0), "is a reversal and is numbered as receipt"},
		{"a date is edited", func(b *bookkeeping) error { return b.set(payments, b.paid[0].ID, "date", "2025-11-30") }, "key", ofPaid(0), "dated 2025-11-30, which is not in the year 2026-27"},
		{"a row is moved to another institute", func(b *bookkeeping) error { return b.set(payments, b.paid[4].ID, "institute", "Q") }, "key", ofPaid(4), "belongs to Q and its key says P"},
		{"a row has the key of no form", func(b *bookkeeping) error { return b.copied(payments, b.paid[4].ID, "_id", "P:7", "number", int64(6)) }, "key", ofKey("P:7"), "none that a form could have had"},
		{"a second reversal", func(b *bookkeeping) error {
			return b.copied(payments, b.reversal.ID, "_id", b.paid[3].ID+":reversal", "number", int64(2), "takes", b.paid[3].ID+":1")
		}, "key", func(b *bookkeeping) string { return b.paid[3].ID + ":reversal" }, "its key says another"},
		{"the mark of a waiting row is lost", func(b *bookkeeping) error { return b.unset(payments, b.paid[4].ID, "number") }, "rows", ofPaid(4), "does not say that it awaits one"},

		{"a reversal is removed", func(b *bookkeeping) error { return b.remove(payments, b.reversal.ID) }, "link", ofPaid(4), "which is not there"},
		{"a reversal is removed, by its charge", func(b *bookkeeping) error { return b.remove(payments, b.reversal.ID) }, "bill", (*bookkeeping).bounce, "charges for the reversal"},
		{"a reversed payment is removed", func(b *bookkeeping) error { return b.remove(payments, b.paid[4].ID) }, "link", ofReversal, "which is not there"},
		{"a payment forgets its reversal", func(b *bookkeeping) error { return b.unset(payments, b.paid[4].ID, "reversedBy") }, "link", ofReversal, "does not point back"},
		{"a payment invents a reversal", func(b *bookkeeping) error { return b.set(payments, b.paid[0].ID, "reversedBy", "P:none") }, "link", ofPaid(0), "points at P:none"},
		{"a payment claims another's reversal", func(b *bookkeeping) error { return b.set(payments, b.paid[0].ID, "reversedBy", b.reversal.ID) }, "link", ofPaid(0), "does not point back"},
		{"a reversal of less", func(b *bookkeeping) error { return b.set(payments, b.reversal.ID, "total", int64(-1)) }, "link", ofReversal, "do not cancel"},

		{"the counter is set ahead", func(b *bookkeeping) error { return b.set(counters, counterOfP, "seq", int64(9)) }, "counter", ofKey(counterOfP), "belong to nobody"},
		{"the counter is set back", func(b *bookkeeping) error { return b.set(counters, counterOfP, "seq", int64(3)) }, "counter", ofKey(counterOfP), "no more numbers can be given"},
		{"the counter forgets its holders", func(b *bookkeeping) error { return b.set(counters, counterOfP, "holders", []string{}) }, "counter", ofKey(counterOfP), "whose the last number is"},
		{"the counter names another holder", func(b *bookkeeping) error { return b.set(counters, counterOfP, "holders", []string{b.paid[0].ID}) }, "counter", ofKey(counterOfP), "which has number 1"},
		{"the counter's hash is edited", func(b *bookkeeping) error { return b.set(counters, counterOfP, "baseHash", "0") }, "counter", ofKey(counterOfP), "another hash"},
		{"the counter is of another institute", func(b *bookkeeping) error { return b.set(counters, counterOfP, "institute", "Q") }, "counter", ofKey(counterOfP), "key and what it says differ"},
		{"the counter is removed", func(b *bookkeeping) error { return b.remove(counters, counterOfP) }, "counter", ofKey(counterOfP), "says 0 and the last row is 5"},
		{"a counter of no year", func(b *bookkeeping) error {
			return b.copied(counters, counterOfP, "_id", "receipt:P:junk", "seq", int64(0), "holders", bson.A{}, "baseHash", "")
		}, "counter", ofKey("receipt:P:junk"), `of "junk", which is no financial year`},
		{"a counter of no series", func(b *bookkeeping) error { return b.copied(counters, counterOfP, "_id", "invoice:P:2026-27") }, "orphan", ofKey("invoice:P:2026-27"), `"invoice", which does not exist`},

		{"a bill that was paid is removed", func(b *bookkeeping) error { return b.remove(bills, "P:1:2026-27/T1") }, "bill", ofPaid(0), "settles Tuition of 2026-27/T1, which was never billed"},
		{"a bill of a run is removed", func(b *bookkeeping) error { return b.remove(bills, "P:900:2026-27/T2") }, "run", ofRunOfP, "made 1 bill of 500.00; 0 of 0.00 name it"},
		{"a bill that nobody paid is removed", func(b *bookkeeping) error { return b.remove(bills, "P:900:2026-27/T2") }, "missing", ofKey("P:900"), "it says 2 bills of 570.00, 0 rows of 0.00, balance 570.00, what is there says 1 bill of 70.00"},
		{"a bill of a run is edited and its body recomputed", func(b *bookkeeping) error {
			var bill fees.Bill
			if err := b.db.FindOne(context.Background(), bills, one("P", "P:900:2026-27/T2"), docdb.Find{}, &bill); err != nil {
				return err
			}
			bill.Lines[0].Gross, bill.Lines[0].Net, bill.Net = 1, 1, 1
			bill, err := sealed(bill)
			return errors.Join(err, b.remove(bills, bill.ID), b.db.InsertOne(context.Background(), bills, bill))
		}, "run", ofRunOfP, "made 1 bill of 500.00; 1 of 0.01 name it"},
		{"a run's count is edited", func(b *bookkeeping) error { return b.set(runs, b.run.ID, "tally.created", int64(0)) }, "run", ofRunOfP, "does not add up"},
		{"a run cannot be read", func(b *bookkeeping) error { return b.set(runs, b.run.ID, "tally", "none") }, "run", ofRunOfP, "cannot be read"},
		{"a bill loses its body", func(b *bookkeeping) error { return b.unset(bills, "P:900:2026-27/T2", "body") }, "bill", ofKey("P:900:2026-27/T2"), "was changed"},
		{"a bill's mark is emptied", func(b *bookkeeping) error { return b.set(bills, "P:900:2026-27/T2", "uncounted", false) }, "bill", ofKey("P:900:2026-27/T2"), "has an empty mark"},
		{"a bill's net is edited", func(b *bookkeeping) error { return b.set(bills, "P:1:2026-27/T1", "net", int64(1)) }, "bill", ofKey("P:1:2026-27/T1"), "add up to 500.00, it says 0.01"},
		{"a bill cannot be read", func(b *bookkeeping) error { return b.set(bills, "P:1:2026-27/T1", "net", "1") }, "bill", ofKey("P:1:2026-27/T1"), "cannot be read"},
		{"a bill's line is edited", func(b *bookkeeping) error {
			return b.set(bills, "P:900:2026-27/T2", "lines", bson.A{bson.D{{Key: "head", Value: "TUITION"}, {Key: "headName", Value: "Tuition"}, {Key: "gross", Value: int64(7)}, {Key: "net", Value: int64(50_000)}}})
		}, "bill", ofKey("P:900:2026-27/T2"), "0.07 less 0.00 is not 500.00"},
		{"a bill is copied to another key", func(b *bookkeeping) error { return b.copied(bills, "P:1:2026-27/T1", "_id", "P:1:2026-27/T1-again") }, "bill", ofKey("P:1:2026-27/T1-again"), "key and what it says differ"},
		{"the charge of a reversal is removed", func(b *bookkeeping) error { return b.remove(bills, b.bounce()) }, "bill", ofReversal, "RV/26-27/00001 charges 5.00, which was never billed"},
		{"the charge of a reversal is another", func(b *bookkeeping) error { return b.set(bills, b.bounce(), "net", int64(1)) }, "bill", (*bookkeeping).bounce, "charges 0.01 for the reversal RV/26-27/00001, which says 5.00"},
		{"a run is removed", func(b *bookkeeping) error {
			_, err := b.db.DeleteMany(context.Background(), runs, bson.D{{Key: "institute", Value: "P"}, {Key: "state", Value: "done"}})
			return err
		}, "run", ofKey("P:900:2026-27/T2"), "which is not there"},
		{"an opening balance is edited", func(b *bookkeeping) error { return b.set(students, "P:900", "openingBalance", int64(1)) }, "opening", ofKey("P:900"), "is 0.01 and was billed as 70.00"},

		{"an account is edited", func(b *bookkeeping) error { return b.set(accounts, "P:1", "received", int64(1)) }, "account", ofKey("P:1"), "6 rows of 0.01"},
		{"an account is removed", func(b *bookkeeping) error { return b.remove(accounts, "P:2") }, "account", ofKey("P:2"), "2 has no account"},
		{"an account cannot be read", func(b *bookkeeping) error { return b.set(accounts, "P:2", "rows", "0") }, "account", ofKey("P:2"), "cannot be read"},
		{"an account has no version", func(b *bookkeeping) error { return b.set(accounts, "P:2", "version", int64(0)) }, "account", ofKey("P:2"), "no version"},
		{"an account is of another student", func(b *bookkeeping) error { return b.set(accounts, "P:2", "student", "1") }, "account", ofKey("P:2"), "key and what it says differ"},
		{"an account of nobody", func(b *bookkeeping) error { return b.copied(accounts, "P:2", "_id", "P:77", "student", "77") }, "orphan", ofKey("P:77"), "Student 77 is not there, and has 0 bills, 0 ledger rows and an account"},
		{"a student is removed", func(b *bookkeeping) error { return b.remove(students, "P:1") }, "orphan", ofKey("P:1"), "Student 1 is not there, and has 2 bills, 6 ledger rows and an account"},
		{"a student is moved", func(b *bookkeeping) error { return b.set(students, "P:2", "admissionNo", "3") }, "orphan", ofKey("P:2"), "key and what it says differ"},

		{"a head is removed", func(b *bookkeeping) error { return b.remove(heads, "P:TUITION") }, "list", ofKey("P:TUITION"), "The head TUITION is gone, and the bill P:"},
		{"a head is of another institute", func(b *bookkeeping) error { return b.set(heads, "P:TUITION", "institute", "Q") }, "list", ofKey("P:TUITION"), "key and what it says differ"},
		{"a period is of another institute", func(b *bookkeeping) error { return b.set(periods, "P:2026-27/T2", "institute", "Q") }, "list", ofKey("P:2026-27/T2"), "key and what it says differ"},
		{"a row of the plan is of another institute", func(b *bookkeeping) error {
			return b.set(plans, "P:2026-27/T2:6:*:TUITION", "institute", "Q")
		}, "list", ofKey("P:2026-27/T2:6:*:TUITION"), "key and what it says differ"},
		{"a concession is of another institute", func(b *bookkeeping) error { return b.set(concessions, "P:900:TUITION", "institute", "Q") }, "list", ofKey("P:900:TUITION"), "key and what it says differ"},
		{"a concession is of nobody", func(b *bookkeeping) error { return b.set(concessions, "P:900:TUITION", "student", "901") }, "orphan", ofKey("P:900:TUITION"), "the student 901, who is not there"},
		{"a run is of another institute", func(b *bookkeeping) error { return b.set(runs, b.run.ID, "institute", "Q") }, "run", ofRunOfP, "key and what it says differ"},
		{"a user is of an institute that does not exist", func(b *bookkeeping) error {
			_, err := b.s.AddUser(context.Background(), "P", "asha", "Asha R", fees.RoleCashier, "a long password")
			return errors.Join(err, b.set(users, "asha", "institute", "X"))
		}, "orphan", ofKey("asha"), `Users: 1 document of "X"`},

		{"a number format is edited", func(b *bookkeeping) error { return b.set(institutes, "P", "formats.receipt", "garbage") }, "institute", ofKey("P"), "The setting format_receipt: "},
		{"the decimals are edited", func(b *bookkeeping) error { return b.set(institutes, "P", "decimals", int64(0)) }, "institute", ofKey("P"), "INR has 2 decimals, the institute says 0"},
		{"an institute cannot be read", func(b *bookkeeping) error { return b.set(institutes, "P", "decimals", "2") }, "institute", ofKey("P"), "cannot be read"},

		{"a row of an institute that does not exist", func(b *bookkeeping) error {
			return b.copied(payments, b.paid[0].ID, "_id", "X:1", "institute", "X")
		}, "orphan", ofKey("X:1"), `Payments: 1 document of "X", which does not exist`},
		{"a row that says so", func(b *bookkeeping) error { return b.set(payments, b.paid[4].ID, "institute", "X") }, "orphan", ofPaid(4), `Payments: 1 document of "X", which does not exist`},
		{"a bill of an institute that does not exist", func(b *bookkeeping) error {
			return b.copied(bills, "P:1:2026-27/T1", "_id", "X:1:2026-27/T1", "institute", "X")
		}, "orphan", ofKey("X:1:2026-27/T1"), "Bills: 1 document"},
		{"a counter of an institute that does not exist", func(b *bookkeeping) error {
			return b.copied(counters, counterOfP, "_id", "receipt:X:2026-27", "institute", "X")
		}, "orphan", ofKey("receipt:X:2026-27"), "Counters: 1 document"},
		{"an account of an institute that does not exist", func(b *bookkeeping) error {
			return b.copied(accounts, "P:1", "_id", "X:1", "institute", "X")
		}, "orphan", ofKey("X:1"), "Accounts: 1 document"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := openBookkeeping(t)
			if err := c.harm(b); err != nil {
				t.Fatal(err)
			}
			report, err := b.s.Audit(context.Background(), "")
			if err != nil {
				t.Fatal(err)
			}
			id := c.id(b)
			if !slices.ContainsFunc(report.Findings, func(f fees.Finding) bool {
				return f.What == c.what && f.ID == id && strings.Contains(f.Text, c.says)
			}) {
				t.Errorf("want a finding %s of %q that says %q, got %s", c.what, id, c.says, spelt(report.Findings))
			}
		})
	}
}

func ofKey(id string) func(*bookkeeping) string { return func(*bookkeeping) string { return id } }
func ofPaid(i int) func(*bookkeeping) string {
	return func(b *bookkeeping) string { return b.paid[i].ID }
}
func ofRunOfP(b *bookkeeping) string   { return b.run.ID }
func ofReversal(b *bookkeeping) string { return b.reversal.ID }

func spelt(findings []fees.Finding) string {
	var b strings.Builder
	for _, f := range findings {
		fmt.Fprintf(&b, "\n  %s %s %q: %s", f.Institute, f.What, f.ID, f.Text)
	}
	return b.String()
}
