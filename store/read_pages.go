package store

import (
	"context"
	"iter"
	"math"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// readPage is how many documents the audit and the sweep read in one go: few
// enough that no snapshot of a live store is held for long.
const readPage = 2048

// pagesByKey reads the documents whose keys begin with prefix, in order.
func (s *Store) pagesByKey(ctx context.Context, coll, prefix string, fields ...string) iter.Seq2[bson.Raw, error] {
	after := ""
	return pages(func(last bson.Raw) iter.Seq2[bson.Raw, error] {
		if last != nil {
			after = textOf(last, "_id")
		}
		return s.DB.Find(ctx, coll, bson.D{underAfter(prefix, after)},
			docdb.Find{Sort: []docdb.Key{{Path: "_id"}}, Limit: readPage, Fields: fields})
	})
}

// numberedRows reads the rows of a series in the order of their numbers.
func (s *Store) numberedRows(ctx context.Context, key seriesKey) iter.Seq2[bson.Raw, error] {
	from := bson.E{Key: "$gte", Value: int64(math.MinInt64)}
	return pages(func(last bson.Raw) iter.Seq2[bson.Raw, error] {
		if last != nil {
			from = bson.E{Key: "$gt", Value: last.Lookup("number").AsInt64()}
		}
		return s.DB.Find(ctx, payments, bson.D{
			{Key: "institute", Value: key.institute}, {Key: "fy", Value: key.fy}, {Key: "series", Value: key.series},
			{Key: "number", Value: bson.D{{Key: "$exists", Value: true}, from}},
		}, docdb.Find{Sort: []docdb.Key{{Path: "institute"}, {Path: "fy"}, {Path: "series"}, {Path: "number"}}, Limit: readPage})
	})
}

// marked reads the institute's documents that carry a mark, by key.
func (s *Store) marked(ctx context.Context, coll, institute, mark string, fields ...string) iter.Seq2[bson.Raw, error] {
	after := fees.Key(institute, "")
	return pages(func(last bson.Raw) iter.Seq2[bson.Raw, error] {
		if last != nil {
			after = textOf(last, "_id")
		}
		return s.DB.Find(ctx, coll, bson.D{
			{Key: "institute", Value: institute}, {Key: mark, Value: true},
			{Key: "_id", Value: bson.D{{Key: "$gt", Value: after}}},
		}, docdb.Find{Sort: []docdb.Key{{Path: "institute"}, {Path: "_id"}}, Limit: readPage, Fields: fields})
	})
}

// pages joins reads of at most readPage documents each, the first after nil.
func pages(next func(last bson.Raw) iter.Seq2[bson.Raw, error]) iter.Seq2[bson.Raw, error] {
	return func(yield func(bson.Raw, error) bool) {
		var last bson.Raw
		for {
			n := 0
			for raw, err := range next(last) {
				if !yield(raw, err) || err != nil {
					return
				}
				last, n = raw, n+1
			}
			if n < readPage {
				return
			}
		}
	}
}

// textOf is a string of a document, "" where there is none.
func textOf(raw bson.Raw, field string) string {
	text, _ := raw.Lookup(field).StringValueOK()
	return text
}

// has says whether a document has a field, whatever is in it.
func has(raw bson.Raw, field string) bool {
	_, err := raw.LookupErr(field)
	return err == nil
}

// ahead runs a sequence in a goroutine of its own, some batches ahead of the
// loop over it: documents are decoded on one processor while they are checked
// on another.
func ahead(ctx context.Context, docs func(ctx context.Context) iter.Seq2[bson.Raw, error]) iter.Seq2[bson.Raw, error] {
	type batch struct {
		docs []bson.Raw
		err  error
	}
	const size = 128
	return func(yield func(bson.Raw, error) bool) {
		ctx, stop := context.WithCancel(ctx)
		batches, ended := make(chan batch, 2), make(chan struct{})
		defer func() {
			stop()
			<-ended // nothing reads on once the loop is over
		}()
		send := func(b batch) {
			select {
			case batches <- b:
			case <-ctx.Done():
			}
		}
		go func() {
			defer close(ended)
			defer close(batches)
			var b batch
			for raw, err := range docs(ctx) {
				if b.err = err; err != nil {
					break
				}
				if b.docs = append(b.docs, raw); len(b.docs) == size {
					send(b)
					b.docs = make([]bson.Raw, 0, size)
				}
			}
			if b.err == nil {
				b.err = ctx.Err()
			}
			send(b)
		}()
		for b := range batches {
			for _, raw := range b.docs {
				if !yield(raw, nil) {
					return
				}
			}
			if b.err != nil {
				yield(nil, b.err)
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield(nil, err)
		}
	}
}
