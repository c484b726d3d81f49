package sqlite

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"go.mongodb.org/mongo-driver/v2/bson"
	"raseed/store/docdb"
)

// FindOne decodes the first match into out.
func (db *DB) FindOne(ctx context.Context, coll string, filter bson.D, opts docdb.Find, out any) error {
	opts.Limit = 1
	var found bson.Raw
	err := db.each(ctx, coll, filter, opts, func(doc bson.Raw) error {
		found = doc
		return nil
	})
	if err == nil && found == nil {
		err = docdb.ErrNotFound
	}
	if err == nil {
		err = decode(found, out)
	}
	if err != nil {
		return fmt.Errorf("find one in %s: %w", coll, err)
	}
	return nil
}

// decode unmarshals a document into what the caller wants it in.
func decode(doc bson.Raw, out any) error {
	if r, ok := out.(*bson.Raw); ok {
		*r = doc
		return nil
	}
	return bson.Unmarshal(doc, out)
}

// Find streams the matches from one snapshot of the file.
func (db *DB) Find(ctx context.Context, coll string, filter bson.D, opts docdb.Find) iter.Seq2[bson.Raw, error] {
	return func(yield func(bson.Raw, error) bool) {
		err := db.each(ctx, coll, filter, opts, func(doc bson.Raw) error {
			if !yield(doc, nil) {
				return errEnough
			}
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			yield(nil, fmt.Errorf("find in %s: %w", coll, err))
		}
	}
}

// each calls found with every match.
func (db *DB) each(ctx context.Context, coll string, filter bson.D, opts docdb.Find, found func(bson.Raw) error) error {
	k, err := db.collection(coll)
	if err != nil {
		return err
	}
	s, err := newSearch(k, docOnly, filter, opts.Sort, opts.Limit)
	if err != nil {
		return err
	}
	shape, err := newProjection(opts.Fields)
	if err != nil {
		return err
	}
	return db.read(ctx, func(c *conn) error {
		return s.run(c, fresh, func(_ int64, doc []byte) error {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("%w: %w", docdb.ErrUnavailable, err)
			}
			return found(shape.of(doc))
		})
	})
}

// Count counts the matches, at most limit of them when limit > 0.
func (db *DB) Count(ctx context.Context, coll string, filter bson.D, limit int64) (int64, error) {
	n, err := db.count(ctx, coll, filter, limit)
	if err != nil {
		return 0, fmt.Errorf("count in %s: %w", coll, err)
	}
	return n, nil
}

func (db *DB) count(ctx context.Context, coll string, filter bson.D, limit int64) (n int64, err error) {
	k, err := db.collection(coll)
	if err != nil {
		return 0, err
	}
	s, err := newSearch(k, rowOnly, filter, nil, limit)
	if err != nil {
		return 0, err
	}
	if len(s.rest) > 0 {
		if s, err = newSearch(k, docOnly, filter, nil, limit); err != nil {
			return 0, err
		}
		err = db.read(ctx, func(c *conn) error {
			return s.run(c, reused(), func(int64, []byte) error {
				n++
				return nil
			})
		})
		return n, err
	}
	sql := append(append([]byte("SELECT count(*) FROM ("), s.sql...), ')')
	err = db.read(ctx, func(c *conn) error {
		st, err := c.prepare(sql)
		if err != nil {
			return err
		}
		defer st.reset()
		if err := st.bind(s.args); err != nil {
			return err
		}
		if _, err := st.step(); err != nil {
			return err
		}
		n = st.int64(0)
		return nil
	})
	return n, err
}

// reused is one buffer for all documents, none of which is kept.
func reused() func(int) []byte {
	var b []byte
	return func(size int) []byte {
		if cap(b) < size {
			b = make([]byte, 0, size)
		}
		return b[:0]
	}
}
