package sqlite

import (
	"fmt"
	"strconv"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// projection is the tree of the fields to return; a nil tree is all of them.
type projection map[string]projection

func newProjection(fields []string) (projection, error) {
	if len(fields) == 0 {
		return nil, nil
	}
	top := projection{"_id": nil}
	for _, name := range fields {
		p, err := parsePath(name)
		if err != nil {
			return nil, fmt.Errorf("fields: %w", err)
		}
		at := top
		for i, part := range p.parts {
			sub, seen := at[part]
			last := i == len(p.parts)-1
			if seen && part != "_id" && (last || sub == nil) {
				return nil, fmt.Errorf("fields: %q collides with another", name)
			}
			if !seen && !last {
				sub = projection{}
			}
			at[part] = sub
			if last {
				break
			}
			at = sub
		}
	}
	return top, nil
}

// of is the document with the chosen fields only, in the document's order.
func (p projection) of(doc []byte) []byte {
	if p == nil {
		return doc
	}
	return p.fields(make([]byte, 0, 256), doc)
}

func (p projection) fields(dst, doc []byte) []byte {
	start := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	b := doc[4 : len(doc)-1]
	for len(b) > 0 {
		e, rest, err := next(b)
		if err != nil {
			break
		}
		b = rest
		if sub, ok := p[string(e.key)]; ok {
			dst = sub.element(dst, e)
		}
	}
	return frame(dst, start)
}

// element appends a chosen field. Of an array its documents' chosen fields are
// returned; what a path cannot go into is left out.
func (p projection) element(dst []byte, e element) []byte {
	if p == nil {
		return appendElement(dst, e.key, e.raw)
	}
	switch e.kind {
	case bson.TypeEmbeddedDocument:
		dst = append(append(append(dst, byte(e.kind)), e.key...), 0)
		return p.fields(dst, e.b)
	case bson.TypeArray:
		dst = append(append(append(dst, byte(e.kind)), e.key...), 0)
		start := len(dst)
		dst = append(dst, 0, 0, 0, 0)
		n := int64(0)
		for _, item := range items(e.raw) {
			before := len(dst)
			item.key = strconv.AppendInt(nil, n, 10)
			if dst = p.element(dst, item); len(dst) > before {
				n++
			}
		}
		return frame(dst, start)
	}
	return dst
}

// appendElement appends a field to a document that is being built.
func appendElement(dst, key []byte, v raw) []byte {
	dst = append(append(append(dst, byte(v.kind)), key...), 0)
	return append(dst, v.b...)
}
