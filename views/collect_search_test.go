package views

import (
	"strings"
	"testing"
)

// A number has no more of a name.
func TestSearchAsksForMore(t *testing.T) {
	var page strings.Builder
	err := Results(Search{Query: "77", Students: []SearchStudent{{AdmissionNo: "771"}}, More: true}).Render(t.Context(), &page)
	if err != nil || !strings.Contains(page.String(), "There are more. Type more.") {
		t.Errorf("%v, %s", err, page.String())
	}
}
