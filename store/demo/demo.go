// Package demo fills an empty store with a school to try Raseed on: students in
// families, a fee plan of three terms, bills, a week at the counter, and a
// second school, so that it can be seen that neither sees the other. It uses
// only what people use, and makes the same school every time.
package demo

import (
	"context"
	"fmt"
	"strings"
	"time"

	"raseed/store"
	"raseed/store/fees"
)

// Login is a way into the demo.
type Login struct {
	Institute string
	Login     string
	Name      string
	Role      fees.Role
	Password  string
}

// Logins are one of each role for the school, and a cashier of the second.
func Logins() []Login {
	return []Login{
		{school, "asha", "Asha Rao", fees.RoleCashier, "counter-one"},
		{school, "ravi", "Ravi Menon", fees.RoleAccountant, "day-book-2"},
		{school, "meera", "Meera Joshi", fees.RoleAdmin, "office-three"},
		{school, "noor", "Noor Shaikh", fees.RoleAuditor, "audit-four"},
		{nursery, "tara", "Tara Bose", fees.RoleCashier, "counter-five"},
	}
}

// The codes of the two institutes.
const (
	school  = "DPS"
	nursery = "LBK"
)

// Fill makes the demo in an empty store, as if the counters had been open for
// the week that ends now. A store that has institutes of somebody else, or the
// whole demo, is left as it is; a demo that was left half made is finished, a
// billing run that was killed once its lease is over (store.TakeOverRuns).
func Fill(ctx context.Context, s *store.Store, now time.Time) error {
	done, err := filled(ctx, s)
	if done || err != nil {
		return err
	}
	// A store of its own, so that its clock can be set to the day of each entry.
	f := &filler{now: now, clock: now}
	if f.s, err = store.New(ctx, s.DB, func() time.Time { return f.clock }, s.NewID, s.Log); err != nil {
		return fmt.Errorf("fill the demo: %w", err)
	}
	// First the number that a fill which was killed still owes its last receipt.
	for _, step := range []func(context.Context) error{f.s.Sweep, f.fillSchool, f.fillNursery, f.addUsers} {
		if err := step(ctx); err != nil {
			return fmt.Errorf("fill the demo: %w", err)
		}
	}
	return nil
}

// filled says whether there is nothing to do. Users come last.
func filled(ctx context.Context, s *store.Store) (bool, error) {
	all, err := s.Institutes(ctx)
	if err != nil {
		return false, fmt.Errorf("fill the demo: %w", err)
	}
	for _, inst := range all {
		if inst.Code != school && inst.Code != nursery {
			return true, nil
		}
	}
	logins := Logins()
	_, err = s.User(ctx, logins[len(logins)-1].Login)
	if fees.CodeOf(err) == fees.NotFound {
		return false, nil
	}
	return true, err
}

// filler makes the demo.
type filler struct {
	s     *store.Store
	now   time.Time
	clock time.Time // what the store takes for the present
}

// open makes an institute and sets the clock to the first of the days on which
// it collects.
func (f *filler) open(ctx context.Context, inst fees.Institute) (fees.Institute, []time.Time, error) {
	inst.TimeZone, inst.FYStart = "Asia/Kolkata", 4
	days, err := workdays(inst, f.now)
	if err != nil {
		return inst, nil, err
	}
	f.clock = days[0]
	made, err := f.s.AddInstitute(ctx, inst)
	if fees.CodeOf(err) == fees.Conflict {
		made, err = f.s.Institute(ctx, inst.Code)
	}
	return made, days, err
}

// workdays are the last six days up to now that are no Sunday and in the
// financial year of now, each at nine in the morning, or at its first second
// where now is earlier.
func workdays(inst fees.Institute, now time.Time) ([]time.Time, error) {
	today := inst.Today(now)
	from, _, bad := fees.FYRange(inst.FY(today), inst.FYStart)
	if bad != nil {
		return nil, bad
	}
	var days []time.Time
	for back := 6; back >= 0; back-- {
		date := today.AddDays(-back)
		morning := date.Time(inst.Location()).Add(9 * time.Hour)
		if date < from || back > 0 && morning.Weekday() == time.Sunday {
			continue
		}
		if morning.After(now) {
			morning = date.Time(inst.Location())
		}
		days = append(days, morning)
	}
	return days, nil
}

// take imports lists that are known to be right.
func (f *filler) take(ctx context.Context, inst fees.Institute, people, plan, concessions string) error {
	for _, list := range []struct {
		what, text string
		take       func(context.Context, string, *strings.Reader) (fees.ImportReport, error)
	}{
		{"students", people, func(ctx context.Context, code string, r *strings.Reader) (fees.ImportReport, error) {
			return f.s.ImportStudents(ctx, code, r, false, fees.Actor{Login: "meera"})
		}},
		{"plan", plan, func(ctx context.Context, code string, r *strings.Reader) (fees.ImportReport, error) {
			return f.s.ImportPlan(ctx, code, r, false, fees.Actor{Login: "meera"})
		}},
		{"concessions", concessions, func(ctx context.Context, code string, r *strings.Reader) (fees.ImportReport, error) {
			return f.s.ImportConcessions(ctx, code, r, false, fees.Actor{Login: "meera"})
		}},
	} {
		report, err := list.take(ctx, inst.Code, strings.NewReader(list.text))
		if err != nil {
			return err
		}
		if len(report.Problems) > 0 {
			return fmt.Errorf("%s of the demo: %+v", list.what, report.Problems)
		}
	}
	return nil
}

// bill bills the first term.
func (f *filler) bill(ctx context.Context, inst fees.Institute, id string) error {
	run, err := f.s.StartRun(ctx, inst.Code, fees.RunOrder{
		ID: id, Period: inst.FY(inst.Today(f.now)) + "/T1", By: fees.Actor{Login: "meera", Name: "Meera Joshi", Role: fees.RoleAdmin},
	})
	if err != nil || run.State == fees.RunDone {
		return err
	}
	_, err = f.s.ExecuteRun(ctx, inst.Code, id)
	return err
}

func (f *filler) addUsers(ctx context.Context) error {
	for _, l := range Logins() {
		_, err := f.s.AddUser(ctx, l.Institute, l.Login, l.Name, l.Role, l.Password)
		if err != nil && fees.CodeOf(err) != fees.Conflict {
			return err
		}
	}
	return nil
}
