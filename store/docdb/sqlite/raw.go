package sqlite

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// raw is one value as BSON has it.
type raw struct {
	kind bson.Type
	b    []byte
}

// element is a field of a document or an item of an array.
type element struct {
	key []byte
	raw
}

var errMalformed = errors.New("malformed bson")

// body is a document's elements without the frame around them.
func body(doc []byte) ([]byte, error) {
	if len(doc) < 5 || int(binary.LittleEndian.Uint32(doc)) != len(doc) || doc[len(doc)-1] != 0 {
		return nil, errMalformed
	}
	return doc[4 : len(doc)-1], nil
}

// next splits off the first element of a body.
func next(b []byte) (e element, rest []byte, err error) {
	end := bytes.IndexByte(b[1:], 0)
	if end < 0 {
		return e, nil, errMalformed
	}
	e.kind, e.key = bson.Type(b[0]), b[1:1+end]
	b = b[end+2:]
	n := 0
	switch e.kind {
	case bson.TypeInt64, bson.TypeDateTime:
		n = 8
	case bson.TypeBoolean:
		n = 1
	case bson.TypeString, bson.TypeBinary, bson.TypeEmbeddedDocument, bson.TypeArray:
		if len(b) < 4 {
			return e, nil, errMalformed
		}
		size := int64(binary.LittleEndian.Uint32(b))
		switch e.kind {
		case bson.TypeString:
			size += 4
		case bson.TypeBinary:
			size += 5
		}
		if size > int64(len(b)) || size < 5 {
			return e, nil, errMalformed
		}
		n = int(size)
	default:
		return e, nil, &fieldError{string(e.key), refusal(e.kind)}
	}
	if len(b) < n {
		return e, nil, errMalformed
	}
	e.b = b[:n]
	return e, b[n:], nil
}

func refusal(kind bson.Type) string {
	switch kind {
	case bson.TypeInt32:
		return "is an int32: numbers are int64"
	case bson.TypeDouble, bson.TypeDecimal128:
		return "is a " + kind.String() + ": numbers are int64"
	case bson.TypeNull, bson.TypeUndefined:
		return "is null: leave the field out"
	}
	return "is of type " + kind.String() + ", which is outside of the subset"
}

// fieldError is something wrong at a path of a document.
type fieldError struct{ path, text string }

func (e *fieldError) Error() string { return "field " + strconv.Quote(e.path) + " " + e.text }

// within puts a field in front of the path of a fieldError.
func within(key []byte, err error) error {
	var f *fieldError
	if errors.As(err, &f) {
		return &fieldError{string(key) + "." + f.path, f.text}
	}
	return err
}

func (r raw) int64() int64 { return int64(binary.LittleEndian.Uint64(r.b)) }

// str is a string's bytes.
func (r raw) str() []byte { return r.b[4 : len(r.b)-1] }

// equal is MongoDB's equality of two values of the subset: same type, same
// bytes.
func (r raw) equal(o raw) bool { return r.kind == o.kind && bytes.Equal(r.b, o.b) }

// rank orders the types as MongoDB does.
func rank(kind bson.Type) int {
	return slices.Index([]bson.Type{
		bson.TypeInt64, bson.TypeString, bson.TypeEmbeddedDocument, bson.TypeArray,
		bson.TypeBinary, bson.TypeBoolean, bson.TypeDateTime,
	}, kind)
}

// compare orders values as MongoDB does: by type, then by value.
func (r raw) compare(o raw) int {
	if r.kind != o.kind {
		return rank(r.kind) - rank(o.kind)
	}
	switch r.kind {
	case bson.TypeInt64, bson.TypeDateTime:
		return cmp.Compare(r.int64(), o.int64())
	case bson.TypeString:
		return bytes.Compare(r.str(), o.str())
	case bson.TypeBinary:
		if d := len(r.b) - len(o.b); d != 0 {
			return d
		}
		return bytes.Compare(r.b[4:], o.b[4:])
	case bson.TypeBoolean:
		return int(r.b[0]) - int(o.b[0])
	}
	return compareItems(r, o)
}

