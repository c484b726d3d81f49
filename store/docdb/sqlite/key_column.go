package sqlite

import (
	"encoding/binary"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// column is a key column: one indexed path of the documents, kept beside them.
type column struct {
	path  path
	title string
	name  string // quoted
	full  string // with the table's name
	// presence columns belong to paths that are only asked to exist: any value
	// may lie there, and the column says no more than that one does.
	presence bool
}

// column is the key column that holds a path's value.
func (k *collection) column(name string) (int, bool) {
	for i, c := range k.columns {
		if !c.presence && c.path.name == name {
			return i, true
		}
	}
	return 0, false
}

// keysOf fills in the key columns of a document.
func (k *collection) keysOf(doc []byte, keys []value) error {
	clear(keys)
	b, err := body(doc)
	if err != nil {
		return err
	}
	for len(b) > 0 {
		var e element
		if e, b, err = next(b); err != nil {
			return err
		}
		for _, n := range k.byHead[string(e.key)] {
			if keys[n], err = k.columns[n].of(e.raw); err != nil {
				return err
			}
		}
	}
	return nil
}

// of is the column's value in a document whose field at the head of the path
// is v.
func (c *column) of(v raw) (value, error) {
	v, ok, array := walk(v, c.path.parts[1:])
	if array {
		return value{}, &fieldError{c.path.name, "is indexed and goes through an array"}
	}
	if !ok {
		return value{}, nil
	}
	if !scalar(v.kind) {
		if !c.presence {
			return value{}, &fieldError{c.path.name, "is indexed and not a scalar"}
		}
		return value{class: blob, b: []byte{byte(v.kind)}}, nil
	}
	return keyOf(v), nil
}

// keyOf is how a key column holds a scalar. SQLite sorts integers before text
// before blobs; a blob begins with its BSON type. So the columns sort like
// MongoDB does, type by type, and a type is a range of the index.
func keyOf(v raw) value {
	switch v.kind {
	case bson.TypeInt64:
		return intValue(v.int64())
	case bson.TypeString:
		return textValue(v.str())
	case bson.TypeDateTime:
		b := append(make([]byte, 0, 9), byte(v.kind))
		return value{class: blob, b: binary.BigEndian.AppendUint64(b, uint64(v.int64())^1<<63)}
	case bson.TypeBinary: // shorter ones first, then the subtype, then the bytes
		b := append(make([]byte, 0, len(v.b)+1), byte(v.kind))
		b = binary.BigEndian.AppendUint32(b, binary.LittleEndian.Uint32(v.b))
		return value{class: blob, b: append(b, v.b[4:]...)}
	default:
		return value{class: blob, b: []byte{byte(v.kind), v.b[0]}}
	}
}

// rawOfKey undoes keyOf; ok is false where there is no value.
func rawOfKey(v value) (r raw, ok bool) {
	switch v.class {
	case null:
		return raw{}, false
	case integer:
		return rawInt(bson.TypeInt64, v.num), true
	case text:
		return rawString(string(v.b)), true
	}
	r.kind = bson.Type(v.b[0])
	switch r.kind {
	case bson.TypeDateTime:
		return rawInt(r.kind, int64(binary.BigEndian.Uint64(v.b[1:])^1<<63)), true
	case bson.TypeBinary:
		r.b = binary.LittleEndian.AppendUint32(nil, binary.BigEndian.Uint32(v.b[1:]))
		r.b = append(r.b, v.b[5:]...)
	default:
		r.b = append(r.b, v.b[1])
	}
	return r, true
}

// checkUnique refuses a document that leaves out a field of a unique index:
// MongoDB would take it for null, once.
func (k *collection) checkUnique(doc []byte, keys []value) error {
	for _, x := range k.indexes {
		if !x.unique {
			continue
		}
		for _, n := range x.keys {
			if n >= 0 && keys[n].class == null && matches(doc, x.partial) {
				return &fieldError{k.columns[n].path.name, "is missing and belongs to the unique index " + x.name}
			}
		}
	}
	return nil
}
