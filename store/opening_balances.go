package store

import (
	"context"
	"fmt"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// openings are the opening balances that became bills, by student. A student
// has at most one, whatever the year in which it was taken over: its key says
// nothing of the clock, which may go back over the year's end.
type openings map[string]fees.Amount

// openings reads the opening bills of one student, or with "" of all.
func (s *Store) openings(ctx context.Context, inst fees.Institute, student string) (openings, error) {
	found := openings{}
	filter := bson.D{{Key: "institute", Value: inst.Code}, {Key: "period", Value: fees.HeadOpening}}
	if student != "" {
		filter = append(filter, bson.E{Key: "student", Value: student})
	}
	for raw, err := range s.DB.Find(ctx, bills, filter, docdb.Find{Fields: []string{"student", "net"}}) {
		if err != nil {
			return nil, outage("read opening balances", err)
		}
		var bill fees.Bill
		if err := bson.Unmarshal(raw, &bill); err != nil {
			return nil, outage("read opening balances", err)
		}
		found[bill.Student] = bill.Net
	}
	return found, nil
}

// refuses says why a student may not have this opening balance, "" when it may.
func (o openings) refuses(money fees.Currency, st fees.Student) string {
	if amount := st.OpeningBalance; amount > fees.MaxAmount || amount < -fees.MaxAmount {
		return "The opening balance is too large"
	}
	if net, taken := o[st.AdmissionNo]; taken && net != st.OpeningBalance {
		return fmt.Sprintf("The opening balance was already taken over as %s", money.Format(net))
	}
	return ""
}

// takeOver bills the opening balances that are not billed yet, due on the first
// day of the current year.
func (s *Store) takeOver(ctx context.Context, inst fees.Institute, taken openings, all []fees.Student) error {
	fy := inst.FY(inst.Today(s.Now()))
	from, _, bad := fees.FYRange(fy, inst.FYStart)
	if bad != nil {
		return bad
	}
	var owed []fees.Bill
	for _, st := range all {
		if _, done := taken[st.AdmissionNo]; !done && st.OpeningBalance != 0 {
			owed = append(owed, fees.Bill{
				ID: fees.Key(inst.Code, st.AdmissionNo, fees.HeadOpening), Institute: inst.Code, Student: st.AdmissionNo,
				FY: fy, Period: fees.HeadOpening, Title: "Opening balance", DueDate: from,
				Lines:     []fees.BillLine{{Head: fees.HeadOpening, HeadName: "Opening balance", Gross: st.OpeningBalance, Net: st.OpeningBalance}},
				Net:       st.OpeningBalance,
				CreatedAt: s.instant(),
			})
		}
	}
	for batch := range slices.Chunk(owed, batchSize) {
		if err := s.writeBills(ctx, inst.Code, batch); err != nil {
			return begun("bill opening balances", err)
		}
	}
	return nil
}
