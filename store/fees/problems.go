package fees

import (
	"maps"
	"slices"
	"strings"
)

// problems collects what is wrong with an input, by field.
type problems map[string]string

// add notes a reason; the first of a field stays.
func (p problems) add(field, reason string) {
	if _, ok := p[field]; !ok {
		p[field] = reason
	}
}

// err is nil without problems. Its message says the reasons too, for those who
// see no form.
func (p problems) err(summary string) *Error {
	if len(p) == 0 {
		return nil
	}
	reasons := make([]string, 0, len(p))
	for _, name := range slices.Sorted(maps.Keys(p)) {
		if reason := p[name]; !slices.Contains(reasons, reason) {
			reasons = append(reasons, reason)
		}
	}
	return &Error{Code: Invalid, Message: summary + ". " + strings.Join(reasons, ". ") + ".", Fields: p}
}
