package store

import (
	"context"
	"fmt"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// opening is an opening balance that cannot change any more: it is a bill, or a
// mark written with the student says that it is to become one.
type opening struct {
	net    fees.Amount
	billed bool
}

// openings are opening balances by student. A student has at most one, whatever
// the year in which it was taken over: the key of its bill says nothing of the
// clock, which may go back over the year's end.
type openings map[string]opening

// openings reads the openings of one student, or with "" of all.
func (s *Store) openings(ctx context.Context, inst fees.Institute, student string) (openings, error) {
	marked := bson.D{{Key: "institute", Value: inst.Code}, {Key: "opening", Value: true}}
	billed := bson.D{{Key: "institute", Value: inst.Code}, {Key: "period", Value: fees.HeadOpening}}
	if student != "" {
		marked = append(marked, bson.E{Key: "_id", Value: fees.Key(inst.Code, student)})
		billed = append(billed, bson.E{Key: "student", Value: student})
	}
	found := openings{}
	// The marks first: one is taken off after the bill is there.
	for raw, err := range s.DB.Find(ctx, students, marked, docdb.Find{Fields: []string{"admissionNo", "openingBalance"}}) {
		var st fees.Student
		if err == nil {
			err = bson.Unmarshal(raw, &st)
		}
		if err != nil {
			return nil, outage("read opening balances", err)
		}
		found[st.AdmissionNo] = opening{net: st.OpeningBalance}
	}
	for raw, err := range s.DB.Find(ctx, bills, billed, docdb.Find{Fields: []string{"student", "net"}}) {
		var bill fees.Bill
		if err == nil {
			err = bson.Unmarshal(raw, &bill)
		}
		if err != nil {
			return nil, outage("read opening balances", err)
		}
		found[bill.Student] = opening{net: bill.Net, billed: true}
	}
	return found, nil
}

// refuses says why a student may not have this opening balance, "" when it may.
func (o openings) refuses(money fees.Currency, st fees.Student) string {
	if amount := st.OpeningBalance; amount > fees.MaxAmount || amount < -fees.MaxAmount {
		return "The opening balance is too large"
	}
	if there, taken := o[st.AdmissionNo]; taken && there.net != st.OpeningBalance {
		return fmt.Sprintf("The opening balance was already taken over as %s", money.Format(there.net))
	}
	return ""
}

// openingBills are the bills of the opening balances that are not billed yet,
// due on the first day of the current year.
func (s *Store) openingBills(inst fees.Institute, taken openings, all []fees.Student) ([]fees.Bill, error) {
	fy := inst.FY(inst.Today(s.Now()))
	from, _, bad := fees.FYRange(fy, inst.FYStart)
	if bad != nil {
		return nil, bad
	}
	var owed []fees.Bill
	for _, st := range all {
		if !taken[st.AdmissionNo].billed && st.OpeningBalance != 0 {
			owed = append(owed, fees.Bill{
				ID: fees.Key(inst.Code, st.AdmissionNo, fees.HeadOpening), Institute: inst.Code, Student: st.AdmissionNo,
				FY: fy, Period: fees.HeadOpening, Title: "Opening balance", DueDate: from,
				Lines:     []fees.BillLine{{Head: fees.HeadOpening, HeadName: "Opening balance", Gross: st.OpeningBalance, Net: st.OpeningBalance}},
				Net:       st.OpeningBalance,
				CreatedAt: s.instant(),
			})
		}
	}
	return owed, nil
}

// takeOver writes opening bills and then takes the marks off their students;
// made is how many it created. The sweep takes over what it did not get to.
func (s *Store) takeOver(ctx context.Context, institute string, owed []fees.Bill) (made int64, err error) {
	for batch := range slices.Chunk(owed, batchSize) {
		n, err := s.writeBills(ctx, institute, batch)
		if err != nil {
			return made, begun("bill opening balances", err)
		}
		made += n
		ops := make([]docdb.UpdateOp, len(batch))
		for i, b := range batch {
			ops[i] = docdb.UpdateOp{
				Filter: append(one(institute, fees.Key(institute, b.Student)), bson.E{Key: "opening", Value: true}),
				Update: bson.D{{Key: "$unset", Value: bson.D{{Key: "opening", Value: ""}}}},
			}
		}
		if _, err := s.writeBatch(ctx, students, ops); err != nil {
			return made, begun("bill opening balances", err)
		}
	}
	return made, nil
}
