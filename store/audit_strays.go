package store

import (
	"context"
	"errors"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// auditStrays finds documents of institutes that do not exist.
func (s *Store) auditStrays(ctx context.Context, all []auditedInstitute, report *fees.AuditReport) error {
	known, series := map[string]bool{}, map[string]bool{}
	for _, inst := range all {
		known[inst.Code] = true
	}
	for _, name := range fees.AllSeries() {
		series[string(name)] = true
	}
	// By key: one look for each institute, whatever the size.
	for _, coll := range []string{students, heads, periods, plans, concessions, bills, accounts, repairs, runs, payments, prints, logos, keys, families, shifts, cheques, refunds} {
		if err := s.strayKeys(ctx, coll, "", known, report); err != nil {
			return err
		}
	}
	if err := s.strayKeys(ctx, counters, "", series, report); err != nil {
		return err
	}
	for name := range series {
		if err := s.strayKeys(ctx, counters, name+":", known, report); err != nil {
			return err
		}
	}
	// By what they say: rows are numbered by it, and users are keyed otherwise.
	for _, coll := range []string{payments, users} {
		if err := s.strayInstitutes(ctx, coll, known, report); err != nil {
			return err
		}
	}
	return nil
}

// strayKeys finds keys that go on after prefix with a name that is not known.
func (s *Store) strayKeys(ctx context.Context, coll, prefix string, known map[string]bool, report *fees.AuditReport) error {
	for after := ""; ; {
		var raw bson.Raw
		err := s.DB.FindOne(ctx, coll, bson.D{underAfter(prefix, after)},
			docdb.Find{Sort: []docdb.Key{{Path: "_id"}}, Fields: []string{"_id"}}, &raw)
		if errors.Is(err, docdb.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		id := textOf(raw, "_id")
		name, _, _ := strings.Cut(id[len(prefix):], ":")
		after = max(id, prefix+name+":"+lastRune)
		if known[name] {
			continue
		}
		n, err := s.DB.Count(ctx, coll, bson.D{under(prefix + name + ":")}, 0)
		if err != nil {
			return err
		}
		report.Findings = append(report.Findings, strayFinding(coll, name, id, max(n, 1)))
	}
}

// strayInstitutes finds documents that say that they are of an institute that
// is not known.
func (s *Store) strayInstitutes(ctx context.Context, coll string, known map[string]bool, report *fees.AuditReport) error {
	groups, err := s.DB.Group(ctx, coll, bson.D{}, docdb.Group{
		By: []string{"institute"}, Accs: []docdb.Acc{{As: "count", Op: docdb.CountN}},
	})
	if err != nil {
		return err
	}
	for _, raw := range groups {
		var g struct {
			Institute string `bson:"institute"`
			Count     int64  `bson:"count"`
		}
		if err := bson.Unmarshal(raw, &g); err != nil {
			return err
		}
		if known[g.Institute] {
			continue
		}
		var first bson.Raw
		err := s.DB.FindOne(ctx, coll, bson.D{{Key: "institute", Value: g.Institute}}, docdb.Find{Fields: []string{"_id"}}, &first)
		if err != nil && !errors.Is(err, docdb.ErrNotFound) {
			return err
		}
		report.Findings = append(report.Findings, strayFinding(coll, g.Institute, textOf(first, "_id"), g.Count))
	}
	return nil
}

func strayFinding(coll, institute, id string, n int64) fees.Finding {
	return fees.Finding{Institute: institute, What: "orphan", ID: id,
		Text: sentence("%s: %s of %q, which does not exist", coll, several(n, "document"), institute)}
}
