package fees

import (
	"fmt"
	"strconv"
	"time"
)

// FYOf is the label of the financial year that d falls in, for years that
// begin in startMonth: "2026-27", or "2026" where it is January. It is "" for
// what is no date.
func FYOf(d Date, startMonth int64) string {
	t, err := time.Parse(time.DateOnly, string(d))
	if err != nil {
		return ""
	}
	year := t.Year()
	if int64(t.Month()) < startMonth {
		year--
	}
	return fyLabel(year, startMonth)
}

func fyLabel(year int, startMonth int64) string {
	if startMonth <= 1 {
		return fmt.Sprintf("%04d", year)
	}
	return fmt.Sprintf("%04d-%02d", year, (year+1)%100)
}

// FYRange is the first and last day of the financial year of that label. A
// label that no year beginning in startMonth has is Invalid.
func FYRange(label string, startMonth int64) (from, to Date, err *Error) {
	year, _ := strconv.Atoi(label[:min(4, len(label))])
	// 1899 holds the first days that a Date can name.
	if year < 1899 || year > 2199 || fyLabel(year, startMonth) != label {
		return "", "", Errorf(Invalid, "There is no financial year %.20q here; it is written like %s", label, fyLabel(2026, startMonth))
	}
	first := time.Date(year, time.Month(max(startMonth, 1)), 1, 0, 0, 0, 0, time.UTC)
	return DateOf(first, time.UTC), DateOf(first.AddDate(1, 0, -1), time.UTC), nil
}

// FYShort is a label as numbers carry it: "26-27" for "2026-27"; "2026" stays.
func FYShort(label string) string {
	if len(label) == len("2026-27") {
		return label[2:]
	}
	return label
}
