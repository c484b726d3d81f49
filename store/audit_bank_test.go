package store

import (
	"context"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// What a hand changes about cheques and refunds is found.
func TestAuditFindsWrongChequesAndRefunds(t *testing.T) {
	field := func(name string, value any) bson.D {
		return bson.D{{Key: "$set", Value: bson.D{{Key: name, Value: value}}}}
	}
	for _, tt := range []struct {
		what   string
		coll   string
		id     func(paid, back fees.Row) string
		update bson.D // nil: it is removed
		says   string
	}{
		{"a cheque of another amount", cheques, func(paid, _ fees.Row) string { return paid.ID + ":1" }, field("amount", int64(1)), "is not what its payment says"},
		{"a cheque that bounced by itself", cheques, func(paid, _ fees.Row) string { return paid.ID + ":1" },
			bson.D{{Key: "$set", Value: bson.D{{Key: "state", Value: fees.ChequeBounced}}}, {Key: "$push", Value: bson.D{{Key: "history", Value: bson.D{
				{Key: "state", Value: fees.ChequeBounced}, {Key: "at", Value: termTime()}, {Key: "by", Value: "x"}, {Key: "day", Value: "2026-06-15"}}}}}},
			"is bounced, and its payment was not reversed"},
		{"a cheque of no tender", cheques, func(paid, _ fees.Row) string { return paid.ID + ":1" }, field("row", "DPS:01M8PQW1NYWX10TDSA96AA97TA"), "which is not there"},
		{"a refund of another amount", refunds, func(_, back fees.Row) string { return strings.TrimSuffix(back.ID, ":refund") }, field("amount", int64(1)), "is not what its row says"},
		{"a refund that nobody asked for", refunds, func(_, back fees.Row) string { return strings.TrimSuffix(back.ID, ":refund") }, nil, "nobody asked for it"},
		{"a bill of a refund that is gone", bills, func(_, back fees.Row) string { return "DPS:1:2026-27/REFUND/" + fees.After(back.ID) }, nil, "which was never billed"},
		{"more given back than was paid", payments, func(_, back fees.Row) string { return back.ID }, field("lines.0.amount", int64(-900_00)), "and 900.00 was given back"},
		{"a row of a refund that is gone", payments, func(_, back fees.Row) string { return back.ID }, nil, "and its row is not there"},
	} {
		t.Run(tt.what, func(t *testing.T) {
			s, ctx := openDepositSchool(t), context.Background()
			paid := mustTake(t, s, "1", fees.Tender{Mode: fees.ModeCash, Amount: 400_00}, chequeTender("1", 200_00, ""))
			mustDeposit(t, s, paid.ShortID()+":1")
			mustClear(t, s, paid.ShortID()+":1")
			r := mustAsk(t, s, refundOf(s, paid, 50_00))
			if _, err := approve(s, r, accountant); err != nil {
				t.Fatal(err)
			}
			back, err := s.Row(ctx, "DPS", r.ShortID()+":refund")
			if err != nil {
				t.Fatal(err)
			}
			mustAudit(t, s)
			if tt.update == nil {
				if n, err := s.DB.DeleteOne(ctx, tt.coll, one("DPS", tt.id(paid, back))); err != nil || n != 1 {
					t.Fatal(n, err)
				}
			} else if tt.coll == payments { // lines is a list
				var row fees.Row
				if err := s.DB.FindOne(ctx, payments, one("DPS", back.ID), docdb.Find{}, &row); err != nil {
					t.Fatal(err)
				}
				row.Lines[0].Amount = -900_00
				if _, err := s.DB.UpdateOne(ctx, payments, one("DPS", back.ID), field("lines", row.Lines), docdb.Update{}); err != nil {
					t.Fatal(err)
				}
			} else if res, err := s.DB.UpdateOne(ctx, tt.coll, one("DPS", tt.id(paid, back)), tt.update, docdb.Update{}); err != nil || res.Modified != 1 {
				t.Fatal(res, err)
			}
			report, err := s.Audit(ctx, "DPS")
			if err != nil {
				t.Fatal(err)
			}
			var texts []string
			for _, f := range report.Findings {
				texts = append(texts, f.What+": "+f.Text)
			}
			if !strings.Contains(strings.Join(texts, "\n"), tt.says) {
				t.Errorf("the audit finds\n%s\nand not %q", strings.Join(texts, "\n"), tt.says)
			}
		})
	}
}
