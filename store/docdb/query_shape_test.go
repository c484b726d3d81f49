package docdb

import (
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
)

func TestShape(t *testing.T) {
	e := func(key string, value any) bson.E { return bson.E{Key: key, Value: value} }
	for _, c := range []struct {
		name   string
		op     string
		filter bson.D
		sort   []Key
		want   string
	}{
		{"nothing asked", "insert", nil, nil, "insert payments"},
		{"equality", "findOne", bson.D{e("_id", "DPS:1"), e("institute", "DPS")}, nil, "findOne payments _id,institute"},
		{"another order is the same", "findOne", bson.D{e("institute", "DPS"), e("_id", "DPS:1")}, nil, "findOne payments _id,institute"},
		{"a range is named once", "find", bson.D{e("_id", bson.D{e("$gte", "DPS:"), e("$lt", "DPS;")})}, []Key{{Path: "date"}, {Path: "_id", Desc: true}},
			"find payments _id:range sort date,-_id"},
		{"operators", "count", bson.D{e("a", bson.D{e("$in", []string{"x"})}), e("b", bson.D{e("$exists", false)}), e("c", bson.D{e("$ne", true)}), e("d", bson.D{e("$eq", 1)})}, nil,
			"count payments a:in,b:exists,c:ne,d"},
		{"branches", "find", bson.D{e("$or", bson.A{bson.D{e("state", "x")}, bson.D{e("state", "y"), e("until", bson.D{e("$lte", 3)})}}), e("$and", []bson.D{{e("z", 1)}, {e("z", 2)}})}, nil,
			"find payments state,until:range,z"},
		{"equal to a document or a list", "find", bson.D{e("tally", bson.D{e("n", 1)}), e("terms", []string{"a"})}, nil, "find payments tally,terms"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Shape(c.op, "payments", c.filter, c.sort); got != c.want {
				t.Errorf("shape is %q, want %q", got, c.want)
			}
		})
	}
}

func TestShapeSaysNoValue(t *testing.T) {
	filter := bson.D{{Key: "name", Value: "SECRET"}, {Key: "$or", Value: bson.A{bson.D{{Key: "phone", Value: bson.D{{Key: "$in", Value: []string{"SECRET"}}}}}}}}
	if got := Shape("find", "students", filter, nil); strings.Contains(got, "SECRET") {
		t.Errorf("a value is in the shape %q", got)
	}
}

func BenchmarkShape(b *testing.B) {
	filter := bson.D{{Key: "_id", Value: "DPS:1"}, {Key: "institute", Value: "DPS"}, {Key: "number", Value: bson.D{{Key: "$exists", Value: false}}}}
	for b.Loop() {
		Shape("update", "payments", filter, nil)
	}
}
