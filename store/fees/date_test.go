package fees_test

import (
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // the zones under test must not depend on the machine

	"raseed/store/fees"
)

func TestParseDate(t *testing.T) {
	for _, s := range []string{"1900-01-01", "2024-02-29", "2000-02-29", "2026-11-30", "2199-12-31"} {
		if d, err := fees.ParseDate(s); err != nil || string(d) != s || !d.Valid() {
			t.Errorf("%q: got %q (%v)", s, d, err)
		}
	}
	for in, reason := range map[string]string{
		"": "Enter a date", "30-11-2026": "like 2026-11-30", "30/11/2026": "like 2026-11-30", "2026-1-5": "like 2026-11-30",
		" 2026-11-30": "like 2026-11-30", "2026-11-30T00:00": "like 2026-11-30", "２０２６-11-30": "like 2026-11-30",
		"+026-11-30": "like 2026-11-30", "2026/11/30": "like 2026-11-30", "2026-11/30": "like 2026-11-30", "2026/11-30": "like 2026-11-30", "2026-11- 3": "like 2026-11-30", "20261130": "like 2026-11-30",
		"2026-02-30": "no such day as 2026-02-30", "2025-02-29": "no such day", "1900-02-29": "no such day", "2026-13-01": "no such day",
		"2026-00-10": "no such day", "2026-04-31": "no such day", "2026-04-00": "no such day",
		"1899-12-31": "between 1900 and 2199", "2200-01-01": "between 1900 and 2199", "0000-01-01": "between 1900 and 2199",
	} {
		d, err := fees.ParseDate(in)
		if err == nil || err.Code != fees.Invalid || d != "" || !strings.Contains(err.Message, reason) {
			t.Errorf("%q: got %q, %v; want a refusal with %q", in, d, err, reason)
		}
		if fees.Date(in).Valid() {
			t.Errorf("%q counts as valid", in)
		}
	}
}

// Every day of three centuries, counted one by one, is a date, and nothing
// between two of them is.
func TestDateCalendar(t *testing.T) {
	d, months := fees.Date("1900-01-01"), []int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}
	for year := 1900; year < 2200; year++ {
		for month, days := range months {
			if month == 1 && year%4 == 0 && (year%100 != 0 || year%400 == 0) {
				days++
			}
			for range days {
				next := d.AddDays(1)
				if !d.Valid() || next <= d || next.AddDays(-1) != d {
					t.Fatalf("%s, then %s, then back %s", d, next, next.AddDays(-1))
				}
				d = next
			}
		}
	}
	if d != "2200-01-01" {
		t.Fatalf("three centuries of days end at %s", d)
	}
}

func TestDateArithmetic(t *testing.T) {
	if got := fees.Date("2026-03-01").AddDays(-1); got != "2026-02-28" {
		t.Errorf("the day before 1 March 2026 is %s", got)
	}
	if got := fees.Date("2026-11-30").AddDays(-366); got != "2025-11-29" {
		t.Errorf("366 days before 30 November 2026 is %s", got)
	}
	for _, bad := range []fees.Date{"", "yesterday"} {
		if got := bad.AddDays(1); got != "" {
			t.Errorf("the day after %q is %q", bad, got)
		}
		if got := bad.Time(time.UTC); !got.IsZero() {
			t.Errorf("the time of %q is %v", bad, got)
		}
	}
}

// A date's time is on that date in its zone, also where the clocks skip
// midnight.
func TestDateTime(t *testing.T) {
	for _, tc := range []struct{ zone, date, clock string }{
		{"Asia/Kolkata", "2026-11-30", "00:00"},
		{"America/New_York", "2026-03-08", "00:00"},
		{"America/Sao_Paulo", "2018-11-04", "01:00"},
		{"Africa/Cairo", "2024-04-26", "01:00"},
		{"Asia/Beirut", "2024-03-31", "01:00"},
		{"America/Havana", "2024-03-10", "01:00"},
	} {
		loc, err := time.LoadLocation(tc.zone)
		if err != nil {
			t.Fatal(err)
		}
		got := fees.Date(tc.date).Time(loc)
		if fees.DateOf(got, loc) != fees.Date(tc.date) || got.Format("15:04") != tc.clock {
			t.Errorf("%s begins in %s at %v, want %s", tc.date, tc.zone, got, tc.clock)
		}
	}
}

func FuzzParseDate(f *testing.F) {
	for _, s := range []string{"", "2026-11-30", "2025-02-29", "2026-1-5", "1899-12-31", "2026-11-30 ", "-026-11-30"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := fees.ParseDate(s)
		want, parseErr := time.Parse("2006-01-02", s)
		ok := parseErr == nil && want.Format("2006-01-02") == s && want.Year() >= 1900 && want.Year() <= 2199
		if ok != (err == nil) || ok && string(d) != s || !ok && (d != "" || err.Message == "") {
			t.Fatalf("%q: got %q (%v), want accepted: %t", s, d, err, ok)
		}
	})
}
