package store

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"

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
	form, err := appendCanonical(make([]byte, 0, 2*len(row)), row, later)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(form)
	return hex.EncodeToString(sum[:]), nil
}

// withBody is a new row as it is written: with its body.
func withBody(row fees.Row) (bson.Raw, string, error) {
	row.Body = ""
	raw, err := bson.Marshal(row)
	if err != nil {
		return nil, "", err
	}
	body, err := bodyOf(raw)
	if err != nil {
		return nil, "", err
	}
	raw = bsoncore.AppendStringElement(raw[:len(raw)-1], "body", body)
	raw = append(raw, 0)
	binary.LittleEndian.PutUint32(raw, uint32(len(raw)))
	return raw, body, nil
}

// chainHash links number n to the one before it. prev is empty for 1.
func chainHash(body string, n int64, prev string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d %s", body, n, prev))
	return hex.EncodeToString(sum[:])
}

type field struct {
	key   string
	value bson.RawValue
}

func appendCanonical(b []byte, doc bson.Raw, without []string) ([]byte, error) {
	elements, err := doc.Elements()
	if err != nil {
		return nil, err
	}
	fields := make([]field, 0, len(elements))
	for _, e := range elements {
		if key := e.Key(); !slices.Contains(without, key) {
			fields = append(fields, field{key, e.Value()})
		}
	}
	slices.SortFunc(fields, func(a, b field) int { return strings.Compare(a.key, b.key) })
	b = appendCount(b, 'd', int64(len(fields)))
	for _, f := range fields {
		b = appendText(b, 'k', f.key)
		if b, err = appendValue(b, f.value); err != nil {
			return nil, fmt.Errorf("field %s: %w", f.key, err)
		}
	}
	return b, nil
}

func appendValue(b []byte, v bson.RawValue) ([]byte, error) {
	switch v.Type {
	case bson.TypeString:
		return appendText(b, 's', v.StringValue()), nil
	case bson.TypeInt64, bson.TypeInt32:
		return appendCount(b, 'i', v.AsInt64()), nil
	case bson.TypeBoolean:
		n := int64(0)
		if v.Boolean() {
			n = 1
		}
		return appendCount(b, 'b', n), nil
	case bson.TypeDateTime:
		return appendCount(b, 't', v.DateTime()), nil
	case bson.TypeEmbeddedDocument:
		return appendCanonical(b, v.Document(), nil)
	case bson.TypeArray:
		values, err := v.Array().Values()
		if err != nil {
			return nil, err
		}
		b = appendCount(b, 'a', int64(len(values)))
		for _, e := range values {
			if b, err = appendValue(b, e); err != nil {
				return nil, err
			}
		}
		return b, nil
	default:
		return nil, fmt.Errorf("a row has no place for a %s", v.Type)
	}
}

func appendText(b []byte, kind byte, s string) []byte {
	return append(appendCount(b, kind, int64(len(s))), s...)
}

func appendCount(b []byte, kind byte, n int64) []byte {
	return binary.BigEndian.AppendUint64(append(b, kind), uint64(n))
}
