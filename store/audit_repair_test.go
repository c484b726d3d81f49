package store

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// unnumber makes a row as it was before it was numbered.
func (b *bookkeeping) unnumber(i int) error {
	return b.update(payments, b.paid[i].ID, bson.D{
		{Key: "$unset", Value: bson.D{{Key: "number", Value: ""}, {Key: "numberText", Value: ""}, {Key: "numberedAt", Value: ""}, {Key: "prevHash", Value: ""}, {Key: "hash", Value: ""}}},
		{Key: "$set", Value: bson.D{{Key: "awaiting", Value: true}}},
	})
}

func (b *bookkeeping) count(seq int64, baseHash string, holders ...string) error {
	return b.update(counters, counterOfP, bson.D{{Key: "$set", Value: bson.D{{Key: "seq", Value: seq}, {Key: "baseHash", Value: baseHash}, {Key: "holders", Value: append([]string{}, holders...)}}}})
}

func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// What is derived is repaired, said, and in order afterwards; a second repair
// has nothing to do, and the next receipt is the next number.
func TestRepair(t *testing.T) {
	oneThing(t)
	for _, c := range []struct {
		name string
		harm func(b *bookkeeping) error
		says []string // one for each line
	}{
		{"nothing", func(*bookkeeping) error { return nil }, nil},
		{"a counter that is ahead of the rows", func(b *bookkeeping) error { return b.count(9, "lost", "P:lost") },
			[]string{"Set the counter of receipt 2026-27 from 9 to 5, the last number there is. No row has the 4 numbers from 6 to 9; gone are P:lost (number 9)"}},
		{"a counter that is ahead by many", func(b *bookkeeping) error {
			return b.count(10, b.paid[4].Hash, "P:a", "P:b", "P:c", "P:d", "P:e")
		}, []string{"No row has the 5 numbers from 6 to 10; gone are P:a (number 6), P:b (number 7), P:c (number 8) and 2 more"}},
		{"a counter that is one ahead", func(b *bookkeeping) error { return b.count(6, b.paid[4].Hash, "P:lost") },
			[]string{"from 6 to 5, the last number there is. No row has number 6; gone are P:lost (number 6)"}},
		{"a counter that is one ahead of its holder", func(b *bookkeeping) error { return b.set(counters, counterOfP, "seq", int64(6)) },
			[]string{"from 6 to 5, the last number there is. No row has number 6"}},
		{"a counter that is behind the rows", func(b *bookkeeping) error { return b.count(3, b.paid[1].Hash, b.paid[2].ID) },
			[]string{"from 3 to 5"}},
		{"a counter that is gone", func(b *bookkeeping) error { return b.remove(counters, counterOfP) },
			[]string{"Made the counter of receipt 2026-27 anew: the last number is 5"}},
		{"a counter that cannot be read", func(b *bookkeeping) error { return b.set(counters, counterOfP, "seq", "5") },
			[]string{"anew: the last number is 5"}},
		{"a counter of somebody else", func(b *bookkeeping) error { return b.set(counters, counterOfP, "institute", "Q") },
			[]string{"anew: the last number is 5"}},
		{"a counter without holders", func(b *bookkeeping) error { return b.count(5, b.paid[3].Hash) },
			[]string{"Set the counter of receipt 2026-27 right, which says 5: it did not say whose the last number is"}},
		{"a counter whose holders are gone", func(b *bookkeeping) error { return b.unset(counters, counterOfP, "holders") },
			[]string{"right, which says 5: it did not say whose"}},
		{"a counter with a lost holder", func(b *bookkeeping) error { return b.count(5, b.paid[2].Hash, "P:lost", b.paid[4].ID) },
			[]string{"right, which says 5: it gave number 4 to P:lost, which is not there"}},
		{"a counter with another's holder", func(b *bookkeeping) error { return b.count(5, b.paid[3].Hash, b.paid[0].ID) },
			[]string{"right, which says 5: it gave number 5 to P:"}},
		{"a counter with another hash", func(b *bookkeeping) error { return b.count(5, "0", b.paid[4].ID) },
			[]string{"right, which says 5: it carried another hash than number 4 has"}},
		{"a batch that was not attached", func(b *bookkeeping) error {
			return first(b.unnumber(3), b.unnumber(4), b.count(5, b.paid[2].Hash, b.paid[3].ID, b.paid[4].ID))
		}, []string{"Attached 2 numbers of receipt 2026-27"}},
		{"a batch that was not attached, and another hash", func(b *bookkeeping) error {
			return first(b.unnumber(3), b.unnumber(4), b.count(5, "0", b.paid[3].ID, b.paid[4].ID))
		}, []string{"Attached 2 numbers of receipt 2026-27", "right, which says 5: it carried another hash than number 3 has"}},
		{"a batch of which a row is lost", func(b *bookkeeping) error {
			return first(b.unnumber(4), b.count(6, b.paid[3].Hash, "P:lost", b.paid[4].ID))
		}, []string{"from 6 to 4", "Numbered 1 row"}},
		{"a counter behind, stuck with a row", func(b *bookkeeping) error {
			return first(b.unnumber(4), b.count(3, b.paid[1].Hash, b.paid[4].ID))
		}, []string{"from 3 to 4", "Numbered 1 row"}},
		{"a row that awaits its number", func(b *bookkeeping) error {
			return first(b.unnumber(4), b.count(4, b.paid[2].Hash, b.paid[3].ID))
		}, []string{"Numbered 1 row"}},
		{"a bill that is not counted", func(b *bookkeeping) error {
			return first(b.set(bills, "P:900:2026-27/T2", "uncounted", true), b.set(accounts, "P:900", "billed", int64(0)))
		}, []string{"Counted 1 bill"}},
		{"an opening balance that is not billed", func(b *bookkeeping) error {
			return first(b.remove(bills, "P:900:OPENING"), b.remove(accounts, "P:900"), b.set(students, "P:900", "opening", true))
		}, []string{"Billed 1 opening balance"}},
		{"an account that differs", func(b *bookkeeping) error { return b.set(accounts, "P:1", "received", int64(1)) },
			[]string{"Recounted the account of 1: it said 2 bills of 505.00, 6 rows of 0.01, balance 501.00, and says 2 bills of 505.00, 6 rows of 4.00, balance 501.00"}},
		{"an account that is gone", func(b *bookkeeping) error { return b.remove(accounts, "P:2") },
			[]string{"Made the account of 2: 1 bill of 500.00, 0 rows of 0.00, balance 500.00"}},
		{"an account that cannot be read", func(b *bookkeeping) error { return b.set(accounts, "P:1", "rows", "six") },
			[]string{"Replaced the account of 1"}},
		{"an account without a version", func(b *bookkeeping) error { return b.set(accounts, "P:1", "version", int64(0)) },
			[]string{"Replaced the account of 1"}},
		{"an account of somebody else", func(b *bookkeeping) error { return b.set(accounts, "P:1", "institute", "Q") },
			[]string{"Replaced the account of 1"}},
		{"everything at once", func(b *bookkeeping) error {
			return first(b.unnumber(4), b.count(9, "lost", "P:lost"), b.set(accounts, "P:1", "version", int64(0)), b.remove(accounts, "P:2"))
		}, []string{"Replaced the account of 1", "from 9 to 4", "Numbered 1 row", "Made the account of 2"}},
	} {
		for _, institute := range []string{"P", ""} {
			t.Run(c.name+"/"+institute, func(t *testing.T) {
				b := openBookkeeping(t)
				if err := c.harm(b); err != nil {
					t.Fatal(err)
				}
				ctx := context.Background()
				s := openOn(t, b.db) // as after a restart
				s.Now = fixedNow
				report, err := s.Repair(ctx, institute, fees.Actor{Login: "meera"})
				if err != nil {
					t.Fatal(err)
				}
				if !slices.EqualFunc(report.Repaired, c.says, func(f fees.Finding, says string) bool {
					return f.Institute == "P" && strings.Contains(f.Text, says)
				}) {
					t.Errorf("repaired %s, want %q", spelt(report.Repaired), c.says)
				}
				if len(report.Findings) > 0 {
					t.Errorf("left %s", spelt(report.Findings))
				}
				on := slices.Clone(report.Repairs)
				slices.Reverse(on) // oldest first
				if !slices.EqualFunc(on, c.says, func(p fees.Repair, says string) bool {
					return p.By == "meera" && p.Institute == "P" && strings.Contains(p.Text, says)
				}) {
					t.Errorf("on record is %+v, want what was done", on)
				}
				again, err := s.Repair(ctx, institute, fees.Actor{Login: "meera"})
				if err != nil || len(again.Repaired) > 0 {
					t.Errorf("a second repair did %s (%v), want nothing", spelt(again.Repaired), err)
				}
				row, err := s.RecordPayment(ctx, "P", cash(s, "2", 100))
				if err != nil || row.Number != 6 {
					t.Errorf("the next receipt has the number %d (%v), want 6", row.Number, err)
				}
				mustAudit(t, s)
			})
		}
	}
}

