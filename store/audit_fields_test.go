package store

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// Whatever field of a row, a bill or an account is edited, the audit names the
// document.
func TestAuditNamesEveryField(t *testing.T) {
	b := openBookkeeping(t)
	ctx := context.Background()
	for coll, id := range map[string]string{payments: b.reversal.ID, bills: "P:900:2026-27/T2", accounts: "P:1"} {
		var doc bson.D
		if err := b.db.FindOne(ctx, coll, bson.D{{Key: "_id", Value: id}}, docdb.Find{}, &doc); err != nil {
			t.Fatal(err)
		}
		for _, e := range doc {
			switch e.Key {
			case "_id", "institute": // the key: a document of somebody else
				continue
			case "numberedAt", "version": // no promise rests on what they say, as long as they are there
				continue
			}
			if err := b.set(coll, id, e.Key, edited(e.Value)); err != nil {
				t.Fatal(err)
			}
			report, err := b.s.Audit(ctx, "P")
			if err != nil {
				t.Fatalf("%s.%s is edited: %v", coll, e.Key, err)
			}
			if !slices.ContainsFunc(report.Findings, func(f fees.Finding) bool { return f.ID == id }) {
				t.Errorf("%s.%s is edited: nothing names %s, got %s", coll, e.Key, id, spelt(report.Findings))
			}
			if err := b.set(coll, id, e.Key, e.Value); err != nil {
				t.Fatal(err)
			}
		}
	}
	mustAudit(t, b.s)
}

// edited is another value of the same type.
func edited(v any) any {
	switch v := v.(type) {
	case string:
		return v + "0"
	case int64:
		return v + 1
	case bool:
		return !v
	case bson.DateTime:
		return v + 1
	case bson.A:
		item, ok := v[0].(bson.D)
		if !ok {
			return v[:0]
		}
		item = slices.Clone(item)
		for i := range item {
			if text, ok := item[i].Value.(string); ok {
				item[i].Value = text + "0"
				break
			}
		}
		return append(bson.A{item}, v[1:]...)
	}
	panic(fmt.Sprintf("a document has no place for %T", v))
}
