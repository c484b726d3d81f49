package store

import (
	"context"
	"errors"
	"fmt"
	"unicode"
	"unicode/utf8"

	"raseed/store/fees"
)

// Audit checks the ledger's promises on a live store, for one institute or,
// with "", for all. It changes nothing and keeps nobody waiting: it reads in
// short pieces, and what it finds it looks at again before it says so, since a
// live server may have been met half-way. A row that awaits its number, a bill
// that is not counted yet, and a student whose books changed whenever they were
// looked at are reported (fees.SeriesReport, fees.AccountsReport) and are no
// findings. An engine's files are one for all institutes and checked whole,
// also for one: damage to what others have in them is told without its name.
//
// What a finding is about (fees.Finding.What):
//
//	gap         numbers of a series that no row has
//	duplicate   a number that two rows have
//	chain       a row's hash does not follow from the row before it
//	body        a row was changed after it was written
//	row         a row cannot be read, lacks what a numbered row has, or has an
//	            empty mark
//	rows        a row has no number and does not say that it awaits one
//	key         a row's key, date, year or kind disagree with each other
//	series      a row is numbered in the series of another kind
//	numberText  the printed number is not the number
//	awaiting    a numbered row says that it awaits a number
//	sum         a row's lines, tenders and total disagree
//	link        a reversal and its payment do not point at each other or do
//	            not cancel; what an adjustment was made for is not there
//	counter     a counter disagrees with the rows, or is of no year
//	bill        a bill was changed, does not add up, or is not under its own
//	            key; a row settles what was never billed; the charge of a
//	            reversal and its bill do not both exist
//	family      a family payment does not add up, or is not what its rows say
//	till        a till was closed with other sums than its rows have; a row names
//	            a till that is not there or is somebody else's
//	run         a bill names a billing run that is not there; a run that is
//	            done made more bills than name it, or of another amount, or
//	            does not add up
//	opening     an opening balance was billed as another amount, or never
//	account     an account is not what bills and rows sum up to
//	missing     an account counts more bills or rows than there are: something
//	            was removed
//	orphan      bills, rows, an account or a concession of a student that is not
//	            there, and documents of institutes that do not exist (only
//	            with "")
//	cheque      a cheque is not what its payment says, or stands otherwise than
//	            its payment
//	refund      a refund, its row and its bill do not agree; more was given back
//	            of a payment than it brought in
//	list        a head that bills name is gone; a head, period, concession,
//	            row of the plan or repair is of another institute than its key
//	institute   the institute's settings are none that it could have been given
//	damage      the engine's own files disagree; told alone
func (s *Store) Audit(ctx context.Context, institute string) (fees.AuditReport, error) {
	return s.AuditWatched(ctx, institute, func(int64) {})
}

// AuditWatched is Audit that tells, every now and then, how many rows it has
// checked so far.
func (s *Store) AuditWatched(ctx context.Context, institute string, checked func(rows int64)) (fees.AuditReport, error) {
	report, err := s.auditBoth(ctx, institute, checked)
	return report, outageOrNil("audit", err)
}

// auditBoth checks the ledgers, and beside them what the engine keeps. Damage
// is told alone: what else was found was found by following wrong indexes. It
// may also be why a ledger could not be read, so that the engine has its say
// unless the store is out of reach.
func (s *Store) auditBoth(ctx context.Context, institute string, checked func(rows int64)) (fees.AuditReport, error) {
	inLedgers, stopLedgers := context.WithCancel(ctx)
	defer stopLedgers()
	inEngine, stopEngine := context.WithCancel(ctx)
	defer stopEngine()
	type examined struct {
		damage []fees.Finding
		err    error
	}
	engine := make(chan examined, 1)
	go func() {
		damage, err := s.auditEngine(inEngine, institute)
		if len(damage) > 0 || err != nil {
			stopLedgers()
		}
		engine <- examined{damage, err}
	}()
	report, err := s.auditLedgers(inLedgers, institute, checked)
	if err != nil && (cannotGoOn(err) || fees.CodeOf(err) == fees.NotFound) {
		stopEngine()
	}
	switch e := <-engine; {
	case len(e.damage) > 0:
		return fees.AuditReport{Findings: e.damage}, nil
	case e.err != nil && (err == nil || !errors.Is(e.err, context.Canceled)):
		return report, fmt.Errorf("check the engine: %w", e.err)
	}
	return report, err
}

// auditLedgers checks one institute or all, and then what belongs to none.
func (s *Store) auditLedgers(ctx context.Context, institute string, checked func(rows int64)) (fees.AuditReport, error) {
	var report fees.AuditReport
	all, err := s.auditInstitutes(ctx, institute, &report)
	if err != nil {
		return report, err
	}
	var before int64
	for _, inst := range all {
		if !inst.readable {
			continue
		}
		a := newAuditor(s, inst.Institute, &report)
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
	if institute == "" {
		err = s.auditStrays(ctx, all, &report)
	}
	return report, err
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
	tills    map[string]*tillRows // by the till
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
		links: newLinks(), tills: map[string]*tillRows{},
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
		a.walkAccounts, a.walkStudents, a.walkLists, a.walkRuns, a.walkShifts, a.walkFamilies, a.confirmPeople, a.confirmLinks, a.walkCheques, a.walkRefunds,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	a.report.Accounts = append(a.report.Accounts, a.totals)
	return nil
}
