package sqlite_test

import (
	"errors"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	"raseed/store/docdb"
)

// nested is a document that is n levels deep.
func nested(n int) bson.D {
	doc := d("x", int64(1))
	for range n - 1 {
		doc = d("x", doc)
	}
	return doc
}

// TestDocumentsOutsideOfTheSubset: what MongoDB would take and the subset does
// not is refused at once, with the field's path.
func TestDocumentsOutsideOfTheSubset(t *testing.T) {
	db := open(t)
	must(t, db.Ensure(ctx, []docdb.Collection{{Name: "c", Indexes: []docdb.Index{
		{Name: "u", Keys: asc("institute", "code"), Unique: true, Partial: exists("institute")},
		{Name: "tags", Keys: []docdb.Key{{Path: "institute"}, {Path: "tags", Multi: true}}},
	}}}))
	var none *string
	for _, c := range []struct {
		name string
		doc  any
		want string
	}{
		{"int32", d("_id", "a", "x", d("y", int32(1))), `field "x.y" is an int32`},
		{"int", d("_id", "a", "x", 1), `field "x" is an int32`},
		{"double", d("_id", "a", "x", bson.A{1.5}), `field "x.0" is a double`},
		{"null", d("_id", "a", "x", nil), `field "x" is null`},
		{"nil pointer", d("_id", "a", "x", none), `field "x" is null`},
		{"nil slice", d("_id", "a", "x", []string(nil)), `field "x" is null`},
		{"object id", d("_id", "a", "x", bson.NewObjectID()), `field "x" is of type objectID`},
		{"regex", d("_id", "a", "x", bson.Regex{Pattern: "a"}), `field "x" is of type regex`},
		{"no key", d("x", int64(1)), "needs an _id"},
		{"key that is no string", d("_id", int64(1)), "needs an _id, which is a string"},
		{"dot in a name", d("_id", "a", "x", d("y.z", true)), `field "x.y.z" has a dot`},
		{"dollar in a name", d("_id", "a", "x", d("$set", true)), `field "x.$set" starts with $`},
		{"dollar date in a name", d("_id", "a", "$date", "x"), `field "$date" starts with $`},
		{"no name", d("_id", "a", "", true), "has no name"},
		{"too deep", d("_id", "a", "x", nested(50)), "is nested too deep"},
		{"not UTF-8", d("_id", "a", "x", "a\xffb"), `field "x" is not valid UTF-8`},
		{"not UTF-8 in a name", d("_id", "a", "x\xff", true), "is not valid UTF-8"},
		{"key that is not UTF-8", d("_id", "\xc3"), `field "_id" is not valid UTF-8`},
		{"missing field of a unique index", d("_id", "a", "institute", "P"), `field "code" is missing and belongs to the unique index u`},
		{"array at an index", d("_id", "a", "institute", "P", "code", bson.A{"x"}), `field "code" is indexed and not a scalar`},
		{"document at an index", d("_id", "a", "institute", "P", "code", d("x", "y")), `field "code" is indexed and not a scalar`},
		{"numbers in a multikey index", d("_id", "a", "institute", "P", "code", "x", "tags", bson.A{"t", int64(1)}), `field "tags" is a multikey index`},
		{"missing field of a multikey index", d("_id", "a", "tags", bson.A{"t"}), `field "institute" is missing`},
		{"malformed", bson.Raw{9, 0, 0, 0, 2, 'x', 0, 99, 0}, "malformed"},
		{"cut off", bson.Raw{5, 0}, "malformed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := db.InsertOne(ctx, "c", c.doc)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want %q in it", err, c.want)
			}
			if errors.Is(err, docdb.ErrUnavailable) || errors.Is(err, docdb.ErrUnknownOutcome) {
				t.Errorf("a fault of the caller is called %v", err)
			}
		})
	}
	if n := count(t, db, "c", nil); n != 0 {
		t.Errorf("%d of them went in", n)
	}
	must(t, db.InsertOne(ctx, "c", d("_id", "deep", "x", nested(49))))
	set := d("$set", d("institute", "P"))
	if _, err := db.UpdateOne(ctx, "c", d("_id", "deep"), set, docdb.Update{}); err == nil || !strings.Contains(err.Error(), "unique index u") {
		t.Errorf("an update into a unique index without its field gives %v", err)
	}
	if _, err := db.UpdateOne(ctx, "c", d("_id", "deep"), d("$set", d("x.x.x.x", nested(48))), docdb.Update{}); err == nil || !strings.Contains(err.Error(), "nested too deep") {
		t.Errorf("an update that nests too deep gives %v", err)
	}
}

