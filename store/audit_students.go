package store

import (
	"context"
	"fmt"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// students checks what belongs to each student: bills that add up under their
// own key, and rows whose lines name charges that exist.
func (a *auditor) students(ctx context.Context) error {
	ofInstitute := bson.D{{Key: "institute", Value: a.institute}}
	rows, err := a.s.DB.Count(ctx, payments, ofInstitute, 0)
	if err != nil {
		return err
	}
	billed, err := a.s.DB.Count(ctx, bills, bson.D{under(a.institute + ":")}, 0)
	if err != nil {
		return err
	}
	people := a.s.DB.Find(ctx, students, bson.D{under(a.institute + ":")}, docdb.Find{Fields: []string{"admissionNo"}})
	for raw, err := range people {
		if err != nil {
			return err
		}
		var st fees.Student
		if err := bson.Unmarshal(raw, &st); err != nil {
			return fmt.Errorf("read student: %w", err)
		}
		r, b, err := a.student(ctx, st.AdmissionNo)
		if err != nil {
			return err
		}
		rows -= r
		billed -= b
	}
	// Rows and bills that came meanwhile were met and not counted, never the
	// other way round.
	if rows > 0 {
		a.find("orphan", "", "%d ledger rows belong to students that are not there", rows)
	}
	if billed > 0 {
		a.find("orphan", "", "%d bills belong to students that are not there", billed)
	}
	return nil
}

// student checks one student and says how many rows and bills there are.
func (a *auditor) student(ctx context.Context, student string) (rows, billed int64, err error) {
	// The rows first: a bill that they name was there before them.
	ledger, err := a.s.StudentRows(ctx, a.institute, student)
	if err != nil {
		return 0, 0, err
	}
	all, err := a.s.Bills(ctx, a.institute, student)
	if err != nil {
		return 0, 0, err
	}
	for _, b := range all {
		a.bill(b, student)
	}
	for _, r := range ledger {
		for _, l := range r.Lines {
			if l.Head != fees.HeadAdvance && !charged(all, l) {
				a.find("bill", r.ID, "%s settles %s of %s, which was never billed", r.NumberText, l.HeadName, l.Title)
			}
		}
		if r.Charge != 0 && !r.Awaiting && !charged(all, fees.Line{Bill: bounceBill(r).Period, Head: fees.HeadBounce}) {
			a.find("bill", r.ID, "%s charges %d, which was never billed", r.NumberText, r.Charge)
		}
	}
	return int64(len(ledger)), int64(len(all)), nil
}

func (a *auditor) bill(b fees.Bill, student string) {
	if b.ID != fees.Key(a.institute, student, b.Period) || b.Student != student || b.Institute != a.institute {
		a.find("bill", b.ID, "the bill's key and what it says differ")
	}
	var net fees.Amount
	for _, l := range b.Lines {
		net += l.Net
		if l.Net != l.Gross-l.Concession {
			a.find("bill", b.ID, "%s: %d less %d is not %d", l.HeadName, l.Gross, l.Concession, l.Net)
		}
	}
	if net != b.Net {
		a.find("bill", b.ID, "the bill's lines add up to %d, it says %d", net, b.Net)
	}
}

// charged says whether a line's head was billed.
func charged(all []fees.Bill, line fees.Line) bool {
	return slices.ContainsFunc(all, func(b fees.Bill) bool {
		return b.Period == line.Bill && slices.ContainsFunc(b.Lines, func(l fees.BillLine) bool { return l.Head == line.Head })
	})
}
