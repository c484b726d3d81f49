package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// Audit checks the ledger's promises on a live store, for one institute or,
// with "", for all. It changes nothing and keeps nobody waiting: it reads in
// short pieces, and what it finds it looks at again before it says so, since a
// live server may have been met half-way. A row that awaits its number, and a
// bill that is not counted yet, are reported and are no findings.
//
// What a finding is about (fees.Finding.What):
//
//	gap         numbers of a series that no row has
//	duplicate   a number that two rows have
//	chain       a row's hash does not follow from the row before it
//	body        a row was changed after it was written
//	row         a row cannot be read, or lacks what a numbered row has
//	rows        a row has no number and does not say that it awaits one
//	key         a row's key, date, year or kind disagree with each other
//	series      a row is numbered in the series of another kind
//	numberText  the printed number is not the number
//	awaiting    a numbered row says that it awaits a number
//	sum         a row's lines, tenders and total disagree
//	link        a reversal and its payment do not point at each other or do
//	            not cancel; what an adjustment was made for is not there
//	counter     a counter disagrees with the rows, or is nobody's
//	bill        a bill was changed, does not add up, or is not under its own
//	            key; a row settles what was never billed; the charge of a
//	            reversal and its bill do not both exist
//	run         a bill names a billing run that is not there
//	opening     an opening balance was billed as another amount
//	account     an account is not what bills and rows sum up to
//	orphan      bills, rows or an account of a student that is not there, and
//	            documents of institutes that do not exist (only with "")
//	damage      the engine's own files disagree (only with ""); told alone
func (s *Store) Audit(ctx context.Context, institute string) (fees.AuditReport, error) {
	return s.AuditWatched(ctx, institute, func(int64) {})
}

// AuditWatched is Audit that tells, every now and then, how many rows it has
// checked so far.
func (s *Store) AuditWatched(ctx context.Context, institute string, checked func(rows int64)) (fees.AuditReport, error) {
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
		return fees.AuditReport{}, err
	}
	if institute != "" {
		report, err := s.auditLedgers(ctx, all, checked)
		return report, outageOrNil("audit "+institute, err)
	}
	report, err := s.auditAll(ctx, all, checked)
	return report, outageOrNil("audit", err)
}

// auditAll checks every institute, and beside it what the engine keeps.
func (s *Store) auditAll(ctx context.Context, all []fees.Institute, checked func(rows int64)) (fees.AuditReport, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	type examined struct {
		damage []fees.Finding
		err    error
	}
	engine := make(chan examined, 1)
	go func() {
		damage, err := s.auditEngine(ctx)
		if len(damage) > 0 || err != nil {
			stop()
		}
		engine <- examined{damage, err}
	}()
	report, err := s.auditLedgers(ctx, all, checked)
	if err == nil {
		err = s.auditStrays(ctx, all, &report)
	}
	if err != nil {
		stop()
	}
	switch e := <-engine; {
	case len(e.damage) > 0:
		// Told alone: what else was found was found by following wrong indexes.
		return fees.AuditReport{Findings: e.damage}, nil
	case e.err != nil && (err == nil || !errors.Is(e.err, context.Canceled)):
		return report, fmt.Errorf("check the engine: %w", e.err)
	}
	return report, err
}

// auditEngine has an engine that keeps more than documents check itself.
func (s *Store) auditEngine(ctx context.Context) ([]fees.Finding, error) {
	checker, ok := s.DB.(docdb.Checker)
	if !ok {
		return nil, nil
	}
	var damage []fees.Finding
	for d, err := range checker.Check(ctx) {
		if err != nil {
			return damage, err
		}
		institute, _, _ := strings.Cut(d.ID, ":")
		damage = append(damage, fees.Finding{Institute: institute, What: "damage", ID: d.ID, Text: strings.TrimSpace(d.Coll + " " + d.Text)})
	}
	return damage, nil
}

func (s *Store) auditLedgers(ctx context.Context, all []fees.Institute, checked func(rows int64)) (fees.AuditReport, error) {
	var report fees.AuditReport
	var before int64
	for _, inst := range all {
		a := newAuditor(s, inst, &report)
		a.checked = func(rows int64) { checked(before + rows) }
		if err := a.run(ctx); err != nil {
			return report, fmt.Errorf("audit %s: %w", inst.Code, err)
		}
		before += a.totals.Rows
		made, err := s.repairsOn(ctx, inst.Code)
		if err != nil {
			return report, fmt.Errorf("audit %s: %w", inst.Code, err)
		}
		report.Repairs = append(report.Repairs, made...)
	}
	return report, nil
}

// auditor walks one institute: bills first, then the rows that may name them,
// then what both must add up to. What it keeps in memory grows with students
// and bills, not with rows.
type auditor struct {
	s       *Store
	inst    fees.Institute
	report  *fees.AuditReport
	checked func(rows int64)
	totals  fees.AccountsReport

	counters map[string]counter // by id, as they were before the rows were read
	bases    map[string]string  // by counter: the hash of the row before the holders'
	people   map[string]*books  // by admission number
	codes    map[string]int32   // period and head codes as small numbers
	links    links
	gaps     []gap
	waiting  map[string]seriesKey // rows that were awaiting, by id

	series *fees.SeriesReport // being walked
	prev   string             // hash of the row before
	years  map[string][2]fees.Date
	forms  map[string]fees.NumberFormat
}

func newAuditor(s *Store, inst fees.Institute, report *fees.AuditReport) *auditor {
	return &auditor{
		s: s, inst: inst, report: report,
		totals: fees.AccountsReport{Institute: inst.Code},
		bases:  map[string]string{}, people: map[string]*books{}, codes: map[string]int32{}, waiting: map[string]seriesKey{},
		years: map[string][2]fees.Date{}, forms: map[string]fees.NumberFormat{},
		links: newLinks(),
	}
}

func (a *auditor) find(what, id, format string, args ...any) {
	a.report.Findings = append(a.report.Findings, fees.Finding{Institute: a.inst.Code, What: what, ID: id, Text: sentence(format, args...)})
}

// sentence begins with a capital letter, whatever it begins with.
func sentence(format string, args ...any) string {
	text := fmt.Sprintf(format, args...)
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// several is a number of things with their name: "1 bill", "12 bills".
func several[N int | int64](n N, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

func (a *auditor) run(ctx context.Context) error {
	for _, step := range []func(context.Context) error{
		a.walkCounters, a.walkBills, a.walkRows, a.confirmGaps, a.compareCounters,
		a.walkAccounts, a.walkStudents, a.confirmPeople, a.confirmLinks, a.confirmRuns,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	a.report.Accounts = append(a.report.Accounts, a.totals)
	return nil
}
