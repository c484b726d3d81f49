package mongodb

import (
	"context"
	"fmt"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"raseed/store/docdb"
)

// Group folds the matches on the server.
func (db *DB) Group(ctx context.Context, coll string, filter bson.D, g docdb.Group) ([]bson.Raw, error) {
	ctx, done := db.within(ctx, manyDocuments*db.timeout)
	defer done()
	cursor, err := db.db.Collection(coll).Aggregate(ctx, groupPipeline(filter, g),
		options.Aggregate().SetAllowDiskUse(true).SetComment(docdb.Shape("group", coll, filter, nil)))
	if err != nil {
		return nil, readError("group", coll, err)
	}
	defer db.closeCursor(ctx, cursor)
	var out []bson.Raw
	for cursor.Next(ctx) {
		flat, err := flatGroup(cursor.Current, g)
		if err != nil {
			return nil, fmt.Errorf("group %s: %w", coll, err)
		}
		out = append(out, flat)
	}
	return out, readError("group", coll, cursor.Err())
}

// groupPipeline numbers its fields (k0, k1 … of _id, a0, a1 …): what the
// caller calls them may hold dots, which a group's fields may not.
func groupPipeline(filter bson.D, g docdb.Group) mongo.Pipeline {
	var (
		key   any // null: one group of all
		order bson.D
	)
	if len(g.By) > 0 {
		doc := make(bson.D, len(g.By))
		order = make(bson.D, len(g.By))
		for i, path := range g.By {
			doc[i] = bson.E{Key: keyField(i), Value: "$" + path}
			order[i] = bson.E{Key: "_id." + keyField(i), Value: int32(1)}
		}
		key = doc
	}
	fold := bson.D{{Key: "_id", Value: key}}
	for i, acc := range g.Accs {
		fold = append(fold, bson.E{Key: accField(i), Value: accumulator(acc)})
	}
	pipeline := mongo.Pipeline{{{Key: "$match", Value: where(filter)}}, {{Key: "$group", Value: fold}}}
	if order != nil {
		pipeline = append(pipeline, bson.D{{Key: "$sort", Value: order}})
	}
	return pipeline
}

func keyField(i int) string { return fmt.Sprintf("k%d", i) }
func accField(i int) string { return fmt.Sprintf("a%d", i) }

func accumulator(acc docdb.Acc) bson.D {
	if acc.Op == docdb.CountN {
		return bson.D{{Key: "$sum", Value: int64(1)}}
	}
	return bson.D{{Key: "$" + string(acc.Op), Value: "$" + acc.Path}}
}

// flatGroup reshapes one group of the server into {by1, by2 …, as1, as2 …}.
// Servers say null for a key or a minimum that no document has; docdb leaves
// the field out.
func flatGroup(doc bson.Raw, g docdb.Group) (bson.Raw, error) {
	flat := make(bson.D, 0, len(g.By)+len(g.Accs))
	for i, path := range g.By {
		if v := doc.Lookup("_id", keyField(i)); there(v) {
			flat = append(flat, bson.E{Key: path[strings.LastIndexByte(path, '.')+1:], Value: v})
		}
	}
	for i, acc := range g.Accs {
		v := doc.Lookup(accField(i))
		switch acc.Op {
		case docdb.Sum, docdb.CountN:
			n, err := integer(v)
			if err != nil {
				return nil, fmt.Errorf("%s of %s: %w", acc.Op, acc.Path, err)
			}
			flat = append(flat, bson.E{Key: acc.As, Value: n})
		default:
			if there(v) {
				flat = append(flat, bson.E{Key: acc.As, Value: v})
			}
		}
	}
	return bson.Marshal(flat)
}

func there(v bson.RawValue) bool { return !v.IsZero() && v.Type != bson.TypeNull }

// integer reads a sum, which servers give as whatever number they like. A sum
// of int64 comes as a double when it has overflowed, and is then not exact.
func integer(v bson.RawValue) (int64, error) {
	const exact = 1 << 53
	if !there(v) {
		return 0, nil
	}
	if f, ok := v.DoubleOK(); ok && (f != float64(int64(f)) || f <= -exact || f >= exact) {
		return 0, fmt.Errorf("%v is not an exact integer", f)
	}
	n, ok := v.AsInt64OK()
	if !ok {
		return 0, fmt.Errorf("a %s is not a number", v.Type)
	}
	return n, nil
}
