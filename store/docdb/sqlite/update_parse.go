package sqlite

import (
	"errors"
	"fmt"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// verb is what a change does to its field.
type verb uint8

const (
	verbSet verb = iota
	verbUnset
	verbInc
	verbMax
	verbMin
	verbPush
	verbPull
)

var verbs = map[string]verb{
	"$set": verbSet, "$unset": verbUnset, "$inc": verbInc, "$max": verbMax, "$min": verbMin,
	"$push": verbPush, "$pull": verbPull,
}

// change is one field's part of an update.
type change struct {
	verb  verb
	path  path
	val   raw
	match []condition // of a $pull of documents
}

// update is a parsed update.
type update struct {
	changes  []change
	onInsert []change
}

// parseUpdate reads an update. The error names what is outside of the subset.
func parseUpdate(in bson.D) (*update, error) {
	u, err := readUpdate(in)
	if err != nil {
		return nil, fmt.Errorf("update: %w", err)
	}
	return u, nil
}

func readUpdate(in bson.D) (*update, error) {
	if len(in) == 0 {
		return nil, errors.New("it is empty")
	}
	u := &update{changes: make([]change, 0, 8)}
	for _, e := range in {
		v, ok := verbs[e.Key]
		insert := e.Key == "$setOnInsert"
		if !ok && !insert {
			return nil, fmt.Errorf("operator %s is outside of the subset", e.Key)
		}
		fields, ok := e.Value.(bson.D)
		if !ok || len(fields) == 0 {
			return nil, fmt.Errorf("%s wants a document (bson.D) with fields", e.Key)
		}
		for _, f := range fields {
			c, err := parseChange(v, f, insert)
			if err != nil {
				return nil, fmt.Errorf("%s %s: %w", e.Key, f.Key, err)
			}
			if insert {
				u.onInsert = append(u.onInsert, c)
			} else {
				u.changes = append(u.changes, c)
			}
		}
	}
	return u, u.conflicts()
}

func parseChange(v verb, f bson.E, insert bool) (c change, err error) {
	c.verb = v
	if c.path, err = parsePath(f.Key); err != nil {
		return c, err
	}
	if c.path.parts[0] == "_id" && !insert {
		return c, errors.New("an _id never changes")
	}
	if v == verbUnset {
		return c, nil
	}
	if d, ok := f.Value.(bson.D); ok && len(d) > 0 && strings.HasPrefix(d[0].Key, "$") {
		return c, fmt.Errorf("%s is outside of the subset", d[0].Key)
	}
	if c.val, err = rawOf(f.Value); err != nil {
		return c, err
	}
	switch v {
	case verbInc:
		if c.val.kind != bson.TypeInt64 {
			return c, errors.New("wants an int64")
		}
	case verbMax, verbMin:
		if !scalar(c.val.kind) {
			return c, errors.New("wants a scalar")
		}
	case verbPull:
		if c.val.kind == bson.TypeEmbeddedDocument {
			for _, e := range items(c.val) {
				c.match = append(c.match, condition{path: path{string(e.key), []string{string(e.key)}}, val: e.raw})
			}
		}
	}
	return c, nil
}

// conflicts refuses two changes of the same field, or of a field and one within
// it.
func (u *update) conflicts() error {
	all := append(u.changes[:len(u.changes):len(u.changes)], u.onInsert...)
	for i := range all {
		for j := range all[:i] {
			if overlap(all[i].path.name, all[j].path.name) {
				return fmt.Errorf("%s and %s conflict", all[j].path.name, all[i].path.name)
			}
		}
	}
	return nil
}

// overlap says whether one path is the other or leads to it.
func overlap(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return strings.HasPrefix(b, a) && (len(a) == len(b) || b[len(a)] == '.')
}

// touches says whether the update may change what a path leads to.
func (u *update) touches(name string) bool {
	for i := range u.changes {
		if overlap(u.changes[i].path.name, name) {
			return true
		}
	}
	return false
}

// seed is the document that an upsert begins with: the equalities of its
// filter, with what $setOnInsert and the rest of the update add.
func (u *update) seed(filter []condition) ([]byte, error) {
	var given []change
	for _, c := range filter {
		if c.op == opEq {
			given = append(given, change{path: c.path, val: c.val})
		}
	}
	base := update{changes: given}
	if err := base.conflicts(); err != nil {
		return nil, fmt.Errorf("upsert: %w", err)
	}
	// _id is the first field of a document, whoever names it.
	var first []change
	for _, list := range [][]change{given, u.onInsert} {
		for _, c := range list {
			if c.path.name == "_id" {
				first = append(first, c)
			}
		}
	}
	doc := []byte{5, 0, 0, 0, 0}
	var err error
	for _, list := range [][]change{first, given, u.onInsert, u.changes} {
		if doc, err = apply(nil, doc, list); err != nil {
			return nil, err
		}
	}
	return doc, nil
}
