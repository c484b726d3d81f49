package store

import (
	"strconv"

	"raseed/store/fees"
)

// openYear is Invalid, with the field fy, for what is no year of the institute
// or one whose books are closed.
func openYear(inst fees.Institute, fy string) *fees.Error {
	_, last, bad := fees.FYRange(fy, inst.FYStart)
	if bad == nil && last <= inst.ClosedTo {
		bad = fees.Errorf(fees.Invalid, "The year %s is closed", fy)
	}
	if bad != nil {
		bad.Fields = map[string]string{"fy": bad.Message}
		bad.Message += "."
	}
	return bad
}

// nth is the n-th (from 0) of a repeated field, as fees.Error names it.
func nth(field string, n int) string { return field + "." + strconv.Itoa(n) }
