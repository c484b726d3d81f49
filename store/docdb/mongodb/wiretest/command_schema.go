package wiretest

import (
	"context"
	"errors"
	"maps"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
)

// optionNames are the options of a collection that are kept and listed.
var optionNames = []string{"validator", "validationLevel", "validationAction"}

func (s *Server) create(command bson.Raw) (bson.D, error) {
	return s.changing(command, func(d *database, coll string) error {
		if d.collections[coll] != nil {
			return refuse(48, "NamespaceExists", "Collection "+d.name+"."+coll+" already exists.")
		}
		d.collections[coll] = &collection{name: coll}
		d.collections[coll].keep(command)
		return nil
	})
}

func (s *Server) collMod(command bson.Raw) (bson.D, error) {
	return s.changing(command, func(d *database, coll string) error {
		if d.collections[coll] == nil {
			return noNamespace(d, coll)
		}
		d.collections[coll].keep(command)
		return nil
	})
}

func noNamespace(d *database, coll string) error {
	return refuse(26, "NamespaceNotFound", "ns does not exist: "+d.name+"."+coll)
}

// keep takes over the options that a command gives.
func (k *collection) keep(command bson.Raw) {
	for _, name := range optionNames {
		if v := command.Lookup(name); !v.IsZero() {
			k.options = slices.DeleteFunc(k.options, func(e bson.E) bool { return e.Key == name })
			k.options = append(k.options, bson.E{Key: name, Value: v})
		}
	}
}

// changing runs a change to what is known of a collection.
func (s *Server) changing(command bson.Raw, change func(d *database, coll string) error) (bson.D, error) {
	d, err := s.database(command)
	if err != nil {
		return nil, err
	}
	ctx, cancel := s.deadline(command)
	defer cancel()
	coll := collectionOf(command)
	return nil, d.reshape(ctx, func() error { return change(d, coll) }, coll)
}

func (s *Server) drop(command bson.Raw) (bson.D, error) {
	return s.changing(command, func(d *database, coll string) error {
		if d.collections[coll] == nil {
			return noNamespace(d, coll)
		}
		if _, err := d.db.DeleteMany(s.ctx, coll, bson.D{}); err != nil {
			return err
		}
		d.collections[coll] = &collection{name: coll}
		return nil
	})
}

func (s *Server) listCollections(command bson.Raw) (bson.D, error) {
	d, err := s.database(command)
	if err != nil {
		return nil, err
	}
	only, _ := command.Lookup("filter", "name").StringValueOK()
	d.mu.RLock()
	defer d.mu.RUnlock()
	list := bson.A{}
	for _, name := range slices.Sorted(maps.Keys(d.collections)) {
		if only == "" || only == name {
			options := append(bson.D{}, d.collections[name].options...)
			list = append(list, bson.D{{Key: "name", Value: name}, {Key: "type", Value: "collection"}, {Key: "options", Value: options}, {Key: "info", Value: bson.D{{Key: "readOnly", Value: false}}}})
		}
	}
	return cursorAnswer("firstBatch", list, 0, d.name+".$cmd.listCollections"), nil
}

func (s *Server) createIndexes(command bson.Raw) (bson.D, error) {
	specs, err := documents(command, "indexes")
	if err != nil {
		return nil, err
	}
	var before, after int
	_, err = s.changing(command, func(d *database, coll string) error {
		k := d.collections[coll]
		if k == nil {
			k = &collection{name: coll}
		}
		grown := &collection{name: coll, options: k.options, indexes: slices.Clone(k.indexes)}
		for _, spec := range specs {
			if err := grown.add(spec); err != nil {
				return err
			}
		}
		// The engine is asked first: data may forbid a unique index.
		if err := d.grow(s.ctx, grown); err != nil {
			return err
		}
		before, after = len(k.indexes)+1, len(grown.indexes)+1
		d.collections[coll] = grown
		return nil
	})
	return bson.D{{Key: "numIndexesBefore", Value: int32(before)}, {Key: "numIndexesAfter", Value: int32(after)}}, err
}

// add declares an index. The same again is none.
func (k *collection) add(spec bson.Raw) error {
	name, _ := spec.Lookup("name").StringValueOK()
	for _, x := range k.indexes {
		switch {
		case x.name != name:
		case sameSpec(x.spec, spec):
			return nil
		default:
			return refuse(86, "IndexKeySpecsConflict", "An existing index has the same name as the requested index, with another specification: "+name)
		}
	}
	if name == "" || spec.Lookup("key").Type != bson.TypeEmbeddedDocument {
		return refuse(67, "CannotCreateIndex", "an index needs a name and a key")
	}
	k.indexes = append(k.indexes, &index{name: name, spec: slices.Clone(spec)})
	return nil
}

func sameSpec(a, b bson.Raw) bool {
	for _, field := range []string{"key", "unique", "partialFilterExpression", "expireAfterSeconds"} {
		if !a.Lookup(field).Equal(b.Lookup(field)) {
			return false
		}
	}
	return true
}

// grow tries a collection's new shape, and goes back to the old one where the
// documents do not allow it. A field that holds lists already makes its index
// multikey.
func (d *database) grow(ctx context.Context, k *collection) error {
	err := d.db.Ensure(ctx, []docdb.Collection{k.declared()})
	var dup *docdb.DuplicateKeyError
	if err == nil {
		return nil
	}
	if errors.As(err, &dup) {
		return d.duplicateOf(k.name, dup)
	}
	learnt := false
	for doc, readErr := range d.db.Find(ctx, k.name, bson.D{}, docdb.Find{}) {
		if readErr != nil {
			return errors.Join(err, readErr)
		}
		learnt = k.learn(doc) || learnt
	}
	if !learnt {
		return err
	}
	return d.db.Ensure(ctx, []docdb.Collection{k.declared()})
}

func (s *Server) listIndexes(command bson.Raw) (bson.D, error) {
	d, err := s.database(command)
	if err != nil {
		return nil, err
	}
	coll := collectionOf(command)
	d.mu.RLock()
	defer d.mu.RUnlock()
	k := d.collections[coll]
	if k == nil {
		return nil, noNamespace(d, coll)
	}
	list := bson.A{bson.D{{Key: "v", Value: int32(2)}, {Key: "key", Value: bson.D{{Key: "_id", Value: int32(1)}}}, {Key: "name", Value: "_id_"}}}
	for _, x := range k.indexes {
		listed := bson.D{{Key: "v", Value: int32(2)}}
		elements, err := x.spec.Elements()
		if err != nil {
			return nil, err
		}
		for _, e := range elements {
			listed = append(listed, bson.E{Key: e.Key(), Value: e.Value()})
		}
		list = append(list, listed)
	}
	return cursorAnswer("firstBatch", list, 0, d.name+"."+coll), nil
}

func (s *Server) dropIndexes(command bson.Raw) (bson.D, error) {
	name, _ := command.Lookup("index").StringValueOK()
	return s.changing(command, func(d *database, coll string) error {
		k := d.collections[coll]
		if k == nil {
			return noNamespace(d, coll)
		}
		at := slices.IndexFunc(k.indexes, func(x *index) bool { return x.name == name })
		if at < 0 {
			return refuse(27, "IndexNotFound", "index not found with name ["+name+"]")
		}
		k.indexes = slices.Delete(k.indexes, at, at+1)
		return nil
	})
}
