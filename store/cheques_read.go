package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// Cheque is the cheque whose key after the institute is id, with its receipt's
// number and, if it bounced, the Next; NotFound.
func (s *Store) Cheque(ctx context.Context, institute, id string) (fees.Cheque, error) {
	c, err := s.cheque(ctx, institute, id)
	if err != nil {
		return c, err
	}
	if c.State == fees.ChequeBounced {
		if c.Next, err = s.nextOf(ctx, c); err != nil {
			return c, err
		}
	}
	all := []fees.Cheque{c}
	err = s.withReceipts(ctx, institute, all)
	return all[0], err
}

// cheque is Cheque with nothing but the document.
func (s *Store) cheque(ctx context.Context, institute, id string) (fees.Cheque, error) {
	var c fees.Cheque
	err := s.DB.FindOne(ctx, cheques, one(institute, fees.Key(institute, id)), docdb.Find{}, &c)
	if errors.Is(err, docdb.ErrNotFound) {
		return c, fees.Errorf(fees.NotFound, "There is no such cheque.")
	}
	return c, outageOrNil("read cheque", err)
}

// nextOf is the id of the last with which a bounced cheque is presented again,
// "" where there is none or its payment was reversed as a wrong entry. A part of
// one is presented again with any part of the paper.
func (s *Store) nextOf(ctx context.Context, c fees.Cheque) (next string, err error) {
	parts, err := s.partsOf(ctx, c.Institute, c)
	if err != nil {
		return "", err
	}
	for _, part := range append(parts, c) {
		all, err := s.chequesOf(ctx, c.Institute, part.Student)
		if err != nil {
			return "", err
		}
		for _, later := range all {
			if later.Again == part.ID && later.State != fees.ChequeWithdrawn {
				next = later.ID
			}
		}
	}
	return next, nil
}

// RowCheques are the cheques of a payment, in the order of its tenders. id is
// the payment's after the institute.
func (s *Store) RowCheques(ctx context.Context, institute, id string) ([]fees.Cheque, error) {
	all, err := docdb.All[fees.Cheque](s.DB.Find(ctx, cheques, bson.D{under(fees.Key(institute, id, ""))}, docdb.Find{Sort: []docdb.Key{{Path: "_id"}}}))
	return all, outageOrNil("read cheques", err)
}

// StudentCheques are all cheques of a student, oldest first, with their
// receipts' numbers.
func (s *Store) StudentCheques(ctx context.Context, institute, student string) ([]fees.Cheque, error) {
	all, err := s.chequesOf(ctx, institute, student)
	if err != nil {
		return nil, err
	}
	return all, s.withReceipts(ctx, institute, all)
}

// chequesOf is StudentCheques with nothing but the documents.
func (s *Store) chequesOf(ctx context.Context, institute, student string) ([]fees.Cheque, error) {
	all, err := docdb.All[fees.Cheque](s.DB.Find(ctx, cheques,
		bson.D{{Key: "institute", Value: institute}, {Key: "student", Value: student}},
		docdb.Find{Sort: []docdb.Key{{Path: "institute"}, {Path: "student"}, {Path: "_id"}}}))
	return all, outageOrNil("read cheques", err)
}

// DepositedCheques are the cheques of a deposit slip, as it was made: one whose
// payment was entered again since is there once.
func (s *Store) DepositedCheques(ctx context.Context, institute, deposit string) ([]fees.Cheque, error) {
	all, err := docdb.All[fees.Cheque](s.DB.Find(ctx, cheques,
		bson.D{{Key: "institute", Value: institute}, {Key: "deposit", Value: deposit}},
		docdb.Find{Sort: []docdb.Key{{Path: "institute"}, {Path: "deposit"}, {Path: "_id"}}}))
	if err != nil {
		return nil, outage("read deposit slip", err)
	}
	whole := slices.Clone(all)
	all = slices.DeleteFunc(all, func(c fees.Cheque) bool { return hasCheque(whole, c.First) })
	return all, s.withReceipts(ctx, institute, all)
}

func hasCheque(all []fees.Cheque, id string) bool {
	return slices.ContainsFunc(all, func(c fees.Cheque) bool { return c.ID == id })
}

