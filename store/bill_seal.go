package store

import (
	"crypto/sha256"
	"encoding/hex"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/fees"
)

// unsealed holds the fields of a bill that are no part of what its body covers.
var unsealed = []string{"body", "uncounted"}

// sealed is a bill as it is written: with its body.
func sealed(b fees.Bill) (fees.Bill, error) {
	raw, err := bson.Marshal(b)
	if err != nil {
		return b, err
	}
	b.Body, err = sealOf(raw)
	return b, err
}

// sealOf is the SHA-256, in hex, of the canonical form of what a bill says.
func sealOf(bill bson.Raw) (string, error) {
	form, err := appendCanonical(make([]byte, 0, 2*len(bill)), bill, unsealed)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(form)
	return hex.EncodeToString(sum[:]), nil
}
