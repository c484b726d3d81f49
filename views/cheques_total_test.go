package views

import (
	"testing"

	"raseed/store/fees"
)

// A list that counts parts of a cheque says that they are parts.
func TestCountTotalSaysWhatItCounts(t *testing.T) {
	for want, total := range map[string]fees.ChequeTotal{
		"0 cheques": {}, "1 cheque": {Count: 1}, "2 parts of split cheques": {Count: 2, Parts: 2},
		"3 cheques and 1 part of split ones": {Count: 4, Parts: 1},
	} {
		if got := countTotal(total); got != want {
			t.Errorf("%+v is %q, want %q", total, got, want)
		}
	}
}
