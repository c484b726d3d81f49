package sqlite

import (
	"fmt"
	"math"
	"strconv"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// apply appends to dst the document as changes make it. Fields keep their
// order; new ones come last.
func apply(dst, doc []byte, changes []change) ([]byte, error) {
	if _, err := body(doc); err != nil {
		return nil, err
	}
	list := make([]*change, len(changes))
	for i := range changes {
		list[i] = &changes[i]
	}
	return applyAt(dst, doc, list, 0)
}

// applyAt changes a document that lies depth names down the changes' paths. It
// takes the changes out of the list as it meets their fields.
func applyAt(dst, doc []byte, list []*change, depth int) ([]byte, error) {
	start := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	b := doc[4 : len(doc)-1]
	for len(b) > 0 {
		e, rest, err := next(b)
		if err != nil {
			return nil, err
		}
		same := b[:len(b)-len(rest)]
		b = rest
		at := indexOf(list, e.key, depth)
		if at < 0 {
			dst = append(dst, same...)
			continue
		}
		if dst, err = applyField(dst, e, true, split(list, at, depth), depth); err != nil {
			return nil, err
		}
	}
	for at := range list {
		if list[at] == nil {
			continue
		}
		e := element{key: []byte(list[at].path.parts[depth])}
		var err error
		if dst, err = applyField(dst, e, false, split(list, at, depth), depth); err != nil {
			return nil, err
		}
	}
	return frame(dst, start), nil
}

func indexOf(list []*change, key []byte, depth int) int {
	for i, c := range list {
		if c != nil && c.path.parts[depth] == string(key) {
			return i
		}
	}
	return -1
}

// split takes out of list the change at a position and the others of the same
// field.
func split(list []*change, at, depth int) []*change {
	c := list[at]
	if len(c.path.parts) == depth+1 {
		list[at] = nil
		return []*change{c}
	}
	var same []*change
	for i := at; i < len(list); i++ {
		if list[i] != nil && list[i].path.parts[depth] == c.path.parts[depth] {
			same = append(same, list[i])
			list[i] = nil
		}
	}
	return same
}

// applyField changes one field, which may not be there.
func applyField(dst []byte, e element, exists bool, list []*change, depth int) ([]byte, error) {
	if len(list[0].path.parts) == depth+1 {
		v, keep, err := list[0].of(e.raw, exists)
		if err != nil || !keep {
			return dst, err
		}
		return appendElement(dst, e.key, v), nil
	}
	switch {
	case !exists:
		kept := list[:0]
		for _, c := range list {
			if c.verb != verbUnset && c.verb != verbPull {
				kept = append(kept, c)
			}
		}
		if list = kept; len(list) == 0 {
			return dst, nil
		}
		e.b = []byte{5, 0, 0, 0, 0}
	case e.kind != bson.TypeEmbeddedDocument:
		for _, c := range list {
			if c.verb != verbUnset || e.kind == bson.TypeArray {
				return nil, fmt.Errorf("update: %q goes through a field that is no document", c.path.name)
			}
		}
		return appendElement(dst, e.key, e.raw), nil
	}
	dst = append(append(append(dst, byte(bson.TypeEmbeddedDocument)), e.key...), 0)
	return applyAt(dst, e.b, list, depth+1)
}

// of is the field's value after the change; keep is false where the field is
// to be left out.
func (c *change) of(v raw, exists bool) (out raw, keep bool, err error) {
	switch c.verb {
	case verbUnset:
		return v, false, nil
	case verbSet:
		return c.val, true, nil
	case verbPull:
		if !exists {
			return v, false, nil
		}
		out, err = c.pull(v)
		return out, true, err
	case verbPush:
		out, err = c.push(v, exists)
		return out, true, err
	}
	if !exists {
		return c.val, true, nil
	}
	switch c.verb {
	case verbMax:
		if c.val.compare(v) > 0 {
			return c.val, true, nil
		}
	case verbMin:
		if c.val.compare(v) < 0 {
			return c.val, true, nil
		}
	case verbInc:
		out, err = c.inc(v)
		return out, true, err
	}
	return v, true, nil
}

func (c *change) inc(v raw) (raw, error) {
	if v.kind != bson.TypeInt64 {
		return raw{}, fmt.Errorf("update: $inc %s: the field is no number", c.path.name)
	}
	a, b := v.int64(), c.val.int64()
	if b > 0 && a > math.MaxInt64-b || b < 0 && a < math.MinInt64-b {
		return raw{}, fmt.Errorf("update: $inc %s: int64 overflow", c.path.name)
	}
	return rawInt(bson.TypeInt64, a+b), nil
}

func (c *change) push(v raw, exists bool) (raw, error) {
	if !exists {
		v = raw{bson.TypeArray, []byte{5, 0, 0, 0, 0}}
	}
	if v.kind != bson.TypeArray {
		return raw{}, fmt.Errorf("update: $push %s: the field is no array", c.path.name)
	}
	n := int64(len(items(v)))
	b := append([]byte(nil), v.b[:len(v.b)-1]...)
	b = appendElement(b, strconv.AppendInt(nil, n, 10), c.val)
	return raw{bson.TypeArray, frame(b, 0)}, nil
}

// pull leaves out the items that equal the value or, where it is a document,
// the documents that have its fields.
func (c *change) pull(v raw) (raw, error) {
	if v.kind != bson.TypeArray {
		return raw{}, fmt.Errorf("update: $pull %s: the field is no array", c.path.name)
	}
	b := []byte{0, 0, 0, 0}
	n := int64(0)
	for _, e := range items(v) {
		if c.val.kind == bson.TypeEmbeddedDocument {
			if e.kind == bson.TypeEmbeddedDocument && matches(e.b, c.match) {
				continue
			}
		} else if e.equal(c.val) {
			continue
		}
		b = appendElement(b, strconv.AppendInt(nil, n, 10), e.raw)
		n++
	}
	return raw{bson.TypeArray, frame(b, 0)}, nil
}
