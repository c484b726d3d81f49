package store

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// studentFields is a student without the terms, which only the index reads.
var studentFields = []string{
	"institute", "admissionNo", "name", "class", "section", "category", "family", "guardian",
	"phone", "email", "status", "leftOn", "openingBalance", "updatedAt",
}

// pageSize bounds how much of a list is read at once.
func pageSize(limit int64) int64 { return min(max(limit, 1), 200) }

// Students are the students in the order of their admission numbers, those
// that q finds or with "" all, after the given admission number ("" for the
// first page), at most limit of them (1 to 200).
func (s *Store) Students(ctx context.Context, institute, q, after string, limit int64) (fees.Page[fees.Student], error) {
	limit = pageSize(limit)
	prefix := fees.Key(institute, "")
	var found []fees.Student
	var err error
	if strings.TrimSpace(q) == "" {
		found, err = docdb.All[fees.Student](s.DB.Find(ctx, students, bson.D{underAfter(prefix, prefix+after)},
			docdb.Find{Sort: []docdb.Key{{Path: "_id"}}, Limit: limit + 1, Fields: studentFields}))
	} else if found, err = s.findStudents(ctx, institute, parseQuery(q), prefix+after, limit+1); err == nil {
		// Each way of finding gave its first: the first of all are among them.
		slices.SortFunc(found, func(a, b fees.Student) int { return cmp.Compare(a.ID, b.ID) })
	}
	if err != nil {
		return fees.Page[fees.Student]{}, outage("list students", err)
	}
	page := fees.Page[fees.Student]{Items: found}
	if int64(len(found)) > limit {
		page.Items = found[:limit]
		page.Next = found[limit-1].AdmissionNo
	}
	return page, nil
}

// Student is the student of this admission number, in any case; NotFound.
func (s *Store) Student(ctx context.Context, institute, admissionNo string) (fees.Student, error) {
	var st fees.Student
	no, bad := fees.NormalAdmissionNo(admissionNo)
	if bad != nil {
		return st, noStudent(admissionNo)
	}
	err := s.DB.FindOne(ctx, students, one(institute, fees.Key(institute, no)), docdb.Find{Fields: studentFields}, &st)
	if errors.Is(err, docdb.ErrNotFound) {
		return st, noStudent(admissionNo)
	}
	if err != nil {
		return st, outage("read student", err)
	}
	return st, nil
}

func noStudent(admissionNo string) *fees.Error {
	return fees.Errorf(fees.NotFound, "There is no student %s.", leading(admissionNo, 40))
}

// Classes are the classes that have students: those with a name first, then
// those with a number, by it.
func (s *Store) Classes(ctx context.Context, institute string) ([]string, error) {
	var all []string
	last := ""
	// One step in the index for each class, however many students there are.
	for {
		var st fees.Student
		err := s.DB.FindOne(ctx, students,
			bson.D{{Key: "institute", Value: institute}, {Key: "class", Value: bson.D{{Key: "$gt", Value: last}}}},
			docdb.Find{Sort: []docdb.Key{{Path: "institute"}, {Path: "class"}, {Path: "_id"}}, Fields: []string{"class"}}, &st)
		if errors.Is(err, docdb.ErrNotFound) {
			slices.SortFunc(all, compareClasses)
			return all, nil
		}
		if err != nil {
			return nil, outage("list classes", err)
		}
		last = st.Class
		all = append(all, st.Class)
	}
}

func compareClasses(a, b string) int {
	return cmp.Or(cmp.Compare(classNumber(a), classNumber(b)), cmp.Compare(a, b))
}

// classNumber is the number that a class begins with, -1 for "Nursery".
func classNumber(class string) int {
	n := -1
	for i := 0; i < len(class) && i < 9 && class[i] >= '0' && class[i] <= '9'; i++ {
		n = max(n, 0)*10 + int(class[i]-'0')
	}
	return n
}
