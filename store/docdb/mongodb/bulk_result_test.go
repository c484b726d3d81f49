package mongodb

import (
	"reflect"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
)

func TestPartialBulkResults(t *testing.T) {
	refused := bson.A{bson.D{{Key: "index", Value: 3}, {Key: "code", Value: 11000}, {Key: "errmsg", Value: numberTaken}}}
	upserted := bson.A{
		bson.D{{Key: "index", Value: 2}, {Key: "_id", Value: "P:2"}},
		bson.D{{Key: "index", Value: 0}, {Key: "_id", Value: "P:0"}},
	}
	for _, c := range []struct {
		name    string
		ordered bool
		reply   bson.D
		want    docdb.BulkResult
		err     string
	}{
		{
			"all done", true,
			bson.D{{Key: "ok", Value: 1}, {Key: "n", Value: 5}, {Key: "nModified", Value: 2}, {Key: "upserted", Value: upserted}},
			docdb.BulkResult{Matched: 3, Modified: 2, Upserts: []int{0, 2}}, "nil",
		}, {
			"ordered, stopped at the fourth", true,
			bson.D{{Key: "ok", Value: 1}, {Key: "n", Value: 3}, {Key: "nModified", Value: 1}, {Key: "upserted", Value: upserted}, {Key: "writeErrors", Value: refused}},
			docdb.BulkResult{Matched: 1, Modified: 1, Upserts: []int{0, 2}}, "duplicate in number",
		}, {
			"unordered, the fourth refused", false,
			bson.D{{Key: "ok", Value: 1}, {Key: "n", Value: 4}, {Key: "nModified", Value: 2}, {Key: "upserted", Value: upserted}, {Key: "writeErrors", Value: refused}},
			docdb.BulkResult{Matched: 2, Modified: 2, Upserts: []int{0, 2}}, "duplicate in number",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := startServer(t, &scriptedServer{answer: func(string, bson.Raw) any { return c.reply }})
			ops := make([]docdb.UpdateOp, 5)
			for i := range ops {
				ops[i].Update = bson.D{{Key: "$set", Value: bson.D{{Key: "a", Value: int64(i)}}}}
			}
			got, err := openOn(t, s, "").BulkWrite(t.Context(), "payments", ops, c.ordered)
			if meaning(err) != c.err {
				t.Errorf("error means %q, want %q (%v)", meaning(err), c.err, err)
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("result %+v, want %+v", got, c.want)
			}
			sent := s.commands("update")
			if len(sent) != 1 || sent[0].Lookup("ordered").Boolean() != c.ordered {
				t.Errorf("sent %v, want one update with ordered %v", sent, c.ordered)
			}
		})
	}
}

func TestInsertManySaysHowManyWentIn(t *testing.T) {
	docs := []any{bson.D{{Key: "_id", Value: "P:0"}}, bson.D{{Key: "_id", Value: "P:1"}}, bson.D{{Key: "_id", Value: "P:2"}}}
	dup := bson.E{Key: "writeErrors", Value: bson.A{bson.D{{Key: "index", Value: 1}, {Key: "code", Value: 11000}, {Key: "errmsg", Value: "E11000 duplicate key error collection: ledger.payments index: _id_ dup key: { _id: \"P:1\" }"}}}}
	lag := bson.E{Key: "writeConcernError", Value: bson.D{{Key: "code", Value: 64}, {Key: "errmsg", Value: "timed out"}}}
	for _, c := range []struct {
		name  string
		reply any
		n     int64
		err   string
	}{
		{"all", bson.D{{Key: "ok", Value: 1}, {Key: "n", Value: 3}}, 3, "nil"},
		{"up to a duplicate", bson.D{{Key: "ok", Value: 1}, {Key: "n", Value: 1}, dup}, 1, "duplicate in _id_"},
		{"not on a majority", bson.D{{Key: "ok", Value: 1}, {Key: "n", Value: 3}, lag}, 0, "unknown outcome"},
		{"answer lost", hangUp, 0, "unknown outcome"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := startServer(t, &scriptedServer{answer: func(string, bson.Raw) any { return c.reply }})
			n, err := openOn(t, s, "").InsertMany(t.Context(), "payments", docs)
			if n != c.n || meaning(err) != c.err {
				t.Errorf("n = %d, error means %q (%v); want %d, %q", n, meaning(err), err, c.n, c.err)
			}
		})
	}
}

func TestNothingToWriteIsNotSent(t *testing.T) {
	s := startServer(t, &scriptedServer{})
	db := openOn(t, s, "")
	if n, err := db.InsertMany(t.Context(), "payments", nil); n != 0 || err != nil {
		t.Errorf("insert of no documents: %d, %v", n, err)
	}
	if got, err := db.BulkWrite(t.Context(), "payments", nil, true); !reflect.DeepEqual(got, docdb.BulkResult{}) || err != nil {
		t.Errorf("bulk of no operations: %+v, %v", got, err)
	}
	if n := len(s.commands("insert")) + len(s.commands("update")); n != 0 {
		t.Errorf("%d commands were sent", n)
	}
}
