package sqlite

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"time"
	"unicode/utf8"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// maxDepth is how deep documents may nest.
const maxDepth = 50

// appendDocument writes a document as the JSON that is stored: an int64 as a
// number, a datetime as {"$date":"2026-11-30T10:00:00.123Z"}, binary as
// {"$binary":{"base64":…,"subType":"00"}}. It refuses what is outside of the
// subset.
func appendDocument(dst, doc []byte) ([]byte, error) {
	return appendItems(dst, raw{bson.TypeEmbeddedDocument, doc}, 1)
}

func appendItems(dst []byte, r raw, depth int) ([]byte, error) {
	if depth > maxDepth {
		return nil, &fieldError{"…", "is nested too deep"}
	}
	b, err := body(r.b)
	if err != nil {
		return nil, err
	}
	named := r.kind == bson.TypeEmbeddedDocument
	open, shut := byte('['), byte(']')
	if named {
		open, shut = '{', '}'
	}
	dst = append(dst, open)
	for first := true; len(b) > 0; first = false {
		var e element
		if e, b, err = next(b); err != nil {
			return nil, err
		}
		if !first {
			dst = append(dst, ',')
		}
		if named {
			if err := checkName(e.key); err != nil {
				return nil, err
			}
			if dst, err = appendString(dst, e.key); err != nil {
				return nil, &fieldError{string(e.key), err.Error()}
			}
			dst = append(dst, ':')
		}
		if dst, err = appendValue(dst, e, depth); err != nil {
			return nil, err
		}
	}
	return append(dst, shut), nil
}

func checkName(name []byte) error {
	if len(name) == 0 {
		return &fieldError{"", "has no name"}
	}
	if name[0] == '$' {
		return &fieldError{string(name), "starts with $"}
	}
	for _, c := range name {
		if c == '.' {
			return &fieldError{string(name), "has a dot in its name"}
		}
	}
	return nil
}

func appendValue(dst []byte, e element, depth int) ([]byte, error) {
	switch e.kind {
	case bson.TypeInt64:
		return strconv.AppendInt(dst, e.int64(), 10), nil
	case bson.TypeString:
		if e.b[len(e.b)-1] != 0 {
			return nil, errMalformed
		}
		dst, err := appendString(dst, e.str())
		if err != nil {
			return nil, &fieldError{string(e.key), err.Error()}
		}
		return dst, nil
	case bson.TypeBoolean:
		return strconv.AppendBool(dst, e.b[0] != 0), nil
	case bson.TypeDateTime:
		return appendDate(dst, e.int64()), nil
	case bson.TypeBinary:
		return appendBinary(dst, e.b), nil
	}
	dst, err := appendItems(dst, e.raw, depth+1)
	if err != nil {
		return nil, within(e.key, err)
	}
	return dst, nil
}

// The years that RFC 3339 can say.
var (
	minDate = time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
	maxDate = time.Date(9999, 12, 31, 23, 59, 59, 999e6, time.UTC).UnixMilli()
)

func appendDate(dst []byte, ms int64) []byte {
	dst = append(dst, `{"$date":`...)
	if ms < minDate || ms > maxDate {
		dst = append(dst, `{"$numberLong":"`...)
		dst = strconv.AppendInt(dst, ms, 10)
		return append(dst, `"}}`...)
	}
	dst = append(dst, '"')
	dst = time.UnixMilli(ms).UTC().AppendFormat(dst, "2006-01-02T15:04:05.000Z")
	return append(dst, `"}`...)
}

func appendBinary(dst, b []byte) []byte {
	n := binary.LittleEndian.Uint32(b)
	dst = append(dst, `{"$binary":{"base64":"`...)
	dst = base64.StdEncoding.AppendEncode(dst, b[5:5+n])
	dst = append(dst, `","subType":"`...)
	dst = hex.AppendEncode(dst, b[4:5])
	return append(dst, `"}}`...)
}

type textError string

func (e textError) Error() string { return string(e) }

const errNotUTF8 = textError("is not valid UTF-8")

// plain says which bytes a JSON string holds as they are.
var plain = func() (t [256]bool) {
	for c := range t {
		t[c] = c >= ' ' && c != '"' && c != '\\'
	}
	return
}()

func appendString(dst, s []byte) ([]byte, error) {
	if !utf8.Valid(s) {
		return nil, errNotUTF8
	}
	dst = append(dst, '"')
	from := 0
	for i, c := range s {
		if plain[c] {
			continue
		}
		dst = append(dst, s[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\t':
			dst = append(dst, '\\', 't')
		case '\r':
			dst = append(dst, '\\', 'r')
		default:
			dst = append(dst, '\\', 'u', '0', '0')
			dst = hex.AppendEncode(dst, []byte{c})
		}
	}
	dst = append(dst, s[from:]...)
	return append(dst, '"'), nil
}
