package fees

import (
	"crypto/sha256"
	"encoding/base32"
	"time"
)

// crockford is the alphabet of ULIDs.
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// derivedID is a ULID that begins with the ten characters of a time and whose
// rest is a digest of what it is for.
func derivedID(time, of string) string {
	sum := sha256.Sum256([]byte(of))
	return time + base32.NewEncoding(crockford).EncodeToString(sum[:10])
}

// timeID is how a ULID of that instant begins.
func timeID(at time.Time) string {
	var text [10]byte
	ms := at.UnixMilli()
	for i := len(text) - 1; i >= 0; i-- {
		text[i] = crockford[ms&31]
		ms >>= 5
	}
	return string(text[:])
}
