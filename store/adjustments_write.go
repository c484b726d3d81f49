package store

import (
	"context"
	"fmt"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// writeAdjustments makes the adjustments durable. Two in this process do not
// use the same advance: each student is locked from reading to writing.
func (s *Store) writeAdjustments(ctx context.Context, inst fees.Institute, causes []cause) ([]fees.Row, error) {
	people, keys := make([]string, len(causes)), make([]string, len(causes))
	for i, c := range causes {
		people[i], keys[i] = c.student, fees.Key(inst.Code, c.student)
	}
	unlock, err := s.collecting.lockAll(ctx, keys)
	if err != nil {
		return nil, outage("lock students", err)
	}
	defer unlock()
	slices.Sort(people)
	people = slices.Compact(people)
	books, err := s.booksOf(ctx, inst.Code, people)
	if err != nil {
		return nil, err
	}
	var rows []fees.Row
	for _, c := range causes {
		b := books[c.student]
		if row, ok := b.adjustment(s, inst, c); ok {
			rows = append(rows, row)
			b.rows = append(b.rows, row)
		}
	}
	return s.writeRows(ctx, rows)
}

// studentBooks are a student with bills and rows as far as dues follow from
// them.
type studentBooks struct {
	student fees.Student
	bills   []fees.Bill
	rows    []fees.Row
}

// booksOf reads the books of the students that there are.
func (s *Store) booksOf(ctx context.Context, institute string, people []string) (map[string]*studentBooks, error) {
	ids := make([]string, len(people))
	for i, student := range people {
		ids[i] = fees.Key(institute, student)
	}
	found, err := s.readBatch(ctx, students, institute, ids)
	if err != nil {
		return nil, err
	}
	books := make(map[string]*studentBooks, len(people))
	for _, raw := range found {
		b := &studentBooks{}
		if err := bson.Unmarshal(raw, &b.student); err != nil {
			return nil, fmt.Errorf("read student: %w", err)
		}
		books[b.student.AdmissionNo] = b
	}
	ofThem := bson.D{{Key: "institute", Value: institute}, {Key: "student", Value: bson.D{{Key: "$in", Value: people}}}}
	billed, err := docdb.All[fees.Bill](s.DB.Find(ctx, bills, ofThem, docdb.Find{Fields: []string{"student", "period", "title", "dueDate", "lines"}}))
	if err != nil {
		return nil, err
	}
	for _, bill := range billed {
		if b := books[bill.Student]; b != nil {
			b.bills = append(b.bills, bill)
		}
	}
	rows, err := docdb.All[fees.Row](s.DB.Find(ctx, payments, ofThem, docdb.Find{Fields: []string{"student", "lines"}}))
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		if b := books[row.Student]; b != nil {
			b.rows = append(b.rows, row)
		}
	}
	return books, nil
}

// adjustment is the row that the cause brings, unless it was written before or
// there is nothing to adjust.
func (b *studentBooks) adjustment(s *Store, inst fees.Institute, c cause) (fees.Row, bool) {
	id := fees.AdvanceID(c.id)
	if b == nil || slices.ContainsFunc(b.rows, func(r fees.Row) bool { return r.ID == id }) {
		return fees.Row{}, false
	}
	lines := fees.ApplyAdvance(b.bills, b.rows)
	if lines == nil {
		return fees.Row{}, false
	}
	row := s.rowFor(inst, b.student, c.by)
	row.ID = id
	row.Kind, row.Series = fees.KindAdjustment, fees.SeriesAdjustment
	row.FY, row.Format = inst.FY(row.Date), inst.Formats.Adjustment
	row.Lines, row.Reason = lines, c.reason
	row.BalanceAfter = fees.DuesOf(b.bills, b.rows).Balance
	// Any adjustment of this cause is the same one, whatever it found to do.
	row.Digest = digestOf(fees.PaymentOrder{Student: id})
	return row, true
}

// writeRows is writeRow for many.
func (s *Store) writeRows(ctx context.Context, rows []fees.Row) ([]fees.Row, error) {
	docs := make([]any, len(rows))
	for i := range rows {
		doc, body, err := withBody(rows[i])
		if err != nil {
			return nil, err
		}
		docs[i], rows[i].Body = doc, body
	}
	if len(docs) == 0 {
		return nil, nil
	}
	if _, err := s.DB.InsertMany(ctx, payments, docs); err == nil {
		return rows, nil
	}
	for i := range rows { // one by one: some may be there
		var err error
		if rows[i], err = s.writeRow(ctx, rows[i]); err != nil {
			return nil, err
		}
	}
	return rows, nil
}