// What is not derived is left as it is, and reported.
func TestRepairLeavesWhatHappened(t *testing.T) {
	oneThing(t)
	for _, c := range []struct {
		name string
		harm func(b *bookkeeping) error
		what string
	}{
		{"a row that was changed", func(b *bookkeeping) error { return b.set(payments, b.paid[0].ID, "remark", "edited") }, "body"},
		{"a bill that was changed", func(b *bookkeeping) error { return b.set(bills, "P:900:2026-27/T2", "title", "edited") }, "bill"},
		{"a counter ahead of rows with a gap", func(b *bookkeeping) error {
			return first(b.remove(payments, b.paid[1].ID), b.count(9, "lost", "P:lost"))
		}, "counter"},
		{"an account that counts a bill that was removed", func(b *bookkeeping) error { return b.remove(bills, "P:900:2026-27/T2") }, "missing"},
		{"an account that counts a row that was removed", func(b *bookkeeping) error {
			return first(b.remove(payments, b.paid[2].ID), b.count(5, b.paid[3].Hash, b.paid[4].ID))
		}, "missing"},
		{"an opening balance that was never billed", func(b *bookkeeping) error { return b.remove(bills, "P:900:OPENING") }, "opening"},
		{"a number that is a text", func(b *bookkeeping) error {
			return first(b.set(payments, b.paid[4].ID, "number", "5"), b.count(9, "lost", "P:lost"))
		}, "counter"},
		{"a row that cannot be read", func(b *bookkeeping) error {
			return first(b.set(payments, b.paid[0].ID, "lines", "x"), b.set(accounts, "P:1", "received", int64(1)))
		}, "row"},
		{"a row that cannot be read, and an account that cannot", func(b *bookkeeping) error {
			return first(b.set(payments, b.paid[0].ID, "total", "x"), b.set(accounts, "P:1", "rows", "six"))
		}, "account"},
		{"a bill that cannot be read", func(b *bookkeeping) error { return b.set(bills, "P:900:2026-27/T2", "net", "x") }, "bill"},
		{"a bill on its way that cannot be read", func(b *bookkeeping) error {
			return first(b.set(bills, "P:900:2026-27/T2", "student", int64(1)), b.set(bills, "P:900:2026-27/T2", "uncounted", true))
		}, "bill"},
		{"a row on its way that was changed", func(b *bookkeeping) error {
			return first(b.unnumber(4), b.count(4, b.paid[2].Hash, b.paid[3].ID), b.set(payments, b.paid[4].ID, "remark", "edited"))
		}, "body"},
		{"a row that was changed before its number was attached", func(b *bookkeeping) error {
			return first(b.unnumber(4), b.set(payments, b.paid[4].ID, "remark", "edited"))
		}, "body"},
		{"a student who is gone", func(b *bookkeeping) error { return b.remove(students, "P:1") }, "orphan"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := openBookkeeping(t)
			if err := c.harm(b); err != nil {
				t.Fatal(err)
			}
			report, err := b.s.Repair(context.Background(), "P", fees.Actor{Login: "meera"})
			if err != nil {
				t.Fatal(err)
			}
			if len(report.Repaired) > 0 {
				t.Errorf("repaired %s", spelt(report.Repaired))
			}
			if !slices.ContainsFunc(report.Findings, func(f fees.Finding) bool { return f.What == c.what }) {
				t.Errorf("left %s, want a finding %s", spelt(report.Findings), c.what)
			}
			again, err := b.s.Repair(context.Background(), "", fees.Actor{Login: "meera"})
			if err != nil || len(again.Repaired) > 0 || len(again.Findings) < len(report.Findings) {
				t.Errorf("a second repair did %s (%v), and left %s of %s", spelt(again.Repaired), err, spelt(again.Findings), spelt(report.Findings))
			}
		})
	}
}

