package store

import (
	"context"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb/docdbtest"
	"raseed/store/fees"
)

// Every way of harming an adjustment is named by the audit.
func TestAuditNamesWhatIsWrongWithAnAdjustment(t *testing.T) {
	const bill, given = "DPS:1:2026-27/T2:advance", ":reversal:advance"
	for _, c := range []struct {
		name string
		harm func(b *bookkeeping, reversal string) error
		what string
		says string
	}{
		{"money is put into it", func(b *bookkeeping, _ string) error { return b.set(payments, bill, "total", int64(100)) }, "sum", "moves 1.00, and should move no money"},
		{"a tender is put into it", func(b *bookkeeping, _ string) error {
			return b.set(payments, bill, "tenders", bson.A{bson.D{{Key: "mode", Value: "cash"}, {Key: "amount", Value: int64(0)}}})
		}, "sum", "should move no money"},
		{"its lines do not cancel", func(b *bookkeeping, _ string) error {
			return b.set(payments, bill, "lines", bson.A{bson.D{{Key: "head", Value: "ADVANCE"}, {Key: "headName", Value: "Advance"}, {Key: "amount", Value: int64(5)}}})
		}, "sum", "total 0.00, lines 0.05"},
		{"it has the key of nothing", func(b *bookkeeping, _ string) error {
			return b.copied(payments, bill, "_id", "DPS:other:advance", "number", int64(3))
		}, "key", "of no bill and of no reversal"},
		{"it is another's", func(b *bookkeeping, _ string) error {
			return b.copied(payments, bill, "_id", "DPS:2:2026-27/T2:advance", "number", int64(3))
		}, "link", "was brought by DPS:2:2026-27/T2, which is not there"},
		{"its bill is removed", func(b *bookkeeping, _ string) error { return b.remove(bills, "DPS:1:2026-27/T2") }, "link", "was brought by DPS:1:2026-27/T2, which is not there"},
		{"its reversal is removed", func(b *bookkeeping, reversal string) error { return b.remove(payments, reversal) }, "link", given[:9] + ", which is not there"},
		{"it is removed", func(b *bookkeeping, _ string) error { return b.remove(payments, bill) }, "gap", "number 1 is missing"},
		{"it is numbered as a receipt", func(b *bookkeeping, _ string) error { return b.set(payments, bill, "series", "refund") }, "series", "is a adjustment and is numbered as refund"},
	} {
		t.Run(c.name, func(t *testing.T) {
			db := openTestDB(t)
			b := &bookkeeping{db: db, s: openOn(t, docdbtest.NoScans(t, docdbtest.Validated(t, db, Schema())))}
			b.s.Now = termTime
			testSchool(t, b.s, "DPS", 2)
			paid := mustPay(t, b.s, "1", 90_000)
			mustWriteBills(t, b.s, nextBill("1", "T2", 50_000))
			back := mustReverse(t, b.s, paid)
			mustAudit(t, b.s)
			if err := c.harm(b, back.ID); err != nil {
				t.Fatal(err)
			}
			report, err := b.s.Audit(context.Background(), "DPS")
			if err != nil {
				t.Fatal(err)
			}
			var found []string
			for _, f := range report.Findings {
				if f.What == c.what && strings.Contains(f.Text, c.says) {
					return
				}
				found = append(found, f.What+": "+f.Text)
			}
			t.Errorf("the audit does not say %q of it, but\n%s", c.what+": "+c.says, strings.Join(found, "\n"))
		})
	}
}

// The documents of adjustments are held to their shape.
func TestSchemaRefusesAdjustments(t *testing.T) {
	s := openTermSchool(t, 1)
	mustPay(t, s, "1", 90_000)
	mustWriteBills(t, s, nextBill("1", "T2", 50_000))
	row, err := s.Row(context.Background(), "DPS", "1:2026-27/T2:advance")
	if err != nil {
		t.Fatal(err)
	}
	fits := fitsSchema(t, payments)
	if why := fits(encoded(t, row)); why != "" {
		t.Fatalf("an adjustment is refused as it is: %s", why)
	}
	for name, change := range map[string]func(r *fees.Row){
		"money":         func(r *fees.Row) { r.Total = 1 },
		"less money":    func(r *fees.Row) { r.Total = -1 },
		"a tender":      func(r *fees.Row) { r.Tenders = []fees.Tender{{Mode: fees.ModeCash, Amount: 100}} },
		"no lines":      func(r *fees.Row) { r.Lines = []fees.Line{} },
		"no reason":     func(r *fees.Row) { r.Reason = "" },
		"a series":      func(r *fees.Row) { r.Series = fees.SeriesReceipt },
		"another's":     func(r *fees.Row) { r.Institute = "dps" },
		"a double kind": func(r *fees.Row) { r.Kind = fees.KindPayment },
	} {
		harmed := row
		change(&harmed)
		if fits(encoded(t, harmed)) == "" {
			t.Errorf("an adjustment with %s is accepted", name)
		}
	}
}

// fitsSchema says why a document does not fit a collection.
func fitsSchema(t *testing.T, name string) func(bson.Raw) string {
	t.Helper()
	for _, c := range Schema() {
		if c.Name == name {
			fits, err := docdbtest.Schema(c)
			if err != nil {
				t.Fatal(err)
			}
			return fits
		}
	}
	t.Fatalf("there is no collection %s", name)
	return nil
}
