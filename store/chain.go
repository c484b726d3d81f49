package store

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/fees"
)

// later holds the fields of a row that are set after it was written, and the
// hash over the rest. They are no part of the body.
var later = []string{"awaiting", "body", "hash", "number", "numberText", "numberedAt", "outbox", "prevHash", "reversedBy"}

// bodyOf is the SHA-256, in hex, of the canonical form of a row's immutable
// fields. The canonical form walks the document with keys in byte order, each
// value led by its kind and its length, so that no two documents share one;
// integers are 64 bits and times whole milliseconds, whatever the server kept
// them as.
func bodyOf(row bson.Raw) (string, error) {
	h := sha256.New()
	if err := writeCanonical(h, row, later); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func bodyOfRow(row fees.Row) (string, error) {
	raw, err := bson.Marshal(row)
	if err != nil {
		return "", err
	}
	return bodyOf(raw)
}

// chainHash links number n to the one before it. prev is empty for 1.
func chainHash(body string, n int64, prev string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d %s", body, n, prev))
	return hex.EncodeToString(sum[:])
}

func writeCanonical(h hash.Hash, doc bson.Raw, without []string) error {
	elements, err := doc.Elements()
	if err != nil {
		return err
	}
	elements = slices.DeleteFunc(elements, func(e bson.RawElement) bool { return slices.Contains(without, e.Key()) })
	slices.SortFunc(elements, func(a, b bson.RawElement) int { return strings.Compare(a.Key(), b.Key()) })
	writeCount(h, 'd', len(elements))
	for _, e := range elements {
		writeText(h, 'k', e.Key())
		if err := writeValue(h, e.Value()); err != nil {
			return fmt.Errorf("field %s: %w", e.Key(), err)
		}
	}
	return nil
}

func writeValue(h hash.Hash, v bson.RawValue) error {
	switch v.Type {
	case bson.TypeString:
		writeText(h, 's', v.StringValue())
	case bson.TypeInt64, bson.TypeInt32:
		writeCount(h, 'i', int(v.AsInt64()))
	case bson.TypeBoolean:
		n := 0
		if v.Boolean() {
			n = 1
		}
		writeCount(h, 'b', n)
	case bson.TypeDateTime:
		writeCount(h, 't', int(v.DateTime()))
	case bson.TypeEmbeddedDocument:
		return writeCanonical(h, v.Document(), nil)
	case bson.TypeArray:
		values, err := v.Array().Values()
		if err != nil {
			return err
		}
		writeCount(h, 'a', len(values))
		for _, e := range values {
			if err := writeValue(h, e); err != nil {
				return err
			}
		}
	default:
		return fmt.Errorf("a row has no place for a %s", v.Type)
	}
	return nil
}

func writeText(h hash.Hash, kind byte, s string) {
	writeCount(h, kind, len(s))
	h.Write([]byte(s))
}

func writeCount(h hash.Hash, kind byte, n int) {
	var b [9]byte
	b[0] = kind
	binary.BigEndian.PutUint64(b[1:], uint64(n))
	h.Write(b[:])
}
