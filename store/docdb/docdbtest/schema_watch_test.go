package docdbtest

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"raseed/store/docdb"
	"raseed/store/docdb/sqlite"
)

// The meaning of the keywords is that of the server's manual, $jsonSchema.
func TestSchemaKeywords(t *testing.T) {
	for _, c := range []struct {
		name   string
		schema bson.D
		value  any
		says   string // "" when it fits
	}{
		{"type", d("bsonType", "long"), int64(1), ""},
		{"other type", d("bsonType", "long"), 1.0, "is a double, want long"},
		{"null has no type of ours", d("bsonType", "string"), bson.Null{}, "is a null"},
		{"minimum itself", d("minimum", int64(1)), int64(1), ""},
		{"below minimum", d("minimum", int64(1)), int64(0), "want at least 1"},
		{"minimum is for numbers only", d("minimum", int64(1)), "", ""},
		{"above maximum", d("maximum", int64(1)), int64(2), "want at most 1"},
		{"length in characters", d("minLength", int64(2)), "é", "at least 2 characters"},
		{"pattern anywhere", d("pattern", "[0-9]"), "a1b", ""},
		{"pattern not found", d("pattern", "^[0-9]+$"), "a1b", "want it to match"},
		{"enum", d("enum", bson.A{"a", true}), true, ""},
		{"not in enum", d("enum", bson.A{"a", true}), false, "want one of"},
		{"required", d("required", bson.A{"a"}), d("b", "x"), "x.a is missing"},
		{"required is for documents only", d("required", bson.A{"a"}), "x", ""},
		{"property", d("properties", d("a", d("bsonType", "bool"))), d("a", "x", "b", 1.5), "x.a is a string"},
		{"a property that is not there", d("properties", d("a", d("bsonType", "bool"))), d("b", 1.5), ""},
		{"items", d("items", d("bsonType", "string")), bson.A{"a", int64(1)}, "x[1] is a 64-bit integer"},
		{"too few items", d("minItems", int64(1)), bson.A{}, "has 0 items"},
		{"second of anyOf", d("anyOf", bson.A{d("bsonType", "string"), d("minimum", int64(5))}), int64(5), ""},
		{"none of anyOf", d("anyOf", bson.A{d("bsonType", "string"), d("minimum", int64(5))}), int64(4), "none of anyOf"},
	} {
		t.Run(c.name, func(t *testing.T) {
			raw, err := bson.Marshal(c.schema)
			if err != nil {
				t.Fatal(err)
			}
			fit, err := compileSchema(raw)
			if err != nil {
				t.Fatal(err)
			}
			kind, data, err := bson.MarshalValue(c.value)
			if err != nil {
				t.Fatal(err)
			}
			why := fit("x", bson.RawValue{Type: kind, Value: data})
			if c.says == "" && why != "" || !strings.Contains(why, c.says) {
				t.Errorf("%v under %v: %q, want %q", c.value, c.schema, why, c.says)
			}
		})
	}
}

func TestSchemaOutsideTheSubsetIsAnError(t *testing.T) {
	for _, schema := range []bson.D{
		d("exclusiveMinimum", true), d("bsonType", "int"), d("required", bson.A{}), d("minimum", 1.5), d("pattern", "("),
		d("properties", d("a", d("format", "date"))), d("items", bson.A{}), d("anyOf", bson.A{"a"}),
	} {
		if _, err := Schema(docdb.Collection{Name: "x", Schema: schema}); err == nil {
			t.Errorf("schema %v was accepted", schema)
		}
	}
}

// spy is a test that remembers that it failed.
type spy struct {
	testing.TB
	said []string
}

func (s *spy) Helper() {}
func (s *spy) Errorf(format string, args ...any) {
	s.said = append(s.said, strings.SplitN(format, " ", 3)[2])
}

func TestValidatedFailsTheTest(t *testing.T) {
	colls := []docdb.Collection{
		{Name: "rows", Shard: "institute", Schema: d("required", bson.A{"institute"}, "properties", d("total", d("bsonType", "long")))},
		{Name: "logins"},
	}
	engine, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "x.db"), sqlite.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = engine.Close() })
	if err := engine.Ensure(ctx, colls); err != nil {
		t.Fatal(err)
	}
	one := d("_id", "P:1", "institute", "P")
	for _, c := range []struct {
		name string
		do   func(db docdb.DB) error
		bad  bool
	}{
		{"a good insert", func(db docdb.DB) error {
			return db.InsertOne(ctx, "rows", d("_id", "P:1", "institute", "P", "total", int64(1)))
		}, false},
		{"a good update", func(db docdb.DB) error {
			_, err := db.UpdateOne(ctx, "rows", one, d("$set", d("total", int64(2))), docdb.Update{})
			return err
		}, false},
		{"a good write to what is not sharded", func(db docdb.DB) error {
			_, err := db.UpdateOne(ctx, "logins", d("_id", "asha"), d("$set", d("n", int64(2))), docdb.Update{Upsert: true})
			return err
		}, false},
		{"an insert without a field", func(db docdb.DB) error { return db.InsertOne(ctx, "rows", d("_id", "P:2", "total", int64(1))) }, true},
		{"one of many", func(db docdb.DB) error {
			_, err := db.InsertMany(ctx, "rows", []any{d("_id", "P:3", "institute", "P"), d("_id", "P:4", "institute", "P", "total", "1")})
			return err
		}, true},
		{"an update to another type", func(db docdb.DB) error {
			_, err := db.UpdateOne(ctx, "rows", one, d("$set", d("total", "2")), docdb.Update{})
			return err
		}, true},
		{"a bulk that takes a field away", func(db docdb.DB) error {
			_, err := db.BulkWrite(ctx, "rows", []docdb.UpdateOp{{Filter: one, Update: d("$unset", d("institute", ""))}}, false)
			return err
		}, true},
		{"an update without the shard key", func(db docdb.DB) error {
			_, err := db.UpdateOne(ctx, "rows", d("_id", "P:3"), d("$set", d("a", "b")), docdb.Update{})
			return err
		}, true},
		{"an update of whatever comes first", func(db docdb.DB) error {
			return db.FindOneAndUpdate(ctx, "rows", d("institute", "P"), d("$set", d("a", "b")), docdb.Update{}, &bson.Raw{})
		}, true},
		{"a delete by a range", func(db docdb.DB) error {
			_, err := db.DeleteOne(ctx, "rows", d("_id", d("$gt", ""), "institute", "P"))
			return err
		}, true},
	} {
		s := &spy{TB: t}
		if err := c.do(Validated(s, engine, colls)); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if failed := len(s.said) > 0; failed != c.bad {
			t.Errorf("%s: the test fails: %v, want %v (%q)", c.name, failed, c.bad, s.said)
		}
	}
}
