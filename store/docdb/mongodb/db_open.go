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
// connectTimeoutMS, heartbeatFrequencyMS, minPoolSize, maxPoolSize,
// maxIdleTimeMS, appName, retryWrites).
//
// A payment is a few operations one after the other, and a cashier with a queue
// is to know within ten seconds that the server is gone: one operation may hang
// until its timeout, those after it find no server.
const (
	defaultDatabase   = "raseed"
	operationTimeout  = 5 * time.Second
	selectionTimeout  = 4 * time.Second
	connectTimeout    = 3 * time.Second
	heartbeatInterval = 3 * time.Second
	// The first payments of the morning find connections that have logged in.
	minConnections = 2
	maxConnections = 64
	// Firewalls forget idle connections silently; one forgotten over lunch
	// would turn the first payment after it into an unknown outcome.
	maxIdle = 4 * time.Minute
	// What one operation may take longer for each document that it writes, or
	// when it reads as many as there are (times the operation's own).
	timePerDocument = 100 * time.Millisecond
	manyDocuments   = 6
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
	// Events hear what the driver does by itself.
	Events Events
}

// DB is a database on a MongoDB server, version 4.4 or later, or on a service
// that speaks like one. It implements docdb.DB. Every command carries the shape
// of its query (docdb.Shape) as its comment, so the server's profiler, currentOp
// and log tell what of ours it is.
type DB struct {
	client  *mongo.Client
	db      *mongo.Database
	uri     string
	timeout time.Duration // of one operation
	log     *slog.Logger
	now     func() time.Time
	events  Events

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
	db := &DB{uri: uri, log: opts.Log, now: opts.Now, events: opts.Events, ttl: map[string]string{}, sweepEvery: sweepEvery}
	if db.log == nil {
		db.log = slog.Default()
	}
	if err := db.connect(name, db.clientOptions()); err != nil {
		return nil, err
	}
	if err := db.Ping(ctx); err != nil {
		_ = db.Close()
		if refusesLogin(err) {
			err = fmt.Errorf("open mongodb: the server does not accept the user or password of its address: %v", err) //nolint:errorlint // it was reached
		}
		return nil, err
	}
	return db, nil
}

// refusesLogin tells a wrong password from a server that is away: the driver
// reports both as having found no server, and keeps the cause as text.
func refusesLogin(err error) bool { return strings.Contains(err.Error(), "auth error: ") }

func (db *DB) connect(name string, opts *options.ClientOptions) error {
	client, err := mongo.Connect(opts)
	if err != nil {
		return fmt.Errorf("open mongodb: %w", err)
	}
	db.client, db.db, db.timeout = client, client.Database(name), operationTimeout
	if asked := opts.Timeout; *asked > 0 { // 0 would be for ever
		db.timeout = *asked
	}
	return nil
}

func (db *DB) clientOptions() *options.ClientOptions {
	journaled := true
	return options.Client().
		SetAppName("raseed").
		SetTimeout(operationTimeout).
		SetServerSelectionTimeout(selectionTimeout).
		SetConnectTimeout(connectTimeout).
		SetHeartbeatInterval(heartbeatInterval).
		SetMinPoolSize(minConnections).
		SetMaxPoolSize(maxConnections).
		SetMaxConnIdleTime(maxIdle).
		SetRetryWrites(true).
		ApplyURI(db.uri).
		SetWriteConcern(&writeconcern.WriteConcern{W: "majority", Journal: &journaled}).
		// A counter read from a primary that is being replaced, and then rolled
		// back, would give the same number to two rows.
		SetReadConcern(readconcern.Majority()).
		SetReadPreference(readpref.Primary()).
		SetMonitor(db.commandMonitor()).
		SetPoolMonitor(db.poolMonitor())
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
	ctx, done := db.within(ctx, db.timeout)
	defer done()
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
