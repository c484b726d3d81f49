package store

import (
	"context"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// familyReads bounds how many students are looked at for the children of one
// family: the index does not tell F-1 from F1.
const familyReads = 200

// FamilyOf is the family of a student, given by admission number, or else the
// one whose code it is. Codes: NotFound (there is neither, or nobody of it is at
// the school any more), Invalid (the student is in no family, or the family has
// more than fees.MaxFamily children), Unavailable.
func (s *Store) FamilyOf(ctx context.Context, institute, key string) (fees.Family, error) {
	st, err := s.Student(ctx, institute, key)
	switch {
	case err == nil && st.Family == "":
		return fees.Family{}, fees.Errorf(fees.Invalid, "%s (%s) is in no family.", st.Name, st.AdmissionNo)
	case err == nil:
		return s.family(ctx, institute, st.Family)
	case fees.CodeOf(err) != fees.NotFound:
		return fees.Family{}, err
	}
	return s.family(ctx, institute, key)
}

// family is the family of this code.
func (s *Store) family(ctx context.Context, institute, code string) (fees.Family, error) {
	f := fees.Family{Code: strings.TrimSpace(code)}
	found, err := docdb.All[fees.Student](s.DB.Find(ctx, students,
		bson.D{{Key: "institute", Value: institute}, {Key: "terms", Value: "=" + joined(fold(f.Code))}},
		docdb.Find{Limit: familyReads, Fields: studentFields}))
	if err != nil {
		return f, outage("read family", err)
	}
	for _, st := range found {
		if st.Status == fees.StudentActive && strings.EqualFold(st.Family, f.Code) {
			f.Children = append(f.Children, st)
		}
	}
	switch n := len(f.Children); {
	case n == 0:
		return f, fees.Errorf(fees.NotFound, "There is no student %s, and no family of this name at the school.", leading(code, 40))
	case n > fees.MaxFamily:
		return f, fees.Errorf(fees.Invalid, "More than %d students have the family %s: that looks like a mistake. Collect from each by themselves.", fees.MaxFamily, leading(code, 40))
	}
	f.Code = f.Children[0].Family
	fees.SortChildren(f.Children)
	return f, nil
}

// HasSiblings says whether others have the student's family, or one of a like
// name. It reads the index alone.
func (s *Store) HasSiblings(ctx context.Context, institute string, st fees.Student) (bool, error) {
	name := joined(fold(st.Family))
	if name == "" || st.Status != fees.StudentActive {
		return false, nil
	}
	n, err := s.DB.Count(ctx, students, bson.D{{Key: "institute", Value: institute}, {Key: "terms", Value: "=" + name}}, 2)
	return n > 1, outageOrNil("look for siblings", err)
}