// compareItems orders two documents or arrays, element by element: by type,
// name, value.
func compareItems(r, o raw) int {
	a, b := items(r), items(o)
	for i := range min(len(a), len(b)) {
		d := rank(a[i].kind) - rank(b[i].kind)
		if d == 0 && r.kind == bson.TypeEmbeddedDocument {
			d = bytes.Compare(a[i].key, b[i].key)
		}
		if d == 0 {
			d = a[i].compare(b[i].raw)
		}
		if d != 0 {
			return d
		}
	}
	return len(a) - len(b)
}

// items are the elements of a document or array that is known to be sound.
func items(r raw) []element {
	var out []element
	b, err := body(r.b)
	for err == nil && len(b) > 0 {
		var e element
		if e, b, err = next(b); err == nil {
			out = append(out, e)
		}
	}
	return out
}

// field finds a field of a sound document.
func field(doc []byte, name string) (raw, bool) {
	b := doc[4 : len(doc)-1]
	for len(b) > 0 {
		e, rest, err := next(b)
		if err != nil {
			return raw{}, false
		}
		if string(e.key) == name {
			return e.raw, true
		}
		b = rest
	}
	return raw{}, false
}

// rawOf makes a value of a filter or an update. It refuses what a document may
// not hold.
func rawOf(v any) (raw, error) {
	switch v := v.(type) {
	case nil:
		return raw{}, errors.New("the value " + refusal(bson.TypeNull))
	case string:
		if !utf8.ValidString(v) {
			return raw{}, errNotUTF8
		}
		return rawString(v), nil
	case int64:
		return rawInt(bson.TypeInt64, v), nil
	case time.Time:
		return rawInt(bson.TypeDateTime, v.UnixMilli()), nil
	case bool:
		return raw{bson.TypeBoolean, []byte{b2i(v)}}, nil
	}
	kind, b, err := bson.MarshalValue(v)
	if err != nil {
		return raw{}, err
	}
	r := raw{kind, b}
	return r, check(r)
}

func rawInt(kind bson.Type, n int64) raw {
	return raw{kind, binary.LittleEndian.AppendUint64(nil, uint64(n))}
}

func rawString(s string) raw {
	b := binary.LittleEndian.AppendUint32(make([]byte, 0, len(s)+5), uint32(len(s)+1))
	return raw{bson.TypeString, append(append(b, s...), 0)}
}

func b2i(v bool) byte {
	if v {
		return 1
	}
	return 0
}

// check refuses a value that a document may not hold.
func check(r raw) error {
	switch r.kind {
	case bson.TypeEmbeddedDocument, bson.TypeArray:
		_, err := appendItems(nil, r, 1)
		return err
	case bson.TypeString:
		_, err := appendString(nil, r.str())
		return err
	case bson.TypeInt64, bson.TypeDateTime, bson.TypeBoolean, bson.TypeBinary:
		return nil
	}
	return fmt.Errorf("the value %s", refusal(r.kind))
}

// path is a dotted path.
type path struct {
	name  string
	parts []string
}

func parsePath(name string) (path, error) {
	p := path{name, strings.Split(name, ".")}
	for _, part := range p.parts {
		if part == "" || part[0] == '$' || strings.IndexByte(part, 0) >= 0 || !utf8.ValidString(part) {
			return path{}, fmt.Errorf("%q is not a path of the subset", name)
		}
	}
	return p, nil
}

// walk follows the rest of a path from v. It does not go into arrays; array
// says that one was in the way.
func walk(v raw, parts []string) (out raw, ok, array bool) {
	for _, part := range parts {
		if v.kind != bson.TypeEmbeddedDocument {
			return raw{}, false, v.kind == bson.TypeArray
		}
		if v, ok = field(v.b, part); !ok {
			return raw{}, false, false
		}
	}
	return v, true, false
}

func (r raw) clone() raw { return raw{r.kind, bytes.Clone(r.b)} }
