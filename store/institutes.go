package store

import (
	"context"
	"errors"
	"strings"

	"github.com/bojanz/currency"
	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// AddInstitute creates a tenant. What is left empty is filled in: Asia/Kolkata,
// April, INR, the currency's decimals and home locale, the default number
// formats, and books that are closed up to the day before the current
// financial year. Codes: Invalid, Conflict (the code is taken).
func (s *Store) AddInstitute(ctx context.Context, inst fees.Institute) (fees.Institute, error) {
	inst = s.completeInstitute(inst)
	if bad := checkInstitute(inst); bad != nil {
		return fees.Institute{}, bad
	}
	if inst.ClosedTo == "" {
		from, _, bad := fees.FYRange(inst.FY(inst.Today(inst.CreatedAt)), inst.FYStart)
		if bad != nil {
			return fees.Institute{}, bad
		}
		inst.ClosedTo = from.AddDays(-1)
	}
	err := s.DB.InsertOne(ctx, institutes, inst)
	if docdb.IsDuplicate(err) {
		return fees.Institute{}, &fees.Error{Code: fees.Conflict, Message: "There is already an institute " + inst.Code + ".",
			Fields: map[string]string{"code": "This code is taken"}}
	}
	if err != nil {
		return fees.Institute{}, outage("add institute", err)
	}
	return inst, nil
}

func (s *Store) completeInstitute(inst fees.Institute) fees.Institute {
	inst.Code = strings.ToUpper(strings.TrimSpace(inst.Code))
	inst.Name = strings.Join(strings.Fields(inst.Name), " ")
	inst.Address = oneLine(inst.Address)
	inst.Currency = strings.ToUpper(strings.TrimSpace(inst.Currency))
	inst.CreatedAt = s.instant()
	if inst.TimeZone == "" {
		inst.TimeZone = "Asia/Kolkata"
	}
	if inst.FYStart == 0 {
		inst.FYStart = 4
	}
	if inst.Currency == "" {
		inst.Currency = "INR"
	}
	if digits, known := currency.GetDigits(inst.Currency); known && inst.Decimals == 0 {
		inst.Decimals = int64(digits)
	}
	if inst.Locale == "" {
		inst.Locale = homeLocale(inst.Currency)
	}
	formats := fees.DefaultFormats(inst.Code)
	for _, f := range []struct{ have, usual *string }{
		{&inst.Formats.Receipt, &formats.Receipt},
		{&inst.Formats.Reversal, &formats.Reversal},
		{&inst.Formats.Refund, &formats.Refund},
		{&inst.Formats.Adjustment, &formats.Adjustment},
	} {
		if *f.have == "" {
			*f.have = *f.usual
		}
	}
	return inst
}

// oneLine is an address of several lines as it is stored: commas between them.
func oneLine(address string) string {
	var lines []string
	for line := range strings.Lines(address) {
		if line = strings.Trim(strings.Join(strings.Fields(line), " "), ", "); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, ", ")
}

// checkInstitute is Validate, and that there is such a currency: its decimals
// are not to be guessed.
func checkInstitute(inst fees.Institute) *fees.Error {
	bad := inst.Validate()
	if currency.IsValid(inst.Currency) || bad != nil && bad.Fields["currency"] != "" {
		return bad
	}
	const reason = "There is no currency of that code; write it like INR"
	if bad == nil {
		return &fees.Error{Code: fees.Invalid, Message: reason, Fields: map[string]string{"currency": reason}}
	}
	bad.Fields["currency"] = reason
	return bad
}

// homeLocale is English as it is written where the currency is at home: ISO
// 4217 codes begin with the country's.
func homeLocale(code string) string {
	if code == "EUR" {
		return "en-IE"
	}
	if len(code) == 3 {
		if home, known := currency.ForCountryCode(code[:2]); known && home == code {
			return "en-" + code[:2]
		}
	}
	return "en-US"
}

// Institute is the institute of this code; NotFound.
func (s *Store) Institute(ctx context.Context, code string) (fees.Institute, error) {
	var inst fees.Institute
	err := s.DB.FindOne(ctx, institutes, bson.D{{Key: "_id", Value: code}}, docdb.Find{}, &inst)
	if errors.Is(err, docdb.ErrNotFound) {
		return inst, fees.Errorf(fees.NotFound, "There is no institute %s.", code)
	}
	if err != nil {
		return inst, outage("read institute", err)
	}
	return inst, nil
}

// UpdateInstitute changes an institute's name and address on what is written
// from now on; receipts that are there keep theirs. Codes: Invalid (Fields name
// and address), NotFound.
func (s *Store) UpdateInstitute(ctx context.Context, code, name, address string) error {
	inst, err := s.Institute(ctx, code)
	if err != nil {
		return err
	}
	inst.Name, inst.Address = strings.Join(strings.Fields(name), " "), oneLine(address)
	if bad := inst.Validate(); bad != nil {
		return bad
	}
	change := set("name", inst.Name)
	if inst.Address == "" { // no empty fields in documents
		change = append(change, bson.E{Key: "$unset", Value: bson.D{{Key: "address", Value: ""}}})
	} else {
		change = bson.D{{Key: "$set", Value: bson.D{{Key: "name", Value: inst.Name}, {Key: "address", Value: inst.Address}}}}
	}
	if _, err := s.DB.UpdateOne(ctx, institutes, bson.D{{Key: "_id", Value: code}}, change, docdb.Update{}); err != nil {
		return outage("update institute", err)
	}
	return nil
}

// Institutes are all institutes, by code.
func (s *Store) Institutes(ctx context.Context) ([]fees.Institute, error) {
	all, err := docdb.All[fees.Institute](s.DB.Find(ctx, institutes, bson.D{under("")},
		docdb.Find{Sort: []docdb.Key{{Path: "_id"}}}))
	if err != nil {
		return nil, outage("list institutes", err)
	}
	return all, nil
}

// CloseBooks closes the books of an institute up to and including a day: no row
// is dated then any more. Books are never opened again, and not closed ahead of
// time. Codes: Invalid, NotFound.
func (s *Store) CloseBooks(ctx context.Context, code string, to fees.Date) error {
	inst, err := s.Institute(ctx, code)
	if err != nil {
		return err
	}
	if _, bad := fees.ParseDate(string(to)); bad != nil {
		return bad
	}
	if to > inst.Today(s.Now()) {
		return fees.Errorf(fees.Invalid, "The books cannot be closed ahead of time: %s is in the future.", to.Spoken())
	}
	// The date is in the filter, so of two closings at once the later day stays.
	_, err = s.DB.UpdateOne(ctx, institutes,
		bson.D{{Key: "_id", Value: code}, {Key: "closedTo", Value: bson.D{{Key: "$lt", Value: to}}}},
		set("closedTo", to), docdb.Update{})
	if err != nil {
		return outage("close books", err)
	}
	if inst, err = s.Institute(ctx, code); err != nil {
		return begun("close books", err)
	}
	if inst.ClosedTo > to {
		return fees.Errorf(fees.Invalid, "The books are closed up to %s already; they are not opened again.", inst.ClosedTo.Spoken())
	}
	return nil
}
