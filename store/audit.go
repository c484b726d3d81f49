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

// Audit checks the ledger's promises on a live store, for one institute or,
// with "", for all: each series counts 1, 2, 3 … n with no number missing or
// twice; bodies, hash chain and printed numbers are what they must be; sums
// agree; every reversal and its payment point at each other; counters and rows
// agree; no row is outside of a series; every row belongs to a student and its
// lines to bills that add up. With "" it begins with what the engine keeps
// beside the documents. It changes nothing.
//
// Rows that a live server records meanwhile may be met half-way: awaiting a
// number is reported, and is not a finding.
func (s *Store) Audit(ctx context.Context, institute string) (fees.AuditReport, error) {
	var report fees.AuditReport
	var all []fees.Institute
	var err error
	if institute == "" {
		all, err = s.Institutes(ctx)
	} else {
		var one fees.Institute
		one, err = s.Institute(ctx, institute)
		all = []fees.Institute{one}
	}
	if err != nil {
		return report, err
	}
	if institute == "" {
		if damaged, err := s.auditEngine(ctx, &report); err != nil || damaged {
			return report, outageOrNil("audit", err)
		}
	}
	for _, inst := range all {
		a := auditor{s: s, institute: inst.Code, report: &report, bases: map[string]string{}}
		if err := a.run(ctx); err != nil {
			return report, outage("audit "+inst.Code, err)
		}
	}
	if institute == "" {
		return report, outageOrNil("audit", s.auditStrays(ctx, all, &report))
	}
	return report, nil
}

// auditEngine has an engine that keeps more than documents check itself. What
// is damaged is told alone: reading on would follow wrong indexes.
func (s *Store) auditEngine(ctx context.Context, report *fees.AuditReport) (damaged bool, err error) {
	checker, ok := s.DB.(docdb.Checker)
	if !ok {
		return false, nil
	}
	for d, err := range checker.Check(ctx) {
		if err != nil {
			return true, err
		}
		institute, _, _ := strings.Cut(d.ID, ":")
		if d.ID == "" {
			institute = ""
		}
		report.Findings = append(report.Findings, fees.Finding{Institute: institute, What: "damage", ID: d.ID, Text: strings.TrimSpace(d.Coll + " " + d.Text)})
	}
	return len(report.Findings) > 0, nil
}

// missingMost bounds the missing numbers that are listed one by one.
const missingMost = 100

// auditor walks one institute.
type auditor struct {
	s         *Store
	institute string
	report    *fees.AuditReport
	counters  map[string]counter // by id, as they were before the rows were read

	series *fees.SeriesReport // being walked
	prev   string             // hash of the row before
	bases  map[string]string  // by counter: the hash of the row before the holders'
}

func (a *auditor) find(what, id, format string, args ...any) {
	a.report.Findings = append(a.report.Findings, fees.Finding{Institute: a.institute, What: what, ID: id, Text: fmt.Sprintf(format, args...)})
}

func (a *auditor) run(ctx context.Context) error {
	var err error
	if a.counters, err = a.readCounters(ctx); err != nil {
		return err
	}
	start := len(a.report.Series)
	numbered := a.s.DB.Find(ctx, payments,
		bson.D{{Key: "institute", Value: a.institute}, {Key: "number", Value: bson.D{{Key: "$exists", Value: true}}}},
		docdb.Find{Sort: []docdb.Key{{Path: "institute"}, {Path: "fy"}, {Path: "series"}, {Path: "number"}}})
	for raw, err := range numbered {
		if err != nil {
			return err
		}
		if err := a.row(ctx, raw); err != nil {
			return err
		}
	}
	if err := a.awaiting(ctx); err != nil {
		return err
	}
	if err := a.compareCounters(ctx, a.report.Series[start:]); err != nil {
		return err
	}
	if err := a.students(ctx); err != nil {
		return err
	}
	return a.unswept(ctx)
}

// row checks one numbered row and its place in the series.
func (a *auditor) row(ctx context.Context, raw bson.Raw) error {
	var row fees.Row
	if err := bson.Unmarshal(raw, &row); err != nil {
		a.find("row", raw.Lookup("_id").String(), "the row cannot be read: %v", err)
		return nil
	}
	if a.series == nil || a.series.FY != row.FY || a.series.Series != row.Series || a.series.Institute != row.Institute {
		a.report.Series = append(a.report.Series, fees.SeriesReport{Institute: a.institute, FY: row.FY, Series: row.Series, First: row.Number, ChainOK: true})
		a.series, a.prev = &a.report.Series[len(a.report.Series)-1], ""
		a.gap(0, row.Number)
	} else {
		a.gap(a.series.Last, row.Number)
	}
	r := a.series
	r.Count++
	r.Last = row.Number
	r.Total += row.Total
	if row.ReversedBy != "" {
		r.Reversed++
	}
	a.chain(raw, row)
	a.sums(row)
	return a.links(ctx, row)
}

// gap notes the numbers between two neighbours.
func (a *auditor) gap(before, number int64) {
	r := a.series
	if number <= before {
		a.find("duplicate", "", "%s %s: number %d is there twice", r.Series, r.FY, number)
		return
	}
	if number == before+1 {
		return
	}
	r.MissingN += number - before - 1
	for n := before + 1; n < number && len(r.Missing) < missingMost; n++ {
		r.Missing = append(r.Missing, n)
	}
	a.find("gap", "", "%s %s: numbers %d to %d are missing", r.Series, r.FY, before+1, number-1)
}

