// Command cmd runs the stand-in until it is interrupted and prints its address,
// for RASEED_TEST_MONGODB_URI of other tests:
//
//	go run ./cmd
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"raseed/store/docdb/mongodb/ferrettest"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	dir, err := os.MkdirTemp("", "ferrettest-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return ferrettest.Serve(ctx, dir, func(uri string) { fmt.Println(uri) })
}
