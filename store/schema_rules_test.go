package store

import (
	"context"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/docdb/docdbtest"
	"raseed/store/fees"
)

func TestEveryCollectionHasASchema(t *testing.T) {
	for _, c := range Schema() {
		if c.Schema == nil {
			t.Errorf("%s has no schema: add it to schema_rules.go", c.Name)
		}
		if _, err := docdbtest.Schema(c); err != nil {
			t.Error(err)
		}
		for _, i := range c.Indexes {
			if c.Shard != "" && i.Keys[0].Path != c.Shard {
				t.Errorf("index %s of %s does not begin with the shard key %s", i.Name, c.Name, c.Shard)
			}
			if c.Shard == "" && i.Unique && i.Keys[0].Path == "institute" {
				t.Errorf("%s could be sharded by institute and is not declared so", c.Name)
			}
		}
	}
}

// TestSchemasRefuse changes one thing in documents that the ledger wrote.
func TestSchemasRefuse(t *testing.T) {
	s := openTest(t)
	ctx := context.Background()
	testSchool(t, s, "DPS", 1)
	paid, err := s.RecordPayment(ctx, "DPS", cash(s, "1", 20_000))
	if err != nil {
		t.Fatal(err)
	}
	back, err := s.ReversePayment(ctx, "DPS", fees.ReversalOrder{ID: paid.ShortID(), Reason: "Wrong student", By: fees.Actor{Login: "admin", Name: "Admin", Role: fees.RoleAdmin}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.AddUser(ctx, "DPS", "asha", "Asha R", fees.RoleCashier, "a long password"); err != nil {
		t.Fatal(err)
	}
	fits := map[string]func(bson.Raw) string{}
	for _, c := range Schema() {
		if fits[c.Name], err = docdbtest.Schema(c); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		coll, id, field string
		value           any // nil: the field is gone
		says            string
	}{
		{payments, paid.ID, "total", 12.5, "is a double"},
		{payments, paid.ID, "total", "20000", "is a string"},
		{payments, paid.ID, "total", int32(20_000), "is a 32-bit integer"},
		{payments, paid.ID, "total", bson.Null{}, "is a null"},
		{payments, paid.ID, "total", int64(0), "want at least 1"},
		{payments, paid.ID, "total", int64(-20_000), "want at least 1"},
		{payments, paid.ID, "total", nil, "total is missing"},
		{payments, paid.ID, "institute", nil, "institute is missing"},
		{payments, paid.ID, "institute", "dps", "want it to match"},
		{payments, paid.ID, "_id", "1", "want it to match"},
		{payments, paid.ID, "kind", "gift", "want one of"},
		{payments, paid.ID, "kind", "reversal", "none of anyOf"},
		{payments, paid.ID, "series", "reversal", "none of anyOf"},
		{payments, paid.ID, "date", "30-11-2026", "want it to match"},
		{payments, paid.ID, "number", int64(0), "want at least 1"},
		{payments, paid.ID, "awaiting", false, "want one of"},
		{payments, paid.ID, "recordedAt", "now", "is a string"},
		{payments, paid.ID, "tenders", bson.A{bson.D{{Key: "mode", Value: "gold"}, {Key: "amount", Value: int64(20_000)}}}, "tenders[0].mode"},
		{payments, paid.ID, "tenders", bson.A{}, "at least 1"},
		{payments, paid.ID, "lines", bson.A{bson.D{{Key: "head", Value: "TUITION"}, {Key: "headName", Value: "Tuition"}, {Key: "amount", Value: 1.5}}}, "lines[0].amount"},
		{payments, back.ID, "total", int64(20_000), "want at most -1"},
		{payments, back.ID, "reverses", nil, "reverses is missing"},
		{bills, fees.Key("DPS", "1", paid.FY+"/T1"), "net", 500.0, "is a double"},
		{bills, fees.Key("DPS", "1", paid.FY+"/T1"), "lines", bson.A{}, "at least 1"},
		{bills, fees.Key("DPS", "1", paid.FY+"/T1"), "student", "", "at least 1 characters"},
		{bills, fees.Key("DPS", "1", paid.FY+"/T1"), "body", nil, "body is missing"},
		{accounts, "DPS:1", "version", int64(0), "want at least 1"},
		{accounts, "DPS:1", "balance", bson.Null{}, "is a null"},
		{counters, "receipt:DPS:" + paid.FY, "seq", int64(-1), "want at least 0"},
		{counters, "receipt:DPS:" + paid.FY, "holders", "DPS:1", "is a string"},
		{students, "DPS:1", "status", "gone", "want one of"},
		{students, "DPS:1", "terms", bson.A{bson.Null{}}, "terms[0]"},
		{institutes, "DPS", "fyStart", int64(13), "want at most 12"},
		{institutes, "DPS", "formats", bson.D{}, "formats.receipt is missing"},
		{users, "asha", "role", "root", "want one of"},
		{users, "asha", "disabled", "no", "want one of"},
	} {
		var doc bson.D
		if err := s.DB.FindOne(ctx, c.coll, bson.D{{Key: "_id", Value: c.id}}, docdb.Find{}, &doc); err != nil {
			t.Fatalf("%s %s: %v", c.coll, c.id, err)
		}
		if why := fits[c.coll](encoded(t, doc)); why != "" {
			t.Fatalf("%s %s is refused as it is: %s", c.coll, c.id, why)
		}
		if why := fits[c.coll](encoded(t, with(doc, c.field, c.value))); !strings.Contains(why, c.says) {
			t.Errorf("%s with %s %v: refused by %q, want %q", c.coll, c.field, c.value, why, c.says)
		}
	}
}

// with is doc with another value of a field, or without it.
func with(doc bson.D, field string, value any) bson.D {
	var out bson.D
	for _, e := range doc {
		if e.Key != field {
			out = append(out, e)
		}
	}
	if value != nil {
		out = append(out, bson.E{Key: field, Value: value})
	}
	return out
}

func encoded(t *testing.T, doc any) bson.Raw {
	t.Helper()
	raw, err := bson.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}
