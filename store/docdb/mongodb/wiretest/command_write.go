package wiretest

import (
	"context"
	"errors"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
)

// written is the answer to insert, update and delete as it grows.
type written struct {
	n, modified int64
	upserted    bson.A
	errors      bson.A
}

// refused notes that operation i was refused. What the server itself could not
// do ends the whole command.
func (w *written) refused(i int, err error) error {
	r := refusalOf(err)
	if errors.Is(err, docdb.ErrUnknownOutcome) || errors.Is(err, docdb.ErrUnavailable) {
		return r
	}
	one := bson.D{{Key: "index", Value: int32(i)}, {Key: "code", Value: r.code}}
	one = append(one, r.more...)
	w.errors = append(w.errors, append(one, bson.E{Key: "errmsg", Value: r.text}))
	return nil
}

func (w *written) answer(update bool) bson.D {
	out := bson.D{{Key: "n", Value: int32(w.n)}}
	if update {
		out = append(out, bson.E{Key: "nModified", Value: int32(w.modified)})
	}
	if w.upserted != nil {
		out = append(out, bson.E{Key: "upserted", Value: w.upserted})
	}
	if w.errors != nil {
		out = append(out, bson.E{Key: "writeErrors", Value: w.errors})
	}
	return out
}

// operations are what a write command asks for.
type operations struct {
	d       *database
	coll    string
	list    []bson.Raw
	ordered bool
}

func (s *Server) operations(ctx context.Context, command bson.Raw, list string) (ops operations, err error) {
	if ops.d, err = s.database(command); err != nil {
		return ops, err
	}
	if ops.list, err = documents(command, list); err != nil {
		return ops, err
	}
	ordered, said := command.Lookup("ordered").BooleanOK()
	ops.ordered, ops.coll = ordered || !said, collectionOf(command)
	return ops, ops.d.writing(ctx, ops.coll)
}

// each runs a command's operations in order; those after a refusal only where
// the command is unordered.
func (s *Server) each(command bson.Raw, list string, w *written, do func(ctx context.Context, ops operations, i int) error) error {
	ctx, cancel := s.deadline(command)
	defer cancel()
	ops, err := s.operations(ctx, command, list)
	if err != nil {
		return err
	}
	for i := range ops.list {
		err := do(ctx, ops, i)
		if err == nil {
			continue
		}
		if err := w.refused(i, err); err != nil {
			return err
		}
		if ops.ordered {
			break
		}
	}
	return nil
}

func (s *Server) insert(command bson.Raw) (bson.D, error) {
	ctx, cancel := s.deadline(command)
	defer cancel()
	ops, err := s.operations(ctx, command, "documents")
	if err != nil {
		return nil, err
	}
	docs := make([]any, len(ops.list))
	for i, doc := range ops.list {
		docs[i] = doc
	}
	w := &written{}
	for at := 0; at < len(docs); at++ {
		err := ops.d.shaped(ctx, ops.coll, ops.list[at:], func() error {
			n, err := ops.d.db.InsertMany(ctx, ops.coll, docs[at:])
			at, w.n = at+int(n), w.n+n
			return err
		})
		if err == nil {
			break
		}
		if err := w.refused(at, ops.d.named(err, ops.coll, ops.list[at])); err != nil {
			return nil, err
		}
		if ops.ordered {
			break
		}
	}
	return w.answer(false), nil
}

// named is err, as E11000 where it is a duplicate.
func (d *database) named(err error, coll string, sources ...bson.Raw) error {
	var dup *docdb.DuplicateKeyError
	if errors.As(err, &dup) {
		return d.duplicateOf(coll, dup, sources...)
	}
	return err
}

