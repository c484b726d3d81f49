package store

import (
	"cmp"
	"context"
	"slices"
	"unicode/utf8"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// SearchStudents finds students as somebody types: by the start of the
// admission number (the exact one first), of the words of the name and the
// guardian's in any order, of the phone number, by its last four digits or
// more, and by the family. The likeliest come first, at most limit of them
// (1 to 200).
func (s *Store) SearchStudents(ctx context.Context, institute, q string, limit int64) ([]fees.Student, error) {
	limit = pageSize(limit)
	query := parseQuery(q)
	// A few more than asked for, so that the likeliest are among them.
	found, err := s.findStudents(ctx, institute, query, "", 2*limit)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(found, func(a, b fees.Student) int { return cmp.Compare(query.rank(a), query.rank(b)) })
	return found[:min(int64(len(found)), limit)], nil
}

// findStudents are the first n after a key that each way of finding yields,
// none twice.
func (s *Store) findStudents(ctx context.Context, institute string, q query, after string, n int64) ([]fees.Student, error) {
	lookups, err := s.lookups(ctx, institute, q, after)
	if err != nil {
		return nil, err
	}
	var found []fees.Student
	for _, filter := range lookups {
		left := n
		for raw, err := range s.DB.Find(ctx, students, filter, docdb.Find{Sort: []docdb.Key{{Path: "_id"}}, Fields: studentFields}) {
			if err != nil {
				return nil, outage("find students", err)
			}
			var st fees.Student
			if err := bson.Unmarshal(raw, &st); err != nil {
				return nil, outage("find students", err)
			}
			if !q.matches(st) {
				continue
			}
			if !slices.ContainsFunc(found, func(f fees.Student) bool { return f.ID == st.ID }) {
				found = append(found, st)
			}
			if left--; left == 0 {
				break
			}
		}
	}
	return found, nil
}

// lookups are the filters that together find everything that q matches and
// whose key is greater than after, each in the order of the keys.
func (s *Store) lookups(ctx context.Context, institute string, q query, after string) ([]bson.D, error) {
	prefix := fees.Key(institute, "")
	var all []bson.D
	byTerm := func(term string) {
		all = append(all, bson.D{{Key: "institute", Value: institute}, {Key: "terms", Value: term}, underAfter(prefix, after)})
	}
	for _, t := range q.tokens {
		if t.number != "" {
			all = append(all, bson.D{underAfter(prefix+t.number, after)})
		}
		if t.family != "" {
			byTerm("=" + t.family)
		}
		for _, phone := range t.phones {
			byTerm("+" + leading(phone, phoneTerms))
			byTerm("~" + phone[len(phone)-phoneFrom:])
		}
	}
	if len(q.words) > 0 {
		term, err := s.rarestTerm(ctx, institute, q.words)
		if err != nil {
			return nil, err
		}
		byTerm(term)
	}
	return all, nil
}

// rarestTerm is the term that leaves least to look through for these words,
// the longest first. A word that few have is best; else it is a pair.
func (s *Store) rarestTerm(ctx context.Context, institute string, words []string) (string, error) {
	if len(words) == 1 {
		return leading(words[0], wordTerms), nil
	}
	const few = 50
	rarest, least := pairTerm(words[0], words[1], min(utf8.RuneCountInString(words[1]), pairTerms)), int64(few)
	for _, word := range words {
		term := leading(word, wordTerms)
		n, err := s.DB.Count(ctx, students, bson.D{{Key: "institute", Value: institute}, {Key: "terms", Value: term}}, few)
		if err != nil {
			return "", outage("find students", err)
		}
		if n < least {
			rarest, least = term, n
		}
	}
	return rarest, nil
}
