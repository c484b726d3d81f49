package wiretest

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
)

// pipeline is what the server understands of aggregations: $match, then
// $limit, then one $group, then a $sort by the group's key.
type pipeline struct {
	filter bson.D
	limit  int64
	id     any // of the group
	by     []field
	accs   []docdb.Acc
}

// field is a field of the group's _id, and the path that it is taken from.
type field struct{ name, path string }

func pipelineOf(command bson.Raw) (p pipeline, err error) {
	stages, err := documents(command, "pipeline")
	if err != nil {
		return p, err
	}
	for _, stage := range stages {
		name := CommandName(stage)
		switch name {
		case "$match":
			p.filter, err = document(stage, name)
		case "$limit":
			p.limit, _ = stage.Lookup(name).AsInt64OK()
		case "$sort": // groups come in the order of their keys
		case "$group":
			err = p.readGroup(stage.Lookup(name).Document())
		default:
			err = refuse(40324, "Location40324", "Unrecognized pipeline stage name: '"+name+"'")
		}
		if err != nil {
			return p, err
		}
	}
	if p.accs == nil && p.by == nil {
		return p, refuse(2, "BadValue", "an aggregation without $group is outside of the subset")
	}
	return p, nil
}

func (p *pipeline) readGroup(group bson.Raw) error {
	elements, err := group.Elements()
	if err != nil {
		return err
	}
	for _, e := range elements {
		if e.Key() != "_id" {
			acc, err := accumulatorOf(e)
			if err != nil {
				return err
			}
			p.accs = append(p.accs, acc)
			continue
		}
		id, ok := e.Value().DocumentOK()
		if !ok { // a constant: one group of all
			p.id = e.Value()
			continue
		}
		fields, err := id.Elements()
		if err != nil {
			return err
		}
		for _, f := range fields {
			path, ok := pathOf(f.Value())
			if !ok {
				return refuse(2, "BadValue", "a group is by paths")
			}
			p.by = append(p.by, field{f.Key(), path})
		}
	}
	return nil
}

// accumulatorOf is {name: {$op: path}}, or {name: {$sum: 1}} for a count.
func accumulatorOf(e bson.RawElement) (docdb.Acc, error) {
	said, ok := e.Value().DocumentOK()
	if ok {
		op := strings.TrimPrefix(CommandName(said), "$")
		operand := said.Lookup("$" + op)
		if path, ok := pathOf(operand); ok {
			return docdb.Acc{As: e.Key(), Op: docdb.AccOp(op), Path: path}, nil
		}
		if n, ok := operand.AsInt64OK(); ok && n == 1 && op == "sum" {
			return docdb.Acc{As: e.Key(), Op: docdb.CountN}, nil
		}
	}
	return docdb.Acc{}, refuse(2, "BadValue", "accumulator "+e.String()+" is outside of the subset")
}

// pathOf is the path of a field expression, "$a.b".
func pathOf(v bson.RawValue) (string, bool) {
	text, ok := v.StringValueOK()
	if !ok {
		return "", false
	}
	return strings.CutPrefix(text, "$")
}

func (s *Server) aggregate(command bson.Raw) (bson.D, error) {
	p, err := pipelineOf(command)
	if err != nil {
		return nil, err
	}
	coll, docs := collectionOf(command), bson.A{}
	d, _, err := s.reading(command, coll, func(ctx context.Context, d *database) error {
		docs, err = p.run(ctx, d.db, coll)
		return err
	})
	if err != nil {
		return nil, err
	}
	c := s.newCursor(d, coll, command, func(context.Context) iter.Seq2[bson.Raw, error] {
		return func(yield func(bson.Raw, error) bool) {
			for _, doc := range docs {
				if !yield(doc.(bson.Raw), nil) {
					return
				}
			}
		}
	})
	return s.first(c, command.Lookup("cursor", "batchSize"))
}

// run folds the matches and puts each group in the shape it was asked in.
func (p pipeline) run(ctx context.Context, db docdb.DB, coll string) (bson.A, error) {
	out := bson.A{}
	if p.limit > 0 { // a count of at most so many
		n, err := db.Count(ctx, coll, p.filter, p.limit)
		if err != nil || n == 0 {
			return out, err
		}
		if len(p.by) > 0 || len(p.accs) != 1 || p.accs[0].Op != docdb.CountN {
			return nil, refuse(2, "BadValue", "a $limit before a $group that does more than count is outside of the subset")
		}
		doc, err := bson.Marshal(bson.D{{Key: "_id", Value: p.id}, {Key: p.accs[0].As, Value: n}})
		return append(out, bson.Raw(doc)), err
	}
	g := docdb.Group{Accs: p.accs}
	for _, f := range p.by {
		g.By = append(g.By, f.path)
	}
	groups, err := db.Group(ctx, coll, p.filter, g)
	if err != nil {
		return nil, err
	}
	for _, group := range groups {
		doc, err := p.shape(group)
		if err != nil {
			return nil, fmt.Errorf("shape a group: %w", err)
		}
		out = append(out, doc)
	}
	return out, nil
}

// shape makes {_id: {k0: …}, a0: …} of {by: …, as: …}. A path that the
// documents lack is left out of _id; a minimum of none is null.
func (p pipeline) shape(group bson.Raw) (bson.Raw, error) {
	id := p.id
	if len(p.by) > 0 {
		doc := bson.D{}
		for _, f := range p.by {
			if v := group.Lookup(f.path[strings.LastIndexByte(f.path, '.')+1:]); !v.IsZero() {
				doc = append(doc, bson.E{Key: f.name, Value: v})
			}
		}
		id = doc
	}
	out := bson.D{{Key: "_id", Value: id}}
	for _, acc := range p.accs {
		v := bson.E{Key: acc.As}
		if found := group.Lookup(acc.As); !found.IsZero() {
			v.Value = found
		}
		out = append(out, v)
	}
	return bson.Marshal(out)
}
