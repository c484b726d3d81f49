package fees

import "time"

// Location is the institute's time zone, UTC when its name is unknown. It is
// looked up anew each time (about 6 µs), so a loop asks once.
func (i Institute) Location() *time.Location {
	if loc, ok := zone(i.TimeZone); ok {
		return loc
	}
	return time.UTC
}

// zone is the IANA zone of that name. "Local" is none: it would be whatever
// the server is set to.
func zone(name string) (*time.Location, bool) {
	if name == "" || name == "Local" {
		return nil, false
	}
	loc, err := time.LoadLocation(name)
	return loc, err == nil
}

// Today is the institute's business date at the moment now.
func (i Institute) Today(now time.Time) Date { return DateOf(now, i.Location()) }

// FY is the label of the institute's financial year that d falls in.
func (i Institute) FY(d Date) string { return FYOf(d, i.FYStart) }
