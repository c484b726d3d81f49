package fees_test

import (
	"strings"
	"testing"

	"raseed/store/fees"
)

func TestNormalAdmissionNo(t *testing.T) {
	for in, want := range map[string]string{
		"1001": "1001", " A/12-b ": "A/12-B", "a.b_c-d/e": "A.B_C-D/E", "\u00a07": "7", strings.Repeat("9", 32): strings.Repeat("9", 32),
		"2026/27/0001": "2026/27/0001", "1..2": "1..2", "azAZ09": "AZAZ09",
	} {
		got, err := fees.NormalAdmissionNo(in)
		if err != nil || got != want {
			t.Errorf("%q: got %q (%v), want %q", in, got, err, want)
			continue
		}
		if again, err := fees.NormalAdmissionNo(got); err != nil || again != got {
			t.Errorf("%q: normalising again gives %q (%v)", got, again, err)
		}
	}
	for in, reason := range map[string]string{
		"": "Enter an admission number", "  ": "Enter an admission number", "10:01": "“:” may not be", "１００１": "“１” may not be",
		"आ1": "“आ” may not be", "10 01": "“ ” may not be", "A&B": "“&” may not be", "1\x002": "hidden character U+0000",
		"-5": "starts with a letter or a digit", "/5": "starts with", "..": "starts with", ".": "starts with",
		"A//B": "empty part", "A/../B": "empty part", "A/./B": "empty part", "A/": "empty part",
		strings.Repeat("9", 33): "at most 32", "ß": "may not be", "\xff1": "U+FFFD", "\u017f1": "may not be", "\u0131": "may not be", // small letters whose capitals are S and I
	} {
		got, err := fees.NormalAdmissionNo(in)
		if err == nil || err.Code != fees.Invalid || got != "" || !strings.Contains(err.Message, reason) {
			t.Errorf("%q: got %q, %v; want a refusal with %q", in, got, err, reason)
		}
	}
}

func TestNormalLogin(t *testing.T) {
	for in, want := range map[string]string{
		"asha": "asha", " Asha.R ": "asha.r", "asha_r-2@example.org": "asha_r-2@example.org", "a1": "a1", "zz": "zz", "azAZ09": "azaz09", "7even": "7even",
		strings.Repeat("a", 64): strings.Repeat("a", 64),
	} {
		if got, err := fees.NormalLogin(in); err != nil || got != want {
			t.Errorf("%q: got %q (%v), want %q", in, got, err, want)
		}
	}
	for _, in := range []string{"", "a", strings.Repeat("a", 65), "as ha", "as:ha", ".asha", "@asha", "आशा", "asha\x00", "ＡＳＨＡ", "a/b", "\u212aim" /* the Kelvin sign, whose small letter is k */} {
		if got, err := fees.NormalLogin(in); err == nil || err.Code != fees.Invalid || got != "" || err.Message == "" {
			t.Errorf("%q: got %q (%v), must be refused", in, got, err)
		}
	}
}

func TestKeys(t *testing.T) {
	if got := fees.Key("DPS"); got != "DPS" {
		t.Errorf("a key without parts is %q", got)
	}
	key := fees.Key("DPS", "1024", "2026-27/T1")
	if key != "DPS:1024:2026-27/T1" {
		t.Errorf("the key is %q", key)
	}
	for key, want := range map[string]string{key: "1024:2026-27/T1", "DPS:1": "1", "DPS": "", "": "", "DPS:": ""} {
		if got := fees.After(key); got != want {
			t.Errorf("after %q: %q, want %q", key, got, want)
		}
	}
	if got := fees.ReversalID("DPS:01J"); got != "DPS:01J:reversal" {
		t.Errorf("the reversal's id is %q", got)
	}
}

func TestValidID(t *testing.T) {
	for id, want := range map[string]bool{
		"01ARZ3NDEKTSV4RRFFQ69G5FAV": true, "7ZZZZZZZZZZZZZZZZZZZZZZZZZ": true, "00000000000000000000000000": true,
		"8ZZZZZZZZZZZZZZZZZZZZZZZZZ": false, // more than 128 bits
		"01arz3ndektsv4rrffq69g5fav": false, "01ARZ3NDEKTSV4RRFFQ69G5FA": false, "01ARZ3NDEKTSV4RRFFQ69G5FAVX": false, "": false,
		"01ARZ3NDEKTSV4RRFFQ69G5FAI": false, "01ARZ3NDEKTSV4RRFFQ69G5FAL": false, "01ARZ3NDEKTSV4RRFFQ69G5FAO": false,
		"01ARZ3NDEKTSV4RRFFQ69G5FAU": false, "01ARZ3NDEKTSV4RRFFQ69G5:AV": false, "01ARZ3NDEKTSV4RRFFQ69G5é1": false,
	} {
		if got := fees.ValidID(id); got != want {
			t.Errorf("%q is a ULID: %t, want %t", id, got, want)
		}
	}
}
