// Package ferrettest runs the MongoDB engine, over the wire, against FerretDB
// v1.24.2 on its SQLite backend: a server that speaks MongoDB's protocol and
// comes as a Go module. It is a stand-in for tests, not a place for a ledger;
// the caps in its test say what it cannot do. The module is apart from raseed
// so that none of this is in the product.
package ferrettest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/FerretDB/FerretDB/ferretdb"
)

// Serve runs a server on a free port of 127.0.0.1, its files in dir, until ctx
// is done. It calls ready once with its mongodb:// address, which ends in "/",
// and returns when the server has stopped.
func Serve(ctx context.Context, dir string, ready func(uri string)) error {
	server, err := ferretdb.New(&ferretdb.Config{
		Listener:  ferretdb.ListenerConfig{TCP: "127.0.0.1:0"},
		Logger:    slog.New(slog.DiscardHandler),
		Handler:   "sqlite",
		SQLiteURL: "file:" + dir + "/?_pragma=synchronous(off)",
	})
	if err != nil {
		return fmt.Errorf("start the stand-in: %w", err)
	}
	stopped := make(chan error, 1)
	go func() { stopped <- server.Run(ctx) }()
	ready(server.MongoDBURI())
	if err := <-stopped; err != nil && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("run the stand-in: %w", err)
	}
	return nil
}
