// Command cmd runs the test server. Alone it prints the address and serves
// until it is interrupted:
//
//	go run ./store/docdb/mongodb/wiretest/cmd
//
// Given a command it runs that, with the address in RASEED_TEST_MONGODB_URI,
// and ends as the command does:
//
//	go run ./store/docdb/mongodb/wiretest/cmd go test ./store/...
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"raseed/store/docdb/mongodb/wiretest"
)

func main() {
	err := run(os.Args[1:])
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		os.Exit(max(ended.ExitCode(), 1))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(command []string) (err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	server, err := wiretest.Start(wiretest.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	if len(command) == 0 {
		fmt.Println(server.URI())
		<-ctx.Done()
		return nil
	}
	child := exec.CommandContext(ctx, command[0], command[1:]...)
	child.Env = append(os.Environ(), "RASEED_TEST_MONGODB_URI="+server.URI())
	child.Stdout, child.Stderr = os.Stdout, os.Stderr
	return child.Run()
}
