package fees

import (
	"path"
	"strconv"
	"strings"
)

// NormalAdmissionNo is an admission number as the keys have it: trimmed and in
// capitals. It has 1 to 32 letters A to Z, digits, "-", "/", "." and "_", a
// letter or digit first; it goes into addresses of pages, so no "//", "/../"
// or "/" at the end. Anything else is Invalid.
func NormalAdmissionNo(s string) (string, *Error) {
	n := strings.TrimSpace(s)
	if n == "" {
		return "", Errorf(Invalid, "Enter an admission number")
	}
	if bad, ok := firstOutside(n, func(r rune) bool { return isASCIIAlnum(r) || strings.ContainsRune("-/._", r) }); ok {
		return "", Errorf(Invalid, "%s may not be in an admission number: use letters A to Z, digits, - / . and _", describe(bad))
	}
	if len(n) > 32 {
		return "", Errorf(Invalid, "An admission number has at most 32 characters")
	}
	if !isASCIIAlnum(rune(n[0])) {
		return "", Errorf(Invalid, "An admission number starts with a letter or a digit")
	}
	if path.Clean(n) != n {
		return "", Errorf(Invalid, "An admission number may not have an empty part between or after slashes")
	}
	return strings.ToUpper(n), nil
}

// NormalLogin is a login as users are keyed: trimmed and in small letters. It
// has 2 to 64 letters a to z, digits, ".", "_", "-" and "@", a letter or digit
// first. Anything else is Invalid.
func NormalLogin(s string) (string, *Error) {
	n := strings.TrimSpace(s)
	if bad, ok := firstOutside(n, func(r rune) bool { return isASCIIAlnum(r) || strings.ContainsRune("._-@", r) }); ok {
		return "", Errorf(Invalid, "%s may not be in a login: use letters a to z, digits, . _ - and @", describe(bad))
	}
	if len(n) < 2 || len(n) > 64 || !isASCIIAlnum(rune(n[0])) {
		return "", Errorf(Invalid, "A login has 2 to 64 characters and starts with a letter or a digit")
	}
	return strings.ToLower(n), nil
}

func isASCIIAlnum(r rune) bool {
	return r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9'
}

// Key is the key of a document: the institute's code and what is its own,
// joined by colons.
func Key(institute string, parts ...string) string {
	size := len(institute) + len(parts)
	for _, p := range parts {
		size += len(p)
	}
	b := append(make([]byte, 0, size), institute...)
	for _, p := range parts {
		b = append(append(b, ':'), p...)
	}
	return string(b)
}

// After is the part of a key after the institute, "" when there is none.
func After(key string) string {
	_, rest, _ := strings.Cut(key, ":")
	return rest
}

// ValidID says whether id is a ULID as forms mint them: 26 characters of
// Crockford's alphabet in capitals, within 128 bits.
func ValidID(id string) bool {
	if len(id) != 26 || id[0] > '7' {
		return false
	}
	return allOf(id, func(r rune) bool {
		return r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' && r != 'I' && r != 'L' && r != 'O' && r != 'U'
	})
}

const reversalSuffix = ":reversal"

// ReversalID is the id of the row that takes row id back. There can be only
// one.
func ReversalID(id string) string { return id + reversalSuffix }

// TakeKey is the key of the n-th (from 1) row that takes something of the payment
// of id back. Its reversal has that of the first, so that of a reversal and a
// refund at the same moment, whatever wrote them, one is written.
func TakeKey(id string, n int64) string { return id + ":" + strconv.FormatInt(n, 10) }

const advanceSuffix = ":advance"

// AdvanceID is the id of the adjustment that a bill or a reversal of id brought
// with it. There can be only one.
func AdvanceID(id string) string { return id + advanceSuffix }

// AdvanceOf is the id of the bill or reversal that brought the adjustment of id
// with it; ok is false for what is no adjustment's id.
func AdvanceOf(id string) (of string, ok bool) { return strings.CutSuffix(id, advanceSuffix) }

// ValidRowID says whether id is one that a ledger row can have after the
// institute: a ULID; with ":reversal" the reversal of that row; with ":refund"
// the row of a refund; or with ":advance" the adjustment of a reversal, or of a
// bill as STUDENT:PERIOD.
func ValidRowID(id string) bool {
	if of, ok := AdvanceOf(id); ok {
		student, period, isBill := strings.Cut(of, ":")
		if period != "reversal" {
			return isBill && student != "" && period != "" && !strings.Contains(period, ":")
		}
		id = of
	} else if of, ok := RefundOf(id); ok {
		return ValidID(of)
	}
	return ValidID(strings.TrimSuffix(id, reversalSuffix))
}