// A repair says what it did itself, not what a server does beside it.
func TestRepairCountsItsOwn(t *testing.T) {
	b := openBookkeeping(t)
	ctx := context.Background()
	if err := first(b.unnumber(4), b.count(4, b.paid[2].Hash, b.paid[3].ID)); err != nil {
		t.Fatal(err)
	}
	server := openOn(t, b.db)
	server.Now = fixedNow
	b.s.DB = beforeBulk{b.s.DB, func() {
		if err := server.Sweep(ctx); err != nil {
			t.Error(err)
		}
	}}
	report, err := b.s.Repair(ctx, "P", fees.Actor{Login: "meera"})
	if err != nil || len(report.Repaired)+len(report.Findings) > 0 {
		t.Errorf("repaired %s, found %s (%v): the server did it", spelt(report.Repaired), spelt(report.Findings), err)
	}
}

// beforeBulk has somebody else do something before each write of many.
type beforeBulk struct {
	docdb.DB
	other func()
}

func (d beforeBulk) BulkWrite(ctx context.Context, coll string, ops []docdb.UpdateOp, ordered bool) (docdb.BulkResult, error) {
	d.other()
	return d.DB.BulkWrite(ctx, coll, ops, ordered)
}

// The sweep leaves a row that was changed before it was numbered, says so once,
// and numbers the others of the series that are not chained to it.
func TestSweepLeavesWhatWasChanged(t *testing.T) {
	b := openBookkeeping(t)
	ctx := context.Background()
	if err := first(b.unnumber(3), b.unnumber(4), b.count(3, b.paid[1].Hash, b.paid[2].ID), b.set(payments, b.paid[3].ID, "remark", "edited")); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	s := openOn(t, b.db)
	s.Now, s.Log = fixedNow, slog.New(slog.NewTextHandler(&log, nil))
	for range 3 {
		if err := s.Sweep(ctx); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range map[int]int64{3: 0, 4: 4} {
		if row, err := s.Row(ctx, "P", fees.After(b.paid[i].ID)); err != nil || row.Number != want {
			t.Errorf("%s has number %d (%v), want %d", row.ID, row.Number, err, want)
		}
	}
	if said := strings.Count(log.String(), "left by the sweep"); said != 1 || !strings.Contains(log.String(), b.paid[3].ID) {
		t.Errorf("it is said %d times, want once\n%s", said, log.String())
	}
}

// A damaged file is told and not written to.
func TestRepairRefusesDamage(t *testing.T) {
	b := openBookkeeping(t)
	if err := b.remove(accounts, "P:2"); err != nil {
		t.Fatal(err)
	}
	b.s.DB = damagedEngine{b.s.DB}
	for _, institute := range []string{"", "P"} {
		report, err := b.s.Repair(context.Background(), institute, fees.Actor{Login: "meera"})
		if err != nil || len(report.Repaired) > 0 || len(report.Findings) != 1 || report.Findings[0].What != "damage" {
			t.Errorf("of %q: repaired %s, found %s (%v)", institute, spelt(report.Repaired), spelt(report.Findings), err)
		}
	}
	if _, err := b.s.Repair(context.Background(), "X", fees.Actor{Login: "meera"}); fees.CodeOf(err) != fees.NotFound {
		t.Errorf("a repair of an institute that does not exist: %v", err)
	}
}