func (s *Server) update(command bson.Raw) (bson.D, error) {
	w := &written{}
	err := s.each(command, "updates", w, func(ctx context.Context, ops operations, i int) error {
		op := ops.list[i]
		if many, _ := op.Lookup("multi").BooleanOK(); many {
			return refuse(2, "BadValue", "multi is outside of the subset")
		}
		filter, err := document(op, "q")
		if err != nil {
			return err
		}
		change, err := document(op, "u")
		if err != nil {
			return err
		}
		upsert, _ := op.Lookup("upsert").BooleanOK()
		q, u := fieldsOf(op, "q"), fieldsOf(op, "u")
		var res docdb.UpdateResult
		err = ops.d.shaped(ctx, ops.coll, []bson.Raw{u}, func() error {
			res, err = ops.d.db.UpdateOne(ctx, ops.coll, filter, change, docdb.Update{Upsert: upsert})
			return err
		})
		if err != nil {
			return ops.d.named(err, ops.coll, ops.d.sources(ctx, ops.coll, filter, q, u)...)
		}
		w.n += res.Matched
		w.modified += res.Modified
		if res.Upserted {
			w.n++
			w.upserted = append(w.upserted, bson.D{{Key: "index", Value: int32(i)}, {Key: "_id", Value: idOf(q, u)}})
		}
		return nil
	})
	return w.answer(true), err
}

// sources are where the values of a refused update's key may be found: the
// update, the filter, and the document as it is.
func (d *database) sources(ctx context.Context, coll string, filter bson.D, q, u bson.Raw) []bson.Raw {
	out := []bson.Raw{fieldsOf(u, "$set"), fieldsOf(u, "$setOnInsert"), q}
	var doc bson.Raw
	if err := d.db.FindOne(ctx, coll, filter, docdb.Find{}, &doc); err == nil {
		out = append(out, doc)
	}
	return out
}

// idOf is the _id of what an upsert inserted.
func idOf(q, u bson.Raw) bson.RawValue {
	if id := q.Lookup("_id"); !id.IsZero() && id.Type != bson.TypeEmbeddedDocument {
		return id
	}
	return fieldsOf(u, "$setOnInsert").Lookup("_id")
}

func (s *Server) delete(command bson.Raw) (bson.D, error) {
	w := &written{}
	err := s.each(command, "deletes", w, func(ctx context.Context, ops operations, i int) error {
		filter, err := document(ops.list[i], "q")
		if err != nil {
			return err
		}
		remove := ops.d.db.DeleteMany
		if limit, _ := ops.list[i].Lookup("limit").AsInt64OK(); limit == 1 {
			remove = ops.d.db.DeleteOne
		}
		ops.d.mu.RLock()
		defer ops.d.mu.RUnlock()
		n, err := remove(ctx, ops.coll, filter)
		w.n += n
		return err
	})
	return w.answer(false), err
}

func (s *Server) findAndModify(command bson.Raw) (bson.D, error) {
	d, err := s.database(command)
	if err != nil {
		return nil, err
	}
	ctx, cancel := s.deadline(command)
	defer cancel()
	coll := collectionOf(command)
	if err := d.writing(ctx, coll); err != nil {
		return nil, err
	}
	filter, err := document(command, "query")
	if err != nil {
		return nil, err
	}
	sort, err := document(command, "sort")
	if err != nil {
		return nil, err
	}
	change, err := document(command, "update")
	if err != nil {
		return nil, err
	}
	opts := docdb.Update{Sort: keysOf(sort)}
	opts.Upsert, _ = command.Lookup("upsert").BooleanOK()
	opts.After, _ = command.Lookup("new").BooleanOK()
	var doc bson.Raw
	q, u := fieldsOf(command, "query"), fieldsOf(command, "update")
	err = d.shaped(ctx, coll, []bson.Raw{u}, func() error {
		return d.db.FindOneAndUpdate(ctx, coll, filter, change, opts, &doc)
	})
	missed := errors.Is(err, docdb.ErrNotFound)
	if err != nil && !missed {
		return nil, d.named(err, coll, d.sources(ctx, coll, filter, q, u)...)
	}
	what := bson.D{{Key: "n", Value: int32(1)}, {Key: "updatedExisting", Value: !missed}}
	if missed && !opts.Upsert {
		what[0].Value = int32(0)
	}
	if missed {
		return bson.D{{Key: "lastErrorObject", Value: what}, {Key: "value", Value: nil}}, nil
	}
	return bson.D{{Key: "lastErrorObject", Value: what}, {Key: "value", Value: doc}}, nil
}
