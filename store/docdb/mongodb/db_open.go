// Package mongodb keeps the ledger on MongoDB, through the official driver.
// What store asks for in docdb's language is MongoDB's own, so filters and
// updates pass through unchanged; what is added is how durable a write is, what
// an error means, and what the server really did with the indexes asked of it.
package mongodb

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"sync"
	"time"

	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/mongo/readconcern"
	"go.mongodb.org/mongo-driver/v2/mongo/readpref"
	"go.mongodb.org/mongo-driver/v2/mongo/writeconcern"

	"raseed/store/docdb"
)

// What holds where the URI says nothing (timeoutMS, serverSelectionTimeoutMS,
// maxPoolSize, maxIdleTimeMS, appName, retryWrites).
const (
	defaultDatabase  = "raseed"
	operationTimeout = 10 * time.Second
	selectionTimeout = 5 * time.Second
	maxConnections   = 64
	// Firewalls forget idle connections silently; one forgotten over lunch
	// would turn the first payment after it into an unknown outcome.
	maxIdle = 4 * time.Minute
	// As often as MongoDB's own TTL monitor runs.
	sweepEvery = time.Minute
)

// Options are what a URI cannot carry.
type Options struct {
	// Log hears what the server does not keep of the declared indexes.
	// slog.Default() when nil.
	Log *slog.Logger
	// Now is the clock for deleting expired documents where the server has no
	// TTL indexes.
	Now func() time.Time
}

// DB is a database on a MongoDB server. It implements docdb.DB.
type DB struct {
	client *mongo.Client
	db     *mongo.Database
	log    *slog.Logger
	now    func() time.Time

	mu           sync.Mutex
	ttl          map[string]string // collection → its TTL field
	sweepEvery   time.Duration
	stopSweeping context.CancelFunc
	sweeper      sync.WaitGroup
}

var _ docdb.DB = (*DB)(nil)

// Open connects to the server, cluster or service that uri names and waits
// until its primary answers; ErrUnavailable when it does not within the server
// selection timeout. The database is the path of uri, "raseed" without one.
//
// Authentication, TLS, replica set, pool and timeouts follow uri. How writes
// are acknowledged and where reads go does not: a number that was given out
// must survive the loss of a member.
func Open(ctx context.Context, uri string, opts Options) (*DB, error) {
	name, err := databaseName(uri)
	if err != nil {
		return nil, err
	}
	client, err := mongo.Connect(clientOptions(uri))
	if err != nil {
		return nil, fmt.Errorf("open mongodb: %w", err)
	}
	db := &DB{client: client, db: client.Database(name), log: opts.Log, now: opts.Now,
		ttl: map[string]string{}, sweepEvery: sweepEvery}
	if db.log == nil {
		db.log = slog.Default()
	}
	if err := db.Ping(ctx); err != nil {
		_ = db.Close()
		return nil, err
	}
	return db, nil
}

func clientOptions(uri string) *options.ClientOptions {
	journaled := true
	return options.Client().
		SetAppName("raseed").
		SetTimeout(operationTimeout).
		SetServerSelectionTimeout(selectionTimeout).
		SetMaxPoolSize(maxConnections).
		SetMaxConnIdleTime(maxIdle).
		SetRetryWrites(true).
		ApplyURI(uri).
		SetWriteConcern(&writeconcern.WriteConcern{W: "majority", Journal: &journaled}).
		// A counter read from a primary that is being replaced, and then rolled
		// back, would give the same number to two rows.
		SetReadConcern(readconcern.Majority()).
		SetReadPreference(readpref.Primary()).
		SetMonitor(sentMonitor())
}

// databaseName is the path of a connection string. net/url does not read a
// list of hosts, so the path is cut out by hand.
func databaseName(uri string) (string, error) {
	_, rest, ok := strings.Cut(uri, "://")
	if !ok {
		return "", errors.New(`open mongodb: the address must begin with "mongodb://" or "mongodb+srv://"`)
	}
	rest, _, _ = strings.Cut(rest, "?")
	_, path, _ := strings.Cut(rest, "/")
	name, err := url.PathUnescape(path)
	if err != nil {
		return "", fmt.Errorf("open mongodb: database name: %w", err)
	}
	if name == "" {
		return defaultDatabase, nil
	}
	return name, nil
}

// Ping asks the primary for an answer; ErrUnavailable.
func (db *DB) Ping(ctx context.Context) error {
	return readError("ping", "the server", db.client.Ping(ctx, readpref.Primary()))
}

// Close stops the sweeper and closes every connection, giving operations in
// flight a few seconds to end.
func (db *DB) Close() error {
	db.mu.Lock()
	if db.stopSweeping != nil {
		db.stopSweeping()
	}
	db.mu.Unlock()
	db.sweeper.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), selectionTimeout)
	defer cancel()
	if err := db.client.Disconnect(ctx); err != nil {
		return fmt.Errorf("close mongodb: %w", err)
	}
	return nil
}