func TestFiltersOutsideOfTheSubset(t *testing.T) {
	db := open(t)
	must(t, db.Ensure(ctx, []docdb.Collection{{Name: "c"}}))
	for _, c := range []struct {
		filter bson.D
		want   string
	}{
		{d("x", d("$regex", "a")), "operator $regex is outside"},
		{d("x", d("$not", d("$gt", int64(1)))), "operator $not is outside"},
		{d("x", d("$elemMatch", d("y", int64(1)))), "operator $elemMatch is outside"},
		{d("x", d("$gt", int64(1), "$size", int64(1))), "operator $size is outside"},
		{d("$nor", bson.A{d("x", int64(1))}), "operator $nor is outside"},
		{d("$where", "1"), "operator $where is outside"},
		{d("$or", bson.A{d("x", d("$type", "string"))}), "operator $type is outside"},
		{d("$or", bson.A{}), "$or is empty"},
		{d("$and", d("x", int64(1))), "$and wants an array"},
		{d("$and", bson.A{int64(1)}), "$and wants documents"},
		{d("x", nil), "is null"},
		{d("x", d("$ne", nil)), "is null"},
		{d("x", d("$in", bson.A{"a", nil})), "is null"},
		{d("x", d("$in", "a")), "$in wants an array"},
		{d("x", d("$in", make([]string, 30_001))), "more than 30000"},
		{d("x", 1), "is an int32"},
		{d("x", d("$gt", 1.5)), "is a double"},
		{d("x", d("$gt", bson.A{"a"})), "$gt wants a scalar"},
		{d("x", d("$exists", int64(1))), "$exists wants a bool"},
		{d("x", d("y", int64(1), "$gt", int64(1))), "starts with $"},
		{d("x", bson.M{"$gt": int64(1)}), "starts with $"},
		{d("x..y", int64(1)), "is not a path"},
		{d("", int64(1)), "is not a path"},
		{d("x.$", int64(1)), "is not a path"},
		{d("x", "\xff"), "not valid UTF-8"},
	} {
		check := func(op string, err error) {
			t.Helper()
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s %v: error is %v, want %q in it", op, c.filter, err, c.want)
			}
		}
		var out bson.Raw
		check("FindOne", db.FindOne(ctx, "c", c.filter, docdb.Find{}, &out))
		_, err := db.Count(ctx, "c", c.filter, 0)
		check("Count", err)
		_, err = db.UpdateOne(ctx, "c", c.filter, d("$set", d("y", true)), docdb.Update{})
		check("UpdateOne", err)
		_, err = db.DeleteMany(ctx, "c", c.filter)
		check("DeleteMany", err)
		_, err = db.Group(ctx, "c", c.filter, docdb.Group{By: []string{"x"}})
		check("Group", err)
	}
}

func TestUpdatesOutsideOfTheSubset(t *testing.T) {
	db := open(t)
	must(t, db.Ensure(ctx, []docdb.Collection{{Name: "c"}}))
	must(t, db.InsertOne(ctx, "c", d("_id", "a", "list", bson.A{d("x", int64(1))})))
	for _, c := range []struct {
		update bson.D
		want   string
	}{
		{nil, "is empty"},
		{d("x", int64(1)), "operator x is outside"},
		{d("$rename", d("x", "y")), "operator $rename is outside"},
		{d("$set", bson.D{}), "$set wants a document"},
		{d("$set", bson.M{"x": int64(1)}), "$set wants a document"},
		{d("$set", d("x", nil)), "is null"},
		{d("$set", d("x", 1)), "is an int32"},
		{d("$set", d("x", d("y", nil))), "is null"},
		{d("$set", d("list.0.x", int64(2))), "goes through a field that is no document"},
		{d("$set", d("list.$.x", int64(2))), "is not a path"},
		{d("$unset", d("list.x", "")), "goes through a field that is no document"},
		{d("$inc", d("x", 1.5)), "is a double"},
		{d("$inc", d("x", "1")), "wants an int64"},
		{d("$max", d("x", bson.A{})), "wants a scalar"},
		{d("$push", d("list", d("$each", bson.A{}))), "$each is outside"},
		{d("$pull", d("list", d("$in", bson.A{}))), "$in is outside"},
		{d("$setOnInsert", d("x", int64(1))), "without an upsert"},
	} {
		_, err := db.UpdateOne(ctx, "c", d("_id", "a"), c.update, docdb.Update{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: error is %v, want %q in it", c.update, err, c.want)
		}
	}
	for _, c := range []struct {
		filter, update bson.D
		want           string
	}{
		{d("x", int64(1)), d("$set", d("y", true)), "needs an _id"},
		{d("_id", d("$gt", "a")), d("$set", d("y", true)), "needs an _id"},
		{d("_id", "b", "x", int64(1)), d("$set", d("x.y", true)), "goes through a field that is no document"},
	} {
		_, err := db.UpdateOne(ctx, "c", c.filter, c.update, docdb.Update{Upsert: true})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("upsert %v %v: error is %v, want %q in it", c.filter, c.update, err, c.want)
		}
	}
	if n := count(t, db, "c", nil); n != 1 {
		t.Errorf("there are %d documents, want 1", n)
	}
}

