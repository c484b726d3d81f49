package store

import (
	"context"
	"fmt"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// openings are the opening balances that became bills, by student. A student
// has at most one, from the year in which it was taken over.
type openings map[string]fees.Amount

// openings reads the opening bills of one student, or with "" of all.
func (s *Store) openings(ctx context.Context, inst fees.Institute, student string) (openings, error) {
	found := openings{}
	for _, fy := range s.yearsKept(inst) {
		filter := bson.D{{Key: "institute", Value: inst.Code}, {Key: "period", Value: openingPeriod(fy)}}
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
	}
	return found, nil
}

// yearsKept are the financial years from the institute's first to today's.
func (s *Store) yearsKept(inst fees.Institute) []string {
	today := inst.Today(s.Now())
	years := []string{inst.FY(today)}
	for day := min(inst.Today(inst.CreatedAt), today); ; {
		fy := inst.FY(day)
		if fy == years[0] {
			return years
		}
		years = append(years, fy)
		_, last, bad := fees.FYRange(fy, inst.FYStart)
		if bad != nil {
			return years
		}
		day = last.AddDays(1)
	}
}

func openingPeriod(fy string) string { return fy + "/" + fees.HeadOpening }

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
	var ops []docdb.UpdateOp
	for i, st := range all {
		if _, done := taken[st.AdmissionNo]; !done && st.OpeningBalance != 0 {
			op, err := billOp(fees.Bill{
				ID: fees.Key(inst.Code, st.AdmissionNo, openingPeriod(fy)), Institute: inst.Code, Student: st.AdmissionNo,
				FY: fy, Period: openingPeriod(fy), Title: "Opening balance", DueDate: from,
				Lines:     []fees.BillLine{{Head: fees.HeadOpening, HeadName: "Opening balance", Gross: st.OpeningBalance, Net: st.OpeningBalance}},
				Net:       st.OpeningBalance,
				CreatedAt: s.instant(),
			})
			if err != nil {
				return err
			}
			ops = append(ops, op)
		}
		if len(ops) == batchSize || len(ops) > 0 && i == len(all)-1 {
			if _, err := s.writeBatch(ctx, bills, ops); err != nil {
				return begun("bill opening balances", err)
			}
			ops = ops[:0]
		}
	}
	return nil
}
