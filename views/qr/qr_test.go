package qr_test

import (
	"strings"
	"testing"

	"raseed/views/qr"
)

// A code has the three finder patterns of ISO/IEC 18004, seven modules wide, in
// its corners and within its quiet zone.
func TestOf(t *testing.T) {
	t.Parallel()
	code, ok := qr.Of("https://fees.example.org/verify/DPS:01JDYAZXW0M6V7J3QK4R5T8N9P:q83vEjRWeJCrze8BI0Vniq")
	if !ok || code.Size < 21 || (code.Size-17)%4 != 0 {
		t.Fatalf("a code of %d modules, %t", code.Size, ok)
	}
	at := map[qr.Run]bool{}
	for _, r := range code.Runs {
		at[r] = true
	}
	for _, finder := range []qr.Run{{X: 0, Y: 0, Width: 7}, {X: code.Size - 7, Y: 0, Width: 7}, {X: 0, Y: code.Size - 7, Width: 7}} {
		if !at[finder] {
			t.Errorf("there is no finder pattern at %d, %d", finder.X, finder.Y)
		}
	}
	if path := code.Path(); !strings.HasPrefix(path, "M4 4h7v1h-7z") {
		t.Errorf("the path begins %.20s", path)
	}
	for _, none := range []string{"", strings.Repeat("x", 3000)} {
		if code, ok := qr.Of(none); ok || code.Size != 0 {
			t.Errorf("%d letters make a code of %d modules", len(none), code.Size)
		}
	}
}
