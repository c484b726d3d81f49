package store

import (
	"maps"
	"slices"
	"strings"

	"raseed/store/fees"
)

// refusal is Invalid for what is wrong with the fields of a form, nil when
// nothing is. Its message lists the reasons too, for those who see no form.
func refusal(summary string, fields map[string]string) *fees.Error {
	if len(fields) == 0 {
		return nil
	}
	reasons := make([]string, 0, len(fields))
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		if reason := fields[field]; !slices.Contains(reasons, reason) {
			reasons = append(reasons, reason)
		}
	}
	return &fees.Error{Code: fees.Invalid, Message: summary + " " + strings.Join(reasons, ". ") + ".", Fields: fields}
}
