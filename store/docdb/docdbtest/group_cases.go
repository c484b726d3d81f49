package docdbtest

import (
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	"raseed/store/docdb"
)

func (s *suite) groups(t *testing.T) {
	db := s.db(t)
	// head, mode and total are in an index; h, m and n are the same outside of
	// it; deep.x is, low.x is not.
	for i, row := range []struct {
		head, mode string
		total      any
	}{
		{"T", "cash", int64(100)}, {"T", "cash", int64(-30)}, {"T", "upi", int64(7)},
		{"L", "cash", int64(1)}, {"", "upi", int64(2)}, {"L", "card", nil}, {"L", "card", "text"},
	} {
		doc := d("_id", string(rune('a'+i)), "institute", "P", "mode", row.mode, "m", row.mode)
		if row.head != "" {
			doc = with(doc, "head", row.head, "h", row.head, "deep", d("x", row.head), "low", d("x", row.head))
		}
		if row.total != nil {
			doc = with(doc, "total", row.total, "n", row.total)
		}
		insert(t, db, "things", doc)
	}
	insert(t, db, "things", d("_id", "q", "institute", "Q", "head", "T", "h", "T", "mode", "cash", "m", "cash", "total", int64(1000), "n", int64(1000)))
	s.run(t, "every type", func(t *testing.T) {
		db := s.db(t)
		for id, v := range typed {
			doc := d("_id", id, "institute", "P")
			if v != nil {
				doc = with(doc, "v", v, "w", v)
			}
			insert(t, db, "things", doc, with(doc[1:], "_id", id+" again"))
		}
		// A missing field first, then numbers, text, binary, bools, dates.
		order := []string{"none", "int-3", "int5", "intmax", "empty", "str5", "apple", "zebra", "bin0", "bin", "false", "true", "day1", "day9"}
		for _, path := range []string{"v", "w"} {
			got, err := db.Group(ctx, "things", d("institute", "P"), docdb.Group{By: []string{path}, Accs: []docdb.Acc{{As: "n", Op: docdb.CountN}, {As: "low", Op: docdb.Min, Path: path}, {As: "high", Op: docdb.Max, Path: path}}})
			must(t, err)
			if len(got) != len(order) {
				t.Fatalf("%s: %d groups, want %d: %v", path, len(got), len(order), got)
			}
			for i, id := range order {
				want := d("n", int64(2))
				if v := typed[id]; v != nil {
					want = d(path, v, "n", int64(2), "low", v, "high", v)
				}
				same(t, got[i], want)
			}
			got, err = db.Group(ctx, "things", d("institute", "P", path, d("$exists", true)), docdb.Group{Accs: []docdb.Acc{{As: "low", Op: docdb.Min, Path: path}, {As: "high", Op: docdb.Max, Path: path}}})
			must(t, err)
			if len(got) != 1 {
				t.Fatalf("%s: %d groups by nothing, want 1", path, len(got))
			}
			same(t, got[0], d("low", int64(-3), "high", day(9)))
		}
	})
	for _, names := range [][4]string{{"head", "mode", "total", "deep.x"}, {"h", "m", "n", "low.x"}} {
		head, mode, total, deep := names[0], names[1], names[2], names[3]
		all := []docdb.Acc{{As: "sum", Op: docdb.Sum, Path: total}, {As: "count", Op: docdb.CountN}, {As: "low", Op: docdb.Min, Path: total}, {As: "high", Op: docdb.Max, Path: total}}
		for _, c := range []struct {
			name   string
			filter bson.D
			by     []string
			accs   []docdb.Acc
			want   []bson.D
		}{
			{"by one", d("institute", "P"), []string{head}, all, []bson.D{
				d("sum", int64(2), "count", int64(1), "low", int64(2), "high", int64(2)),
				d(head, "L", "sum", int64(1), "count", int64(3), "low", int64(1), "high", "text"),
				d(head, "T", "sum", int64(77), "count", int64(3), "low", int64(-30), "high", int64(100)),
			}},
			{"by two", d("institute", "P", head, "T"), []string{head, mode}, all[:2], []bson.D{
				d(head, "T", mode, "cash", "sum", int64(70), "count", int64(2)),
				d(head, "T", mode, "upi", "sum", int64(7), "count", int64(1)),
			}},
			{"by nothing", d("institute", "P"), nil, all[:2], []bson.D{d("sum", int64(80), "count", int64(7))}},
			{"nothing to sum", d("institute", "P", mode, "card", total, d("$exists", false)), []string{mode}, all, []bson.D{
				d(mode, "card", "sum", int64(0), "count", int64(1)),
			}},
			{"last name of a path", d("institute", "P", mode, "upi"), []string{deep}, all[1:2], []bson.D{
				d("count", int64(1)), d("x", "T", "count", int64(1)),
			}},
			{"distinct", d("institute", "P"), []string{mode}, nil, []bson.D{d(mode, "card"), d(mode, "cash"), d(mode, "upi")}},
			{"no match", d("institute", "R"), []string{head}, all, nil},
			{"no match by nothing", d("institute", "R"), nil, all, nil},
			{"filter without index", d("institute", "P", "h", "T", "m", "cash"), []string{head}, all[:1], []bson.D{d(head, "T", "sum", int64(70))}},
		} {
			s.run(t, head+"/"+c.name, func(t *testing.T) {
				got, err := db.Group(ctx, "things", c.filter, docdb.Group{By: c.by, Accs: c.accs})
				must(t, err)
				if len(got) != len(c.want) {
					t.Fatalf("%d groups, want %d: %v", len(got), len(c.want), got)
				}
				for i := range got {
					same(t, got[i], c.want[i])
				}
			})
		}
	}
}
