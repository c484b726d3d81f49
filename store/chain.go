package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"

	"raseed/store/fees"
)

// later holds the fields of a row that are set after it was written, and the
// hash over the rest. They are no part of the body.
var later = []string{"awaiting", "body", "hash", "number", "numberText", "numberedAt", "prevHash", "reversedBy"}

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

// field is an element of a document or an array.
type field struct {
	key   []byte
	value bsoncore.Value
}

var errMalformed = errors.New("malformed document")

// appendFields appends the elements of a document or an array.
func appendFields(fields []field, doc []byte) ([]field, error) {
	length, rest, ok := bsoncore.ReadLength(doc)
	if !ok || int(length) != len(doc) || len(rest) == 0 || rest[len(rest)-1] != 0 {
		return nil, errMalformed
	}
	for rest = rest[:len(rest)-1]; len(rest) > 0; {
		var e bsoncore.Element
		if e, rest, ok = bsoncore.ReadElement(rest); !ok {
			return nil, errMalformed
		}
		value, err := e.ValueErr()
		if err != nil {
			return nil, err
		}
		fields = append(fields, field{e.KeyBytes(), value})
	}
	return fields, nil
}

// fewFields are as many as are kept off the heap: more than a row has.
const fewFields = 48

func appendCanonical(b []byte, doc []byte, without []string) ([]byte, error) {
	var few [fewFields]field
	fields, err := appendFields(few[:0], doc)
	if err != nil {
		return nil, err
	}
	if len(without) > 0 {
		fields = slices.DeleteFunc(fields, func(f field) bool {
			return slices.ContainsFunc(without, func(key string) bool { return string(f.key) == key })
		})
	}
	slices.SortFunc(fields, func(a, b field) int { return bytes.Compare(a.key, b.key) })
	b = appendCount(b, 'd', int64(len(fields)))
	for _, f := range fields {
		b = appendText(b, 'k', f.key)
		if b, err = appendValue(b, f.value); err != nil {
			return nil, fmt.Errorf("field %s: %w", f.key, err)
		}
	}
	return b, nil
}

func appendValue(b []byte, v bsoncore.Value) ([]byte, error) {
	switch bson.Type(v.Type) {
	case bson.TypeString:
		if len(v.Data) < 5 { // its length, and the zero at its end
			return nil, errMalformed
		}
		return appendText(b, 's', v.Data[4:len(v.Data)-1]), nil
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
		return appendCanonical(b, v.Data, nil)
	case bson.TypeArray:
		var few [8]field
		items, err := appendFields(few[:0], v.Data)
		if err != nil {
			return nil, err
		}
		b = appendCount(b, 'a', int64(len(items)))
		for _, item := range items {
			if b, err = appendValue(b, item.value); err != nil {
				return nil, err
			}
		}
		return b, nil
	default:
		return nil, fmt.Errorf("a row has no place for a %s", bson.Type(v.Type))
	}
}

func appendText(b []byte, kind byte, s []byte) []byte {
	return append(appendCount(b, kind, int64(len(s))), s...)
}

func appendCount(b []byte, kind byte, n int64) []byte {
	return binary.BigEndian.AppendUint64(append(b, kind), uint64(n))
}