func (a *auditor) chain(raw bson.Raw, row fees.Row) {
	body, err := bodyOf(raw)
	switch {
	case err != nil:
		a.find("body", row.ID, "%s cannot be read as a ledger row: %v", row.NumberText, err)
	case body != row.Body:
		a.find("body", row.ID, "%s was changed after it was written", row.NumberText)
	}
	// The chain is followed over what the row is now, not over what it says.
	hash := chainHash(body, row.Number, a.prev)
	if row.Hash != hash || row.PrevHash != a.prev {
		if a.series.ChainOK {
			a.find("chain", row.ID, "the chain of %s %s breaks at number %d", row.Series, row.FY, row.Number)
		}
		a.series.ChainOK = false
	}
	// Followed over what is stored, so that one break is told as one.
	a.prev = row.Hash
	a.series.LastHash = row.Hash
	id := seriesOf(row).id()
	if c, ok := a.counters[id]; ok && row.Number == c.Seq-int64(len(c.Holders)) {
		a.bases[id] = row.Hash
	}
	if format, bad := fees.ParseFormat(row.Format, a.institute); bad != nil || format.Text(row.FY, row.Number) != row.NumberText {
		a.find("numberText", row.ID, "number %d of %s %s is printed as %q", row.Number, row.Series, row.FY, row.NumberText)
	}
	if row.Kind.Series() != row.Series {
		a.find("series", row.ID, "a %s is numbered as %s", row.Kind, row.Series)
	}
	if row.Awaiting {
		a.find("awaiting", row.ID, "%s has a number and still says that it awaits one", row.NumberText)
	}
}

func (a *auditor) sums(row fees.Row) {
	var lines, tenders fees.Amount
	for _, l := range row.Lines {
		lines += l.Amount
	}
	for _, t := range row.Tenders {
		tenders += t.Amount
	}
	if lines != row.Total || tenders != row.Total {
		a.find("sum", row.ID, "%s: total %d, lines %d, tenders %d", row.NumberText, row.Total, lines, tenders)
	}
	if (row.Kind == fees.KindPayment && row.Total <= 0) || (row.Kind == fees.KindReversal && row.Total >= 0) {
		a.find("sum", row.ID, "%s: a %s of %d", row.NumberText, row.Kind, row.Total)
	}
}

// links checks that a reversal and its payment point at each other and cancel.
func (a *auditor) links(ctx context.Context, row fees.Row) error {
	other := row.Reverses
	if row.Kind == fees.KindPayment {
		other = row.ReversedBy
	}
	if other == "" {
		if row.Kind == fees.KindReversal {
			a.find("link", row.ID, "%s reverses nothing", row.NumberText)
		}
		return nil
	}
	there, err := a.s.Row(ctx, a.institute, fees.After(other))
	if fees.CodeOf(err) == fees.NotFound {
		a.find("link", row.ID, "%s points at %s, which is not there", row.NumberText, other)
		return nil
	}
	if err != nil {
		return err
	}
	back := there.ReversedBy
	if row.Kind == fees.KindPayment {
		back = there.Reverses
	}
	if back != row.ID {
		a.find("link", row.ID, "%s points at %s, which does not point back", row.NumberText, there.NumberText)
	}
	if row.Total+there.Total != 0 {
		a.find("link", row.ID, "%s and %s do not cancel", row.NumberText, there.NumberText)
	}
	return nil
}

// awaiting counts the rows without a number, by series.
func (a *auditor) awaiting(ctx context.Context) error {
	groups, err := a.s.DB.Group(ctx, payments,
		bson.D{{Key: "institute", Value: a.institute}, {Key: "awaiting", Value: true}},
		docdb.Group{By: []string{"fy", "series"}, Accs: []docdb.Acc{{As: "count", Op: docdb.CountN}}})
	if err != nil {
		return err
	}
	for _, raw := range groups {
		var g struct {
			FY     string      `bson:"fy"`
			Series fees.Series `bson:"series"`
			Count  int64       `bson:"count"`
		}
		if err := bson.Unmarshal(raw, &g); err != nil {
			return err
		}
		i := slices.IndexFunc(a.report.Series, func(r fees.SeriesReport) bool {
			return r.Institute == a.institute && r.FY == g.FY && r.Series == g.Series
		})
		if i < 0 {
			a.report.Series = append(a.report.Series, fees.SeriesReport{Institute: a.institute, FY: g.FY, Series: g.Series, ChainOK: true})
			i = len(a.report.Series) - 1
		}
		a.report.Series[i].Awaiting = g.Count
	}
	return nil
}

// unswept finds rows that have neither a number nor the mark that they await
// one: no sweep would ever number them.
func (a *auditor) unswept(ctx context.Context) error {
	var row fees.Row
	err := a.s.DB.FindOne(ctx, payments, bson.D{
		{Key: "institute", Value: a.institute},
		{Key: "number", Value: bson.D{{Key: "$exists", Value: false}}},
		{Key: "awaiting", Value: bson.D{{Key: "$ne", Value: true}}},
	}, docdb.Find{}, &row)
	if err == nil {
		a.find("rows", row.ID, "the row has no number and does not say that it awaits one")
		return nil
	}
	if errors.Is(err, docdb.ErrNotFound) {
		return nil
	}
	return err
}

// auditStrays finds rows of institutes that do not exist.
func (s *Store) auditStrays(ctx context.Context, known []fees.Institute, report *fees.AuditReport) error {
	groups, err := s.DB.Group(ctx, payments, bson.D{}, docdb.Group{
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
		if !slices.ContainsFunc(known, func(i fees.Institute) bool { return i.Code == g.Institute }) {
			report.Findings = append(report.Findings, fees.Finding{Institute: g.Institute, What: "orphan", Text: fmt.Sprintf("%d rows belong to an institute that does not exist", g.Count)})
		}
	}
	return nil
}
