package fees_test

import (
	"errors"
	"fmt"
	"testing"

	"raseed/store/fees"
)

func TestErrorCode(t *testing.T) {
	refused := fees.Errorf(fees.Conflict, "form %d was recorded", 7)
	if got := refused.Error(); got != "conflict: form 7 was recorded" {
		t.Errorf("the error is %q", got)
	}
	for _, tc := range []struct {
		err  error
		want fees.Code
	}{
		{refused, fees.Conflict}, {fmt.Errorf("record payment: %w", refused), fees.Conflict}, {errors.New("disk full"), ""}, {nil, ""},
	} {
		if got := fees.CodeOf(tc.err); got != tc.want {
			t.Errorf("%v has code %q, want %q", tc.err, got, tc.want)
		}
	}
}
