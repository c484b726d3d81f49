package store

import (
	"context"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// SaveStudent adds a student or changes one. With a zero UpdatedAt it is a new
// one; else UpdatedAt is that of the student as it was read, and what somebody
// else saved since is not overwritten. The opening balance becomes a bill of
// its own and cannot change after that. A student that is there just as it is
// to be is saved already: the same again does what is left to do.
//
// Codes: Invalid with Fields admission_no, name, class, section, category,
// family, guardian, phone, email, status, left_on, opening_balance; Conflict (the
// number is taken, or somebody else changed the student); NotFound.
func (s *Store) SaveStudent(ctx context.Context, institute string, st fees.Student, by fees.Actor) (fees.Student, error) {
	inst, err := s.Institute(ctx, institute)
	if err != nil {
		return fees.Student{}, err
	}
	st.Institute = institute
	wrong := studentCheck(&st)
	taken := openings{}
	if wrong["admission_no"] == "" && !st.UpdatedAt.IsZero() {
		if taken, err = s.openings(ctx, inst, st.AdmissionNo); err != nil {
			return fees.Student{}, err
		}
	}
	if reason := taken.refuses(inst.Money(), st); reason != "" {
		wrong["opening_balance"] = reason
	}
	if bad := refusal("The student was not saved.", wrong); bad != nil {
		return fees.Student{}, bad
	}
	st.Terms, st.Opening = termsOf(st), st.OpeningBalance != 0
	if st.UpdatedAt.IsZero() {
		if st, err = s.addStudent(ctx, st); err == nil {
			if taken, err = s.openings(ctx, inst, st.AdmissionNo); err != nil {
				err = begun("save student", err)
			}
		}
	} else {
		st, err = s.changeStudent(ctx, st)
	}
	if err != nil {
		return fees.Student{}, err
	}
	owed, err := s.openingBills(inst, taken, []fees.Student{st})
	if err == nil {
		_, err = s.takeOver(ctx, institute, owed)
	}
	if err != nil {
		return fees.Student{}, err
	}
	st.Opening = false
	s.Log.InfoContext(ctx, "student saved", "student", st.ID, "by", by.Login, "from", by.From)
	return st, nil
}

func (s *Store) addStudent(ctx context.Context, st fees.Student) (fees.Student, error) {
	st.UpdatedAt = s.instant()
	err := s.DB.InsertOne(ctx, students, st)
	if docdb.IsDuplicate(err) {
		if there, update, err := s.compareStudent(ctx, st); err != nil || update == nil {
			return there, err
		}
		return st, &fees.Error{Code: fees.Conflict, Message: "There is already a student " + st.AdmissionNo + ".",
			Fields: map[string]string{"admission_no": "This admission number is taken"}}
	}
	return st, outageOrNil("add student", err)
}

// changeStudent writes what differs from the student that is there, if that is
// still the one that was read.
func (s *Store) changeStudent(ctx context.Context, st fees.Student) (fees.Student, error) {
	read := st.UpdatedAt.UTC().Truncate(time.Millisecond)
	if st.UpdatedAt = s.instant(); !st.UpdatedAt.After(read) {
		st.UpdatedAt = read.Add(time.Millisecond) // it is the version too
	}
	there, update, err := s.compareStudent(ctx, st)
	if err != nil || update == nil {
		return there, err
	}
	res, err := s.DB.UpdateOne(ctx, students,
		append(one(st.Institute, st.ID), bson.E{Key: "updatedAt", Value: read}), update, docdb.Update{})
	if err != nil {
		return st, outage("change student", err)
	}
	if res.Matched == 0 {
		return st, fees.Errorf(fees.Conflict, "Somebody else changed %s meanwhile. Nothing was saved; look at it again.", st.AdmissionNo)
	}
	return st, nil
}

// compareStudent is the student as it is stored and the update that makes it
// st, nil when it is already; NotFound.
func (s *Store) compareStudent(ctx context.Context, st fees.Student) (fees.Student, bson.D, error) {
	there, err := s.readBatch(ctx, students, st.Institute, []string{st.ID})
	if err != nil {
		return st, nil, outage("read student", err)
	}
	raw, found := there[st.ID]
	if !found {
		return st, nil, noStudent(st.AdmissionNo)
	}
	var have fees.Student
	if err := bson.Unmarshal(raw, &have); err != nil {
		return st, nil, outage("read student", err)
	}
	if have.OpeningBalance == st.OpeningBalance {
		st.Opening = have.Opening
	}
	update, err := changes(raw, st)
	return have, update, outageOrNil("compare student", err)
}
