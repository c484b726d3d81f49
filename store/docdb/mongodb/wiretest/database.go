package wiretest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/docdb/sqlite"
)

// database is one database of the server: a file of the embedded engine.
type database struct {
	name string
	path string
	db   *sqlite.DB

	// The engine has a collection's shape once and for all; a server lets it
	// grow. Whoever changes it holds mu alone.
	mu          sync.RWMutex
	collections map[string]*collection
}

// database is the one that a command is about, made at its first mention.
func (s *Server) database(command bson.Raw) (*database, error) {
	name, ok := command.Lookup("$db").StringValueOK()
	if !ok || name == "" || filepath.Base(name) != name {
		return nil, refuse(73, "InvalidNamespace", "Invalid database name: '"+name+"'")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if d, ok := s.databases[name]; ok {
		return d, nil
	}
	path := filepath.Join(s.dir, name+".db")
	db, err := sqlite.Open(s.ctx, path, sqlite.Options{})
	if err != nil {
		return nil, err
	}
	d := &database{name: name, path: path, db: db, collections: map[string]*collection{}}
	s.databases[name] = d
	return d, nil
}

func (d *database) close() error {
	err := d.db.Close()
	for _, suffix := range []string{"", "-wal", "-shm", ".lock"} {
		if gone := os.Remove(d.path + suffix); !errors.Is(gone, os.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}
	return err
}

// dropDatabase deletes everything of a database.
func (s *Server) dropDatabase(command bson.Raw) (bson.D, error) {
	d, err := s.database(command)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	delete(s.databases, d.name)
	s.mu.Unlock()
	s.cursors.kill(func(c *cursor) bool { return c.database == d })
	d.mu.Lock()
	defer d.mu.Unlock()
	return bson.D{{Key: "dropped", Value: d.name}}, d.close()
}

// deadline is how long a command may take: its maxTimeMS.
func (s *Server) deadline(command bson.Raw) (context.Context, context.CancelFunc) {
	if ms, ok := command.Lookup("maxTimeMS").AsInt64OK(); ok && ms > 0 {
		return context.WithTimeout(s.ctx, time.Duration(ms)*time.Millisecond)
	}
	return context.WithCancel(s.ctx)
}

// writing makes sure that a collection is there, as a server does at the first
// write to it.
func (d *database) writing(ctx context.Context, coll string) error {
	d.mu.RLock()
	_, ok := d.collections[coll]
	d.mu.RUnlock()
	if ok {
		return nil
	}
	return d.reshape(ctx, func() error {
		if d.collections[coll] == nil {
			d.collections[coll] = &collection{name: coll}
		}
		return nil
	}, coll)
}

// reshape changes what is known of a collection, and its table with it.
func (d *database) reshape(ctx context.Context, change func() error, coll string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := change(); err != nil {
		return err
	}
	return d.db.Ensure(ctx, []docdb.Collection{d.collections[coll].declared()})
}

// shaped runs a write. Where the engine refuses it for a list in a field that
// is indexed as a single value, the index becomes multikey, as it does on a
// mongod when the first list arrives, and the write is run again.
func (d *database) shaped(ctx context.Context, coll string, docs []bson.Raw, write func() error) error {
	run := func() error {
		d.mu.RLock()
		defer d.mu.RUnlock()
		return write()
	}
	err := run()
	var dup *docdb.DuplicateKeyError
	if err == nil || errors.As(err, &dup) || ctx.Err() != nil {
		return err
	}
	grown := false
	shapeErr := d.reshape(ctx, func() error {
		for _, doc := range docs {
			grown = d.collections[coll].learn(doc) || grown
		}
		return nil
	}, coll)
	if shapeErr != nil {
		return fmt.Errorf("make an index of %s multikey: %w", coll, shapeErr)
	}
	if !grown {
		return err
	}
	return run()
}
