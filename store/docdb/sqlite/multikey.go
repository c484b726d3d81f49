package sqlite

import (
	"errors"
	"fmt"

	"go.mongodb.org/mongo-driver/v2/bson"
	"raseed/store/docdb"
)

// multikey is an index over the items of an array: a table beside the
// collection with a row for each item.
type multikey struct {
	name  string
	table string // quoted
	sql   string
	path  path
	keys  []docdb.Key
	cols  []int // as in index.keys; the array's is -2
	add   []byte
	del   []byte
	has   []byte
}

func (k *collection) addMultikey(x docdb.Index, at int) error {
	if x.Unique || len(x.Partial) > 0 {
		return errors.New("a multikey index is neither unique nor partial")
	}
	p, err := parsePath(x.Keys[at].Path)
	if err != nil {
		return err
	}
	if _, ok := k.column(p.name); ok {
		return fmt.Errorf("%s is an array here and a scalar in another index", p.name)
	}
	m := &multikey{name: x.Name, table: quote(k.name + "__" + x.Name), path: p, keys: x.Keys}
	for i, key := range x.Keys {
		n := colItems
		if i != at {
			if key.Multi {
				return errors.New("more than one array")
			}
			if n, err = k.addColumn(key.Path, false); err != nil {
				return err
			}
		}
		m.cols = append(m.cols, n)
	}
	k.multis = append(k.multis, m)
	return nil
}

// appendEntry is the index's row for one item of a document.
func (m *multikey) appendEntry(entry []value, id []byte, keys []value, item []byte, row int64) []value {
	for _, n := range m.cols {
		switch n {
		case colItems:
			entry = append(entry, textValue(item))
		case colID:
			entry = append(entry, textValue(id))
		default:
			entry = append(entry, keys[n])
		}
	}
	return append(entry, intValue(row))
}

// itemsOf are the distinct items that a multikey index holds of a document.
func (m *multikey) itemsOf(doc []byte) ([][]byte, error) {
	v, ok := field(doc, m.path.parts[0])
	if !ok {
		return nil, nil
	}
	v, ok, array := walk(v, m.path.parts[1:])
	if array {
		return nil, &fieldError{m.path.name, "is indexed and goes through an array"}
	}
	if !ok {
		return nil, nil
	}
	list := []element{{raw: v}}
	if v.kind == bson.TypeArray {
		list = items(v)
	}
	out := make([][]byte, 0, len(list))
	for _, e := range list {
		if e.kind != bson.TypeString {
			return nil, &fieldError{m.path.name, "is a multikey index and holds something that is no string"}
		}
		out = append(out, e.str())
	}
	return distinct(out), nil
}

func distinct(all [][]byte) [][]byte {
	seen := make(map[string]bool, len(all))
	out := all[:0]
	for _, s := range all {
		if !seen[string(s)] {
			seen[string(s)] = true
			out = append(out, s)
		}
	}
	return out
}
