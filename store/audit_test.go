package store

import (
	"context"
	"iter"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// Every way of tampering must be named by the audit.
func TestAuditNamesWhatIsWrong(t *testing.T) {
	numberOf := func(n int64) bson.D {
		return bson.D{{Key: "institute", Value: "P"}, {Key: "fy", Value: "2026-27"}, {Key: "series", Value: "receipt"}, {Key: "number", Value: n}}
	}
	cases := []struct {
		name string
		harm func(ctx context.Context, db docdb.DB) error
		what string
	}{
		{"a row is removed", func(ctx context.Context, db docdb.DB) error {
			_, err := db.DeleteOne(ctx, payments, numberOf(2))
			return err
		}, "gap"},
		{"the last row is removed", func(ctx context.Context, db docdb.DB) error {
			_, err := db.DeleteOne(ctx, payments, numberOf(5))
			return err
		}, "counter"},
		{"an amount is edited", func(ctx context.Context, db docdb.DB) error {
			_, err := db.UpdateOne(ctx, payments, numberOf(3), set("total", int64(1)), docdb.Update{})
			return err
		}, "body"},
		{"an amount is edited and its body recomputed", func(ctx context.Context, db docdb.DB) error {
			var raw bson.Raw
			if _, err := db.UpdateOne(ctx, payments, numberOf(3), set("remark", "edited"), docdb.Update{}); err != nil {
				return err
			}
			if err := db.FindOne(ctx, payments, numberOf(3), docdb.Find{}, &raw); err != nil {
				return err
			}
			body, err := bodyOf(raw)
			if err != nil {
				return err
			}
			_, err = db.UpdateOne(ctx, payments, numberOf(3), set("body", body), docdb.Update{})
			return err
		}, "chain"},
		{"a number is moved", func(ctx context.Context, db docdb.DB) error {
			_, err := db.UpdateOne(ctx, payments, numberOf(5), set("number", int64(7)), docdb.Update{})
			return err
		}, "gap"},
		{"the printed number is edited", func(ctx context.Context, db docdb.DB) error {
			_, err := db.UpdateOne(ctx, payments, numberOf(4), set("numberText", "P/26-27/00009"), docdb.Update{})
			return err
		}, "numberText"},
		{"the counter is set ahead", func(ctx context.Context, db docdb.DB) error {
			_, err := db.UpdateOne(ctx, counters, one("P", "receipt:P:2026-27"), set("seq", int64(9)), docdb.Update{})
			return err
		}, "counter"},
		{"the counter is set back", func(ctx context.Context, db docdb.DB) error {
			_, err := db.UpdateOne(ctx, counters, one("P", "receipt:P:2026-27"), set("seq", int64(3)), docdb.Update{})
			return err
		}, "counter"},
		{"the counter forgets whose the last number is", func(ctx context.Context, db docdb.DB) error {
			_, err := db.UpdateOne(ctx, counters, one("P", "receipt:P:2026-27"), set("holders", []string{}), docdb.Update{})
			return err
		}, "counter"},
		{"the counter's hash is edited", func(ctx context.Context, db docdb.DB) error {
			_, err := db.UpdateOne(ctx, counters, one("P", "receipt:P:2026-27"), set("baseHash", "0"), docdb.Update{})
			return err
		}, "counter"},
		{"a bill that was paid is removed", func(ctx context.Context, db docdb.DB) error {
			_, err := db.DeleteOne(ctx, bills, one("P", "P:1:2026-27/T1"))
			return err
		}, "bill"},
		{"a bill's net is edited", func(ctx context.Context, db docdb.DB) error {
			_, err := db.UpdateOne(ctx, bills, one("P", "P:1:2026-27/T1"), set("net", int64(1)), docdb.Update{})
			return err
		}, "bill"},
		{"a bill is copied to another key", func(ctx context.Context, db docdb.DB) error {
			var b fees.Bill
			if err := db.FindOne(ctx, bills, one("P", "P:1:2026-27/T1"), docdb.Find{}, &b); err != nil {
				return err
			}
			b.ID = "P:1:2026-27/T1-again"
			return db.InsertOne(ctx, bills, b)
		}, "bill"},
		{"the charge of a reversal is removed", func(ctx context.Context, db docdb.DB) error {
			_, err := db.DeleteMany(ctx, bills, bson.D{{Key: "institute", Value: "P"}, {Key: "period", Value: bson.D{{Key: "$gte", Value: "2026-27/BOUNCE/"}, {Key: "$lt", Value: "2026-27/BOUNCE0"}}}})
			return err
		}, "bill"},
		{"a student is removed", func(ctx context.Context, db docdb.DB) error {
			_, err := db.DeleteOne(ctx, students, one("P", "P:1"))
			return err
		}, "orphan"},
		{"a reversal is removed", func(ctx context.Context, db docdb.DB) error {
			_, err := db.DeleteOne(ctx, payments, bson.D{{Key: "institute", Value: "P"}, {Key: "numberText", Value: "RV/26-27/00001"}})
			return err
		}, "link"},
		{"the mark of a waiting row is lost", func(ctx context.Context, db docdb.DB) error {
			_, err := db.UpdateOne(ctx, payments, numberOf(5), bson.D{{Key: "$unset", Value: bson.D{{Key: "number", Value: ""}}}}, docdb.Update{})
			return err
		}, "rows"},
		{"a row of an institute that does not exist", func(ctx context.Context, db docdb.DB) error {
			return db.InsertOne(ctx, payments, bson.D{{Key: "_id", Value: "X:1"}, {Key: "institute", Value: "X"}, {Key: "date", Value: "2026-11-30"}, {Key: "student", Value: "1"}, {Key: "total", Value: int64(1)}})
		}, "orphan"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := openTest(t)
			s.Now = fixedNow
			testSchool(t, s, "P", 1)
			ctx := context.Background()
			var last fees.Row
			for range 5 {
				var err error
				if last, err = s.RecordPayment(ctx, "P", cash(s, "1", 100)); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := s.ReversePayment(ctx, "P", fees.ReversalOrder{ID: last.ShortID(), Reason: "wrong entry", Charge: 500}); err != nil {
				t.Fatal(err)
			}
			mustAudit(t, s)
			if err := c.harm(ctx, s.DB); err != nil {
				t.Fatal(err)
			}
			report, err := s.Audit(ctx, "")
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range report.Findings {
				if f.What == c.what {
					return
				}
			}
			t.Errorf("want a finding of kind %q, got %+v", c.what, report.Findings)
		})
	}
}

// The audit of everything also asks the engine about itself.
func TestAuditAsksTheEngine(t *testing.T) {
	s := openTest(t)
	s.DB = damagedEngine{s.DB}
	report, err := s.Audit(context.Background(), "")
	if err != nil || len(report.Findings) != 1 || report.Findings[0].What != "damage" || report.Findings[0].ID != "P:1" {
		t.Errorf("findings %+v, %v", report.Findings, err)
	}
}

type damagedEngine struct{ docdb.DB }

func (damagedEngine) Check(context.Context) iter.Seq2[docdb.Damage, error] {
	return func(yield func(docdb.Damage, error) bool) {
		yield(docdb.Damage{Coll: payments, ID: "P:1", Text: "the column differs"}, nil)
	}
}