func TestDeclarationsOutsideOfTheSubset(t *testing.T) {
	db := open(t)
	for _, c := range []struct {
		name string
		coll docdb.Collection
		want string
	}{
		{"name", docdb.Collection{Name: "a b"}, "letters, digits"},
		{"name of an index", docdb.Collection{Name: "c", Indexes: []docdb.Index{{Name: "x.y", Keys: asc("a")}}}, "letters, digits"},
		{"two of a name", docdb.Collection{Name: "c", Indexes: []docdb.Index{{Name: "x", Keys: asc("a")}, {Name: "x", Keys: asc("b")}}}, "once each"},
		{"no keys", docdb.Collection{Name: "c", Indexes: []docdb.Index{{Name: "x"}}}, "no keys"},
		{"two arrays", docdb.Collection{Name: "c", Indexes: []docdb.Index{{Name: "x", Keys: []docdb.Key{{Path: "a", Multi: true}, {Path: "b", Multi: true}}}}}, "more than one array"},
		{"unique multikey", docdb.Collection{Name: "c", Indexes: []docdb.Index{{Name: "x", Unique: true, Keys: []docdb.Key{{Path: "a", Multi: true}}}}}, "neither unique nor partial"},
		{"array and scalar", docdb.Collection{Name: "c", Indexes: []docdb.Index{{Name: "x", Keys: []docdb.Key{{Path: "a", Multi: true}}}, {Name: "y", Keys: asc("a")}}}, "array in another index"},
		{"partial by range", docdb.Collection{Name: "c", Indexes: []docdb.Index{{Name: "x", Keys: asc("a"), Partial: d("a", d("$gt", int64(1)))}}}, "wants $exists: true or a scalar"},
		{"partial by absence", docdb.Collection{Name: "c", Indexes: []docdb.Index{{Name: "x", Keys: asc("a"), Partial: d("b", d("$exists", false))}}}, "wants $exists: true or a scalar"},
		{"names that differ in case", docdb.Collection{Name: "c", Indexes: []docdb.Index{{Name: "x", Keys: asc("a", "A")}}}, "differ in case"},
		{"taken name", docdb.Collection{Name: "c", Indexes: []docdb.Index{{Name: "x", Keys: asc("doc")}}}, "cannot be indexed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := db.Ensure(ctx, []docdb.Collection{c.coll}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want %q in it", err, c.want)
			}
		})
	}
	if err := db.InsertOne(ctx, "undeclared", d("_id", "a")); err == nil || !strings.Contains(err.Error(), `collection "undeclared" is not declared`) {
		t.Errorf("a collection that is not declared gives %v", err)
	}
	must(t, db.Ensure(ctx, []docdb.Collection{{Name: "c", Indexes: []docdb.Index{{Name: "x", Keys: []docdb.Key{{Path: "a", Multi: true}}}}}}))
	must(t, db.InsertOne(ctx, "c", d("_id", "a", "list", bson.A{int64(1)})))
	for name, opts := range map[string]docdb.Find{
		"is an array":               {Sort: asc("a")},
		"is or goes through an arr": {Sort: asc("list")},
		"collides":                  {Fields: []string{"x.y", "x"}},
		"is not a path":             {Fields: []string{"x..y"}},
	} {
		for _, err := range db.Find(ctx, "c", nil, opts) {
			if err == nil || !strings.Contains(err.Error(), name) {
				t.Errorf("%+v: error is %v, want %q in it", opts, err, name)
			}
		}
	}
}
