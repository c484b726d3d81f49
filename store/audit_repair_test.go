package store

import (
	"context"
	"slices"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

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
	for _, c := range []struct {
		name string
		harm func(b *bookkeeping) error
		says []string // one for each line
	}{
		{"nothing", func(*bookkeeping) error { return nil }, nil},
		{"a counter that is ahead of the rows", func(b *bookkeeping) error { return b.count(9, "lost", "P:lost") },
			[]string{"Set the counter of receipt 2026-27 from 9 to 5"}},
		{"a counter that is one ahead", func(b *bookkeeping) error { return b.count(6, b.paid[4].Hash, "P:lost") },
			[]string{"from 6 to 5"}},
		{"a counter that is behind the rows", func(b *bookkeeping) error { return b.count(3, b.paid[1].Hash, b.paid[2].ID) },
			[]string{"from 3 to 5"}},
		{"a counter that is gone", func(b *bookkeeping) error { return b.remove(counters, counterOfP) },
			[]string{"Made the counter of receipt 2026-27 anew: the last number is 5"}},
		{"a counter that cannot be read", func(b *bookkeeping) error { return b.set(counters, counterOfP, "seq", "5") },
			[]string{"anew: the last number is 5"}},
		{"a counter of somebody else", func(b *bookkeeping) error { return b.set(counters, counterOfP, "institute", "Q") },
			[]string{"anew: the last number is 5"}},
		{"a counter without holders", func(b *bookkeeping) error { return b.count(5, b.paid[3].Hash) },
			[]string{"from 5 to 5"}},
		{"a counter with another hash", func(b *bookkeeping) error { return b.count(5, "0", b.paid[4].ID) },
			[]string{"from 5 to 5"}},
		{"a batch that was not attached", func(b *bookkeeping) error {
			return first(b.unnumber(3), b.unnumber(4), b.count(5, b.paid[2].Hash, b.paid[3].ID, b.paid[4].ID))
		}, []string{"Attached 2 numbers of receipt 2026-27"}},
		{"a batch that was not attached, and another hash", func(b *bookkeeping) error {
			return first(b.unnumber(3), b.unnumber(4), b.count(5, "0", b.paid[3].ID, b.paid[4].ID))
		}, []string{"Attached 2 numbers of receipt 2026-27", "from 5 to 5"}},
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
			if slices.ContainsFunc(report.Repaired, func(f fees.Finding) bool { return f.What == c.what }) {
				t.Errorf("repaired %s", spelt(report.Repaired))
			}
			if !slices.ContainsFunc(report.Findings, func(f fees.Finding) bool { return f.What == c.what }) {
				t.Errorf("left %s, want a finding %s", spelt(report.Findings), c.what)
			}
		})
	}
}

// A damaged file is told and not written to.
func TestRepairRefusesDamage(t *testing.T) {
	b := openBookkeeping(t)
	if err := b.remove(accounts, "P:2"); err != nil {
		t.Fatal(err)
	}
	b.s.DB = damagedEngine{b.s.DB}
	report, err := b.s.Repair(context.Background(), "", fees.Actor{Login: "meera"})
	if err != nil || len(report.Repaired) > 0 || len(report.Findings) != 1 || report.Findings[0].What != "damage" {
		t.Errorf("repaired %s, found %s (%v)", spelt(report.Repaired), spelt(report.Findings), err)
	}
	if _, err := b.s.Repair(context.Background(), "X", fees.Actor{Login: "meera"}); fees.CodeOf(err) != fees.NotFound {
		t.Errorf("a repair of an institute that does not exist: %v", err)
	}
}
