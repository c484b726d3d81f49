package store

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// grantLimit is how many grants a student may have on one head.
const grantLimit = 24

// SaveGrant adds a concession to a student, or changes one. An amount may be
// more than the charge: no more than the charge is taken off. A grant that is
// there just so is saved already. Bills change by the next run that re-prices
// only.
//
// Codes: Invalid (Fields head, kind, value, reason, approver, from, to),
// Conflict (somebody else changed it), NotFound (the student).
func (s *Store) SaveGrant(ctx context.Context, institute string, o fees.GrantOrder) error {
	inst, err := s.Institute(ctx, institute)
	if err != nil {
		return err
	}
	student, err := s.Student(ctx, institute, o.Student)
	if err != nil {
		return err
	}
	granted, err := s.checkGrant(ctx, inst.Code, o)
	if err != nil {
		return err
	}
	granted.At, granted.By = s.instant(), o.By.Login
	o.Student = student.AdmissionNo
	err = s.changeGrants(ctx, institute, o, func(there []fees.Grant, version int64) ([]fees.Grant, error) {
		same := func(g fees.Grant) bool { return g.Compare(granted) == 0 }
		at := slices.IndexFunc(there, same)
		switch {
		case at >= 0 && (o.Adds || version != o.Version || at == o.At):
			return there, nil
		case at >= 0:
			return nil, fees.Errorf(fees.Invalid, "%s has exactly this concession on %s already.", o.Student, o.Head)
		case o.Adds && len(there) >= grantLimit:
			return nil, fees.Errorf(fees.Invalid, "%s has %d concessions on %s, and more cannot be added.", o.Student, len(there), o.Head)
		case o.Adds:
			return append(there, granted), nil
		case version != o.Version || o.At < 0 || o.At >= len(there):
			return nil, grantOvertaken(o)
		}
		there[o.At] = granted
		return there, nil
	})
	if err == nil {
		s.Log.InfoContext(ctx, "concession saved", "student", student.ID, "head", o.Head, "by", o.By.Login, "from", o.By.From)
	}
	return err
}

// EndGrant lets a grant end with the period o.Grant.To; without one it is taken
// away, as if it had never been. Codes: those of SaveGrant.
func (s *Store) EndGrant(ctx context.Context, institute string, o fees.GrantOrder) error {
	student, err := s.Student(ctx, institute, o.Student)
	if err != nil {
		return err
	}
	all, err := s.Periods(ctx, institute)
	if err != nil {
		return err
	}
	o.Student = student.AdmissionNo
	last := o.Grant.To
	err = s.changeGrants(ctx, institute, o, func(there []fees.Grant, version int64) ([]fees.Grant, error) {
		if version != o.Version || o.At < 0 || o.At >= len(there) {
			return nil, grantOvertaken(o)
		}
		if last == "" {
			return slices.Delete(there, o.At, o.At+1), nil
		}
		ended := there[o.At]
		ended.To = last
		ended, bad := fees.CheckGrant(ended, o.Head, all)
		if bad != nil {
			return nil, bad
		}
		ended.At, ended.By = s.instant(), o.By.Login
		there[o.At] = ended
		return there, nil
	})
	if err == nil {
		s.Log.InfoContext(ctx, "concession ended", "student", student.ID, "head", o.Head, "last", last, "by", o.By.Login, "from", o.By.From)
	}
	return err
}

func grantOvertaken(o fees.GrantOrder) *fees.Error {
	return fees.Errorf(fees.Conflict, "The concession of %s on %s was changed meanwhile. Nothing was saved; look at it again.", o.Student, o.Head)
}

// checkGrant is the grant in its normal form. One that a person enters has a
// reason and an approver.
func (s *Store) checkGrant(ctx context.Context, institute string, o fees.GrantOrder) (fees.Grant, error) {
	wrong := map[string]string{}
	all, err := s.Heads(ctx, institute)
	if err != nil {
		return fees.Grant{}, err
	}
	if o.Head != fees.Any && !slices.ContainsFunc(all, func(h fees.Head) bool { return h.Code == o.Head }) {
		wrong["head"] = "Choose a head of the fee plan"
	}
	periods, err := s.Periods(ctx, institute)
	if err != nil {
		return fees.Grant{}, err
	}
	granted, bad := fees.CheckGrant(o.Grant, o.Head, periods)
	if bad != nil {
		maps.Copy(wrong, bad.Fields)
	}
	for field, text := range map[string]string{"reason": granted.Reason, "approver": granted.Approver} {
		if wrong[field] == "" && strings.TrimSpace(text) == "" {
			wrong[field] = map[string]string{"reason": "Enter the reason", "approver": "Enter who approved it"}[field]
		}
	}
	if bad := refusal("The concession was not saved.", wrong); bad != nil {
		return fees.Grant{}, bad
	}
	return granted, nil
}

// changeGrants writes what change makes of the grants of a student's head, if
// they are still those that it saw; else it looks again.
func (s *Store) changeGrants(ctx context.Context, institute string, o fees.GrantOrder, change func([]fees.Grant, int64) ([]fees.Grant, error)) error {
	id := fees.Key(institute, o.Student, o.Head)
	for range writeAttempts {
		var have fees.Concession
		err := s.DB.FindOne(ctx, concessions, one(institute, id), docdb.Find{}, &have)
		fresh := errors.Is(err, docdb.ErrNotFound)
		if err != nil && !fresh {
			return outage("read concession", err)
		}
		next, err := change(slices.Clone(have.Grants), have.Version)
		if err != nil {
			return err
		}
		slices.SortFunc(next, fees.Grant.Compare)
		if slices.Equal(next, have.Grants) {
			return nil
		}
		seen := append(one(institute, id), bson.E{Key: "version", Value: have.Version})
		if have.Version == 0 {
			seen[len(seen)-1].Value = bson.D{{Key: "$exists", Value: false}}
		}
		var wrote bool
		switch {
		case fresh:
			err = s.DB.InsertOne(ctx, concessions, fees.Concession{ID: id, Institute: institute, Student: o.Student, Head: o.Head, Grants: next, Version: 1})
			wrote = err == nil
		case len(next) == 0: // a document has at least one
			var n int64
			n, err = s.DB.DeleteOne(ctx, concessions, seen)
			wrote = n == 1
		default:
			var res docdb.UpdateResult
			res, err = s.DB.UpdateOne(ctx, concessions, seen, bson.D{{Key: "$set", Value: bson.D{{Key: "grants", Value: next}, {Key: "version", Value: have.Version + 1}}}}, docdb.Update{})
			wrote = res.Matched == 1
		}
		if err != nil && !docdb.IsDuplicate(err) {
			return outage("save concession", err)
		}
		if wrote {
			return nil
		}
	}
	return fees.Errorf(fees.Conflict, "Others are changing the concessions of %s at this moment. Nothing was saved; try again.", o.Student)
}
