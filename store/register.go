package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// registerMost bounds a page of the register.
const registerMost = 500

// Register is a page of the receipt register: payments, the rows that take them
// back and, of no money, adjustments, newest first by business date, then key.
// Under a head it leaves adjustments out, unless they are asked for. after is
// the Next of the page before; a tampered one is Invalid.
func (s *Store) Register(ctx context.Context, institute string, f fees.RegisterFilter, after string, limit int64) (fees.Page[fees.Row], error) {
	limit = min(max(limit, 1), registerMost)
	queries := []bson.D{registerQuery(institute, f)}
	if after != "" {
		date, id, err := parseRegisterCursor(after)
		if err != nil {
			return fees.Page[fees.Row]{}, err
		}
		queries = beyond(institute, f, date, id)
	}
	var page fees.Page[fees.Row]
	for _, q := range queries {
		for row, err := range s.registerRows(ctx, q, f) {
			if err != nil {
				return fees.Page[fees.Row]{}, err
			}
			if int64(len(page.Items)) == limit {
				last := page.Items[limit-1]
				page.Next = string(last.Date) + "~" + fees.After(last.ID)
				return page, nil
			}
			page.Items = append(page.Items, row)
		}
	}
	return page, nil
}

// beyond selects what comes after a row in the register's order: the rest of
// its day, then the days before. Two queries, so that each begins where it
// should in the index instead of reading past a day's other rows.
func beyond(institute string, f fees.RegisterFilter, date fees.Date, id string) (queries []bson.D) {
	if (f.From == "" || date >= f.From) && (f.To == "" || date <= f.To) {
		day := f
		day.From, day.To = date, date
		queries = append(queries, append(registerQuery(institute, day),
			bson.E{Key: "_id", Value: bson.D{{Key: "$lt", Value: fees.Key(institute, id)}}}))
	}
	if before := date.AddDays(-1); f.To == "" || before < f.To {
		f.To = before
	}
	if f.From == "" || f.From <= f.To {
		queries = append(queries, registerQuery(institute, f))
	}
	return queries
}

// RegisterRows streams a whole selection in the register's order.
func (s *Store) RegisterRows(ctx context.Context, institute string, f fees.RegisterFilter) func(yield func(fees.Row, error) bool) {
	return s.registerRows(ctx, registerQuery(institute, f), f)
}

// RegisterTotal counts the rows of a whole selection of the register and sums
// the money it selects: the row's total, or under a mode or head only the
// tenders or lines of it. Reversals count against what they take back.
func (s *Store) RegisterTotal(ctx context.Context, institute string, f fees.RegisterFilter) (fees.RegisterTotal, error) {
	var t fees.RegisterTotal
	if f.Mode == "" && f.Head == "" {
		groups, err := s.DB.Group(ctx, payments, registerQuery(institute, f), docdb.Group{Accs: []docdb.Acc{
			{As: "count", Op: docdb.CountN}, {As: "total", Op: docdb.Sum, Path: "total"},
		}})
		if err != nil {
			return t, outage("sum the register", err)
		}
		if len(groups) > 0 {
			if err := bson.Unmarshal(groups[0], &t); err != nil {
				return t, fmt.Errorf("sum the register: %w", err)
			}
		}
		return t, nil
	}
	for row, err := range s.RegisterRows(ctx, institute, f) {
		if err != nil {
			return fees.RegisterTotal{}, err
		}
		t.Count++
		t.Total += selected(row, f)
	}
	return t, nil
}

// selected is the part of a row's money that a mode or head selects. Under
// both it is the head's lines: a row does not say which tender paid which line.
func selected(row fees.Row, f fees.RegisterFilter) (sum fees.Amount) {
	if f.Head != "" {
		for _, l := range row.Lines {
			if l.Head == f.Head {
				sum += l.Amount
			}
		}
		return sum
	}
	for _, t := range row.Tenders {
		if t.Mode == f.Mode {
			sum += t.Amount
		}
	}
	return sum
}

func (s *Store) registerRows(ctx context.Context, filter bson.D, f fees.RegisterFilter) func(yield func(fees.Row, error) bool) {
	sort := []docdb.Key{{Path: "institute"}, {Path: "date", Desc: true}, {Path: "_id", Desc: true}}
	return func(yield func(fees.Row, error) bool) {
		for raw, err := range s.DB.Find(ctx, payments, filter, docdb.Find{Sort: sort}) {
			var row fees.Row
			if err == nil {
				err = bson.Unmarshal(raw, &row)
			}
			if err != nil {
				yield(row, outage("read the register", err))
				return
			}
			if matches(row, f) && !yield(row, nil) {
				return
			}
		}
	}
}

// matches applies what the query language cannot say of lists of documents.
func matches(row fees.Row, f fees.RegisterFilter) bool {
	if f.Mode != "" && !slices.ContainsFunc(row.Tenders, func(t fees.Tender) bool { return t.Mode == f.Mode }) {
		return false
	}
	if f.Head != "" && row.Kind == fees.KindAdjustment && f.Status != fees.StatusAdjustment {
		return false // what was received for a head is not what was moved to it
	}
	return f.Head == "" || slices.ContainsFunc(row.Lines, func(l fees.Line) bool { return l.Head == f.Head })
}

func registerQuery(institute string, f fees.RegisterFilter) bson.D {
	q := append(bson.D{{Key: "institute", Value: institute}}, dateRange(f)...)
	if f.Class != "" {
		q = append(q, bson.E{Key: "class", Value: f.Class})
	}
	if f.Cashier != "" {
		q = append(q, bson.E{Key: "cashier", Value: f.Cashier})
	}
	switch f.Status {
	case fees.StatusIssued:
		q = append(q, bson.E{Key: "kind", Value: fees.KindPayment},
			bson.E{Key: "number", Value: bson.D{{Key: "$exists", Value: true}}},
			bson.E{Key: "reversedBy", Value: bson.D{{Key: "$exists", Value: false}}})
	case fees.StatusReversed:
		q = append(q, bson.E{Key: "reversedBy", Value: bson.D{{Key: "$exists", Value: true}}})
	case fees.StatusReversal:
		q = append(q, bson.E{Key: "kind", Value: fees.KindReversal})
	case fees.StatusAdjustment:
		q = append(q, bson.E{Key: "kind", Value: fees.KindAdjustment})
	case fees.StatusRefund:
		q = append(q, bson.E{Key: "kind", Value: fees.KindRefund})
	case fees.StatusPending:
		q = append(q, bson.E{Key: "awaiting", Value: true})
	}
	return q
}

func dateRange(f fees.RegisterFilter) bson.D {
	if f.From != "" && f.From == f.To {
		return bson.D{{Key: "date", Value: f.From}}
	}
	var r bson.D
	if f.From != "" {
		r = append(r, bson.E{Key: "$gte", Value: f.From})
	}
	if f.To != "" {
		r = append(r, bson.E{Key: "$lte", Value: f.To})
	}
	if r == nil {
		return nil
	}
	return bson.D{{Key: "date", Value: r}}
}

// parseRegisterCursor reads a Next: a date and a row's id within the
// institute, so that no cursor reaches into another.
func parseRegisterCursor(after string) (fees.Date, string, error) {
	date, id, ok := strings.Cut(after, "~")
	if !ok || !fees.Date(date).Valid() || !fees.ValidRowID(id) {
		return "", "", fees.Errorf(fees.Invalid, "That is not a page of this register. Open the register again.")
	}
	return fees.Date(date), id, nil
}