// Cheques is a page of the cheques of one state, those in hand by the day from
// which they can be deposited, others newest first. after is the Next of the
// page before; a tampered one is Invalid.
func (s *Store) Cheques(ctx context.Context, institute string, f fees.ChequeFilter, after string, limit int64) (fees.Page[fees.Cheque], error) {
	limit = pageSize(limit)
	var page fees.Page[fees.Cheque]
	desc := f.State != fees.ChequeReceived
	ranges := []fees.ChequeFilter{f}
	rest := bson.E{}
	if after != "" {
		day, id, ok := strings.Cut(after, "~")
		if !ok || !fees.Date(day).Valid() || !fees.ValidChequeID(id) {
			return page, fees.Errorf(fees.Invalid, "That is not a page of this list. Open the cheques again.")
		}
		ranges, rest = chequesBeyond(f, fees.Date(day), fees.Key(institute, id), desc)
	}
	sort := []docdb.Key{{Path: "institute"}, {Path: "state"}, {Path: "day", Desc: desc}, {Path: "_id", Desc: desc}}
	if desc { // one direction all through, so that the index is walked backwards
		sort[0].Desc, sort[1].Desc = true, true
	}
	for i, r := range ranges {
		query := chequeQuery(institute, r)
		if after != "" && i == 0 {
			query = append(query, rest)
		}
		found, err := docdb.All[fees.Cheque](s.DB.Find(ctx, cheques, query, docdb.Find{Sort: sort, Limit: limit + 1 - int64(len(page.Items))}))
		if err != nil {
			return page, outage("list cheques", err)
		}
		if page.Items = append(page.Items, found...); int64(len(page.Items)) > limit {
			break
		}
	}
	if int64(len(page.Items)) > limit {
		page.Items = page.Items[:limit]
		last := page.Items[limit-1]
		page.Next = string(last.Day) + "~" + last.ShortID()
	}
	return page, s.withReceipts(ctx, institute, page.Items)
}

// chequesBeyond are the rest of a day, which also needs the id, and the days
// after it in the list's order.
func chequesBeyond(f fees.ChequeFilter, day fees.Date, id string, desc bool) ([]fees.ChequeFilter, bson.E) {
	sameDay, others, op := f, f, "$gt"
	sameDay.From, sameDay.To = day, day
	if desc {
		op = "$lt"
		others.To = day.AddDays(-1)
	} else {
		others.From = day.AddDays(1)
	}
	ranges := []fees.ChequeFilter{sameDay}
	if others.To == "" || others.From <= others.To {
		ranges = append(ranges, others)
	}
	return ranges, bson.E{Key: "_id", Value: bson.D{{Key: op, Value: id}}}
}

func chequeQuery(institute string, f fees.ChequeFilter) bson.D {
	query := bson.D{{Key: "institute", Value: institute}, {Key: "state", Value: f.State}}
	return append(query, dayRange("day", f.From, f.To)...)
}

// dayRange is the condition that a field is within these days, "" for no end.
func dayRange(field string, from, to fees.Date) bson.D {
	var within bson.D
	if from != "" {
		within = append(within, bson.E{Key: "$gte", Value: from})
	}
	if to != "" {
		within = append(within, bson.E{Key: "$lte", Value: to})
	}
	if within == nil {
		return nil
	}
	return bson.D{{Key: field, Value: within}}
}

// ChequeTotal sums a whole selection, from an index alone.
func (s *Store) ChequeTotal(ctx context.Context, institute string, f fees.ChequeFilter) (fees.ChequeTotal, error) {
	var t fees.ChequeTotal
	groups, err := s.DB.Group(ctx, cheques, chequeQuery(institute, f), docdb.Group{Accs: []docdb.Acc{
		{As: "count", Op: docdb.CountN}, {As: "amount", Op: docdb.Sum, Path: "amount"},
	}})
	if err == nil && len(groups) > 0 {
		err = bson.Unmarshal(groups[0], &t)
	}
	if err == nil && t.Count > 0 {
		parts := append(chequeQuery(institute, f), bson.E{Key: "paper", Value: bson.D{{Key: "$exists", Value: true}}})
		t.Parts, err = s.DB.Count(ctx, cheques, parts, 0)
	}
	return t, outageOrNil("sum cheques", err)
}

// ChequesInHand sums what is in hand on a day and what is at the bank.
func (s *Store) ChequesInHand(ctx context.Context, institute string, today fees.Date) (sums fees.ChequesInHand, err error) {
	for _, of := range []struct {
		sum *fees.ChequeTotal
		f   fees.ChequeFilter
	}{
		{&sums.Due, fees.ChequeFilter{State: fees.ChequeReceived, To: today}},
		{&sums.PostDated, fees.ChequeFilter{State: fees.ChequeReceived, From: today.AddDays(1)}},
		{&sums.Deposited, fees.ChequeFilter{State: fees.ChequeDeposited}},
	} {
		if *of.sum, err = s.ChequeTotal(ctx, institute, of.f); err != nil {
			return sums, err
		}
	}
	return sums, nil
}

// withReceipts fills in the numbers of the cheques' receipts, of any number of
// cheques.
func (s *Store) withReceipts(ctx context.Context, institute string, all []fees.Cheque) error {
	for batch := range slices.Chunk(all, batchSize) {
		var ids []string
		for _, c := range batch {
			if !slices.Contains(ids, c.Row) {
				ids = append(ids, c.Row)
			}
		}
		found, err := s.readBatch(ctx, payments, institute, ids, "numberText")
		if err != nil {
			return outage("read receipts of cheques", fmt.Errorf("by key: %w", err))
		}
		for i := range batch {
			batch[i].Receipt = textOf(found[batch[i].Row], "numberText")
		}
	}
	return nil
}
