package fees

import "strings"

// MintedAt is when an id that is a ULID was minted, in Unix milliseconds: its
// first ten characters (Crockford's base 32). 0 for what is none.
func MintedAt(id string) (millis int64) {
	if !ValidID(id) {
		return 0
	}
	for _, r := range id[:10] {
		millis = millis<<5 | int64(strings.IndexRune("0123456789ABCDEFGHJKMNPQRSTVWXYZ", r))
	}
	return millis
}
