package fees_test

import (
	"testing"

	"raseed/store/fees"
)

func TestMintedAt(t *testing.T) {
	for id, want := range map[string]int64{
		"01ARZ3NDEKTSV4RRFFQ69G5FAV": 1469922850259, // the example of the ULID specification
		"00000000000000000000000000": 0,
		"7ZZZZZZZZZZZZZZZZZZZZZZZZZ": 1<<48 - 1,
		"01ARZ3NDEKTSV4RRFFQ69G5FA":  0,
		"01ARZ3NDEKTSV4RRFFQ69G5FAU": 0,
	} {
		if got := fees.MintedAt(id); got != want {
			t.Errorf("%s was minted at %d, want %d", id, got, want)
		}
	}
}
