package mongodb

import (
	"math"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
)

func TestGroupsComeFlat(t *testing.T) {
	by2 := docdb.Group{By: []string{"series", "date.month"}, Accs: []docdb.Acc{
		{As: "n", Op: docdb.CountN}, {As: "total", Op: docdb.Sum, Path: "amount"},
		{As: "first", Op: docdb.Min, Path: "number"}, {As: "last", Op: docdb.Max, Path: "number"},
	}}
	all := docdb.Group{Accs: []docdb.Acc{{As: "total", Op: docdb.Sum, Path: "amount"}}}
	for _, c := range []struct {
		name   string
		group  docdb.Group
		server bson.D
		want   string // "" is an error
	}{
		{
			"as MongoDB gives it", by2,
			bson.D{{Key: "_id", Value: bson.D{{Key: "k0", Value: "receipt"}, {Key: "k1", Value: "2026-11"}}},
				{Key: "a0", Value: int64(3)}, {Key: "a1", Value: int64(1 << 60)}, {Key: "a2", Value: int64(1)}, {Key: "a3", Value: int64(9)}},
			`{"series": "receipt","month": "2026-11","n": {"$numberLong":"3"},"total": {"$numberLong":"1152921504606846976"},"first": {"$numberLong":"1"},"last": {"$numberLong":"9"}}`,
		}, {
			"a key and an amount that no document has", by2,
			bson.D{{Key: "_id", Value: bson.D{{Key: "k0", Value: "receipt"}}},
				{Key: "a0", Value: int32(3)}, {Key: "a1", Value: int32(0)}, {Key: "a2", Value: nil}, {Key: "a3", Value: nil}},
			`{"series": "receipt","n": {"$numberLong":"3"},"total": {"$numberLong":"0"}}`,
		}, {
			"a key that is null, a server that counts in doubles", by2,
			bson.D{{Key: "_id", Value: bson.D{{Key: "k0", Value: "receipt"}, {Key: "k1", Value: nil}}},
				{Key: "a0", Value: 3.0}, {Key: "a1", Value: 4500.0}, {Key: "a2", Value: int64(1)}},
			`{"series": "receipt","n": {"$numberLong":"3"},"total": {"$numberLong":"4500"},"first": {"$numberLong":"1"}}`,
		},
		{"one group of all", all, bson.D{{Key: "_id", Value: nil}, {Key: "a0", Value: int64(5)}}, `{"total": {"$numberLong":"5"}}`},
		{"a sum that overflowed", all, bson.D{{Key: "_id", Value: nil}, {Key: "a0", Value: 9.3e18}}, ""},
		{"a sum that is not exact", all, bson.D{{Key: "_id", Value: nil}, {Key: "a0", Value: float64(1 << 53)}}, ""},
		{"a fraction", all, bson.D{{Key: "_id", Value: nil}, {Key: "a0", Value: 0.5}}, ""},
		{"no number", all, bson.D{{Key: "_id", Value: nil}, {Key: "a0", Value: math.NaN()}}, ""},
		{"not a number", all, bson.D{{Key: "_id", Value: nil}, {Key: "a0", Value: "5"}}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			raw, err := bson.Marshal(c.server)
			if err != nil {
				t.Fatal(err)
			}
			got, err := flatGroup(raw, c.group)
			if (err != nil) != (c.want == "") || (err == nil && got.String() != c.want) {
				t.Errorf("%v becomes\n%v, %v; want\n%s", raw, got, err, c.want)
			}
		})
	}
}

func TestGroupPipeline(t *testing.T) {
	g := docdb.Group{By: []string{"a.b", "c"}, Accs: []docdb.Acc{{As: "n", Op: docdb.CountN}, {As: "s", Op: docdb.Sum, Path: "x.y"}, {As: "m", Op: docdb.Min, Path: "z"}}}
	got, err := bson.MarshalExtJSON(bson.D{{Key: "p", Value: groupPipeline(bson.D{{Key: "institute", Value: "P"}}, g)}}, false, false)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"p":[{"$match":{"institute":"P"}},` +
		`{"$group":{"_id":{"k0":"$a.b","k1":"$c"},"a0":{"$sum":1},"a1":{"$sum":"$x.y"},"a2":{"$min":"$z"}}},` +
		`{"$sort":{"_id.k0":1,"_id.k1":1}}]}`
	if string(got) != want {
		t.Errorf("pipeline is\n%s, want\n%s", got, want)
	}
}
