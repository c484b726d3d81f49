package fees

import "time"

// Date is a business date in the institute's own calendar, written
// 2006-01-02, so that dates sort as text. The zero value means "no date".
type Date string

// DateOf is the calendar date of t in the zone loc.
func DateOf(t time.Time, loc *time.Location) Date {
	return Date(t.In(loc).Format(time.DateOnly))
}

// ParseDate reads 2006-01-02: four, two and two digits, a day that exists, in
// the years 1900 to 2199. Anything else is Invalid with the reason.
func ParseDate(s string) (Date, *Error) {
	if s == "" {
		return "", Errorf(Invalid, "Enter a date")
	}
	if len(s) != len(time.DateOnly) || s[4] != '-' || s[7] != '-' ||
		!allDigits(s[:4]) || !allDigits(s[5:7]) || !allDigits(s[8:]) {
		return "", Errorf(Invalid, "Write the date as year-month-day, like 2026-11-30")
	}
	t, err := time.Parse(time.DateOnly, s)
	switch {
	case err != nil:
		return "", Errorf(Invalid, "There is no such day as %s", s)
	case t.Year() < 1900 || t.Year() > 2199:
		return "", Errorf(Invalid, "The year must lie between 1900 and 2199")
	}
	return Date(s), nil
}

// Valid says whether d is a date that ParseDate would read.
func (d Date) Valid() bool {
	_, err := ParseDate(string(d))
	return err == nil
}

// AddDays is the date n days after d, before it when n is negative; "" for
// what is no date.
func (d Date) AddDays(n int) Date {
	t, err := time.Parse(time.DateOnly, string(d))
	if err != nil {
		return ""
	}
	return Date(t.AddDate(0, 0, n).Format(time.DateOnly))
}

// addMonths is the date n months after d: the same day of that month or, where
// the month is shorter, its last; "" for what is no date.
func (d Date) addMonths(n int) Date {
	t, err := time.Parse(time.DateOnly, string(d))
	if err != nil {
		return ""
	}
	day := t.Day()
	if t = t.AddDate(0, n, 0); t.Day() != day { // it ran on into the next
		t = t.AddDate(0, 0, -t.Day())
	}
	return Date(t.Format(time.DateOnly))
}

// Time is the midnight with which d begins in loc, or an hour later where the
// clocks skip it; the zero time for what is no date.
func (d Date) Time(loc *time.Location) time.Time {
	t, err := time.ParseInLocation(time.DateOnly, string(d), loc)
	if err != nil {
		return time.Time{}
	}
	if DateOf(t, loc) < d {
		t = t.Add(time.Hour)
	}
	return t
}

// Spoken is d as messages say it: "30 November 2026".
func (d Date) Spoken() string { return d.Time(time.UTC).Format("2 January 2006") }
