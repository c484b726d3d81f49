package store

import (
	"os"
	"testing"
)

// oneThing is called by long tests that do one thing at a time. Where only races are
// looked for (RASEED_RACES, set by CI for its run under the detector) they have
// nothing to show; the run before has played them.
func oneThing(t *testing.T) {
	t.Helper()
	if os.Getenv("RASEED_RACES") != "" {
		t.Skip("does one thing at a time: nothing can race")
	}
}
