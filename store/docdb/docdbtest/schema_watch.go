package docdbtest

import (
	"context"
	"fmt"
	"iter"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	"raseed/store/docdb"
)

// Validated wraps a database so that the test fails when something is written
// that a MongoDB server or a sharded cluster would refuse: a document that does
// not fit its collection's Schema, or an update of one document whose filter
// does not say "_id" and the collection's Shard field. Inserts are checked
// before they are made; after an update the document is read back.
//
// A test that edits documents by hand does so on ByHand of the database.
func Validated(t testing.TB, db docdb.DB, collections []docdb.Collection) docdb.DB {
	t.Helper()
	w := &schemaWatch{DB: db, t: t, colls: map[string]watched{}}
	for _, c := range collections {
		fits, err := Schema(c)
		if err != nil {
			t.Fatal(err)
		}
		w.colls[c.Name] = watched{fits, c.Shard}
	}
	return w
}

// Schema makes the check of a collection's Schema: it says why a document does
// not fit, "" when it does.
func Schema(c docdb.Collection) (func(doc bson.Raw) string, error) {
	schema := c.Schema
	if schema == nil {
		schema = bson.D{}
	}
	raw, err := bson.Marshal(schema)
	if err != nil {
		return nil, fmt.Errorf("schema of %s: %w", c.Name, err)
	}
	fits, err := compileSchema(raw)
	if err != nil {
		return nil, fmt.Errorf("schema of %s: %w", c.Name, err)
	}
	return func(doc bson.Raw) string {
		return fits(c.Name, bson.RawValue{Type: bson.TypeEmbeddedDocument, Value: doc})
	}, nil
}

// ByHand is db without the checks of Validated, for a test that plays somebody
// who edits documents with the server's own tools. Other wrappers stay away too.
func ByHand(db docdb.DB) docdb.DB {
	for {
		switch w := db.(type) {
		case *scanWatch:
			db = w.DB
		case *schemaWatch:
			return w.DB
		default:
			return db
		}
	}
}

type watched struct {
	fits  func(doc bson.Raw) string
	shard string
}

type schemaWatch struct {
	docdb.DB
	t     testing.TB
	colls map[string]watched
}

// look checks a document that is about to be written or was.
func (w *schemaWatch) look(op, coll string, doc any) {
	w.t.Helper()
	raw, isRaw := doc.(bson.Raw)
	if !isRaw {
		var err error
		if raw, err = bson.Marshal(doc); err != nil {
			return // the engine will say so
		}
	}
	c, declared := w.colls[coll]
	if !declared {
		w.t.Errorf("%s %s: the collection is not declared", op, coll)
		return
	}
	if why := c.fits(raw); why != "" {
		w.t.Errorf("%s %s: a MongoDB server would refuse this document: %s\n%s", op, coll, why, raw)
	}
}

// target is the key that an update's filter names.
func (w *schemaWatch) target(op, coll string, filter bson.D) (id any) {
	w.t.Helper()
	var shard any
	want := w.colls[coll].shard
	for _, e := range filter {
		if _, ranged := e.Value.(bson.D); ranged {
			continue
		}
		switch e.Key {
		case "_id":
			id = e.Value
		case want:
			shard = e.Value
		}
	}
	if id == nil || want != "" && shard == nil {
		w.t.Errorf("%s %s: a sharded cluster wants _id and %q in the filter %v", op, coll, want, filter)
	}
	return id
}

// readBack checks documents that were just written.
func (w *schemaWatch) readBack(ctx context.Context, op, coll string, ids ...any) {
	w.t.Helper()
	for raw, err := range w.DB.Find(ctx, coll, bson.D{{Key: "_id", Value: bson.D{{Key: "$in", Value: bson.A(ids)}}}}, docdb.Find{}) {
		if err != nil {
			return // cancelled: a later write will be looked at
		}
		w.look(op, coll, raw)
	}
}

func (w *schemaWatch) InsertOne(ctx context.Context, coll string, doc any) error {
	w.t.Helper()
	w.look("InsertOne", coll, doc)
	return w.DB.InsertOne(ctx, coll, doc)
}

func (w *schemaWatch) InsertMany(ctx context.Context, coll string, docs []any) (int64, error) {
	w.t.Helper()
	for _, doc := range docs {
		w.look("InsertMany", coll, doc)
	}
	return w.DB.InsertMany(ctx, coll, docs)
}

func (w *schemaWatch) UpdateOne(ctx context.Context, coll string, filter, update bson.D, opts docdb.Update) (docdb.UpdateResult, error) {
	w.t.Helper()
	id := w.target("UpdateOne", coll, filter)
	res, err := w.DB.UpdateOne(ctx, coll, filter, update, opts)
	w.readBack(ctx, "UpdateOne", coll, id)
	return res, err
}

func (w *schemaWatch) FindOneAndUpdate(ctx context.Context, coll string, filter, update bson.D, opts docdb.Update, out any) error {
	w.t.Helper()
	id := w.target("FindOneAndUpdate", coll, filter)
	err := w.DB.FindOneAndUpdate(ctx, coll, filter, update, opts, out)
	w.readBack(ctx, "FindOneAndUpdate", coll, id)
	return err
}

func (w *schemaWatch) BulkWrite(ctx context.Context, coll string, ops []docdb.UpdateOp, ordered bool) (docdb.BulkResult, error) {
	w.t.Helper()
	ids := make([]any, len(ops))
	for i, op := range ops {
		ids[i] = w.target("BulkWrite", coll, op.Filter)
	}
	res, err := w.DB.BulkWrite(ctx, coll, ops, ordered)
	w.readBack(ctx, "BulkWrite", coll, ids...)
	return res, err
}

func (w *schemaWatch) DeleteOne(ctx context.Context, coll string, filter bson.D) (int64, error) {
	w.t.Helper()
	w.target("DeleteOne", coll, filter)
	return w.DB.DeleteOne(ctx, coll, filter)
}

// Check passes an engine's check of itself on.
func (w *schemaWatch) Check(ctx context.Context) iter.Seq2[docdb.Damage, error] {
	if c, ok := w.DB.(docdb.Checker); ok {
		return c.Check(ctx)
	}
	return func(func(docdb.Damage, error) bool) {}
}
