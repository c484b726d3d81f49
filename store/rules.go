package store

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// Rules are the sibling and late fee rules of a financial year; without any,
// and with version 0, where none were saved.
func (s *Store) Rules(ctx context.Context, institute, fy string) (fees.Rules, error) {
	rules := fees.Rules{}
	id := fees.Key(institute, fy)
	err := s.DB.FindOne(ctx, ruleSets, one(institute, id), docdb.Find{}, &rules)
	if errors.Is(err, docdb.ErrNotFound) {
		return fees.Rules{ID: id, Institute: institute, FY: fy}, nil
	}
	return rules, outageOrNil("read rules", err)
}

// SaveRules changes the rules of a year. Version is that of the rules as they
// were read: what somebody else saved since is not overwritten. Rules that are
// there just so are saved already. Bills change by the next run only.
//
// Codes: Invalid (Fields of fees.CheckSiblingRules and fees.CheckLateRule; a
// head that there is not; the year is closed), Conflict, NotFound (the
// institute).
func (s *Store) SaveRules(ctx context.Context, institute string, rules fees.Rules, by fees.Actor) (fees.Rules, error) {
	inst, err := s.Institute(ctx, institute)
	if err != nil {
		return rules, err
	}
	if bad := openYear(inst, rules.FY); bad != nil {
		return rules, bad
	}
	all, err := s.Heads(ctx, institute)
	if err != nil {
		return rules, err
	}
	if bad := checkRules(&rules, all); bad != nil {
		return rules, bad
	}
	rules.ID, rules.Institute = fees.Key(institute, rules.FY), institute
	rules, err = s.writeRules(ctx, rules)
	if docdb.IsDuplicate(err) { // somebody else's were first
		rules, err = s.writeRules(ctx, rules)
	}
	if err != nil {
		return rules, outage("save rules", err)
	}
	s.Log.InfoContext(ctx, "rules saved", "rules", rules.ID, "version", rules.Version, "by", by.Login, "from", by.From)
	return rules, nil
}

// writeRules writes rules that are in their normal form if those that are there
// are still the ones that were read.
func (s *Store) writeRules(ctx context.Context, rules fees.Rules) (fees.Rules, error) {
	there, err := s.readBatch(ctx, ruleSets, rules.Institute, []string{rules.ID})
	if err != nil {
		return rules, err
	}
	raw, found := there[rules.ID]
	var have fees.Rules
	if found {
		if err := bson.Unmarshal(raw, &have); err != nil {
			return rules, err
		}
	}
	if slices.Equal(have.Siblings, rules.Siblings) && reflect.DeepEqual(have.Late, rules.Late) {
		have.ID, have.Institute, have.FY = rules.ID, rules.Institute, rules.FY
		return have, nil
	}
	overtaken := fees.Errorf(fees.Conflict, "Somebody else changed the rules of %s meanwhile. Nothing was saved; open them again.", rules.FY)
	if have.Version != rules.Version {
		return rules, overtaken
	}
	next := rules
	next.Version++
	if !found {
		if err := s.DB.InsertOne(ctx, ruleSets, next); err != nil {
			return rules, err
		}
		return next, nil
	}
	update, err := changes(raw, next)
	if err != nil {
		return rules, err
	}
	res, err := s.DB.UpdateOne(ctx, ruleSets, append(one(rules.Institute, rules.ID), bson.E{Key: "version", Value: rules.Version}), update, docdb.Update{})
	switch {
	case err != nil:
		return rules, err
	case res.Matched == 0:
		return rules, overtaken
	}
	return next, nil
}

// checkRules brings rules into their normal form.
func checkRules(rules *fees.Rules, all []fees.Head) *fees.Error {
	wrong := map[string]string{}
	siblings, bad := fees.CheckSiblingRules(rules.Siblings)
	if bad != nil {
		maps.Copy(wrong, bad.Fields)
	}
	known := func(code string) bool {
		return slices.ContainsFunc(all, func(h fees.Head) bool { return h.Code == code })
	}
	for i, r := range rules.Siblings {
		if r.Head != fees.Any && r.Head != "" && !known(r.Head) {
			wrong[nth("sibling_head", i)] = "There is no head " + leading(r.Head, 40)
		}
	}
	if !rules.Late.IsZero() {
		late, bad := fees.CheckLateRule(rules.Late)
		if bad != nil {
			maps.Copy(wrong, bad.Fields)
		}
		if late.Head != fees.HeadLateFee && !known(late.Head) {
			wrong["late_head"] = "There is no head " + leading(late.Head, 40)
		}
		rules.Late = late
	}
	rules.Siblings = siblings
	return refusal("The rules were not saved.", wrong)
}
