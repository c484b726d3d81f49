package fees

import (
	"cmp"
	"slices"
)

// Compare orders periods by due date, then code.
func (p Period) Compare(q Period) int {
	return cmp.Or(cmp.Compare(p.DueDate, q.DueDate), cmp.Compare(p.Code, q.Code))
}

// findPeriod is the period of that code.
func findPeriod(all []Period, code string) (Period, bool) {
	at := slices.IndexFunc(all, func(p Period) bool { return p.Code == code })
	if at < 0 {
		return Period{}, false
	}
	return all[at], true
}
