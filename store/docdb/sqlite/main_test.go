package sqlite_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	"raseed/store/docdb"
	"raseed/store/docdb/sqlite"
)

// childFile makes the test binary a process that writes to the file it names.
const childFile = "RASEED_TEST_CHILD_FILE"

func TestMain(m *testing.M) {
	if path := os.Getenv(childFile); path != "" {
		if err := insertForEver(path, os.Getenv("RASEED_TEST_CHILD_NAME")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// insertForEver inserts from many goroutines and prints each key once its
// write was acknowledged.
func insertForEver(path, name string) error {
	ctx := context.Background()
	db, err := sqlite.Open(ctx, path, sqlite.Options{Now: now})
	if err != nil {
		return err
	}
	if err := db.Ensure(ctx, ledger); err != nil {
		return err
	}
	var mu sync.Mutex
	failed := make(chan error)
	for g := range 8 {
		go func() {
			for i := 0; ; i++ {
				p := paymentOf(i)
				p.ID = fmt.Sprintf("%s-%d-%d", name, g, i)
				if err := db.InsertOne(ctx, "payments", p); err != nil {
					failed <- err
					return
				}
				set := bson.D{{Key: "$set", Value: bson.D{{Key: "note", Value: p.ID}}}}
				if _, err := db.UpdateOne(ctx, "payments", bson.D{{Key: "_id", Value: p.ID}}, set, docdb.Update{}); err != nil {
					failed <- err
					return
				}
				mu.Lock()
				fmt.Println(p.ID)
				mu.Unlock()
			}
		}()
	}
	return <-failed
}

// child starts such a process and returns its output.
func child(t *testing.T, path, name string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childFile+"="+path, "RASEED_TEST_CHILD_NAME="+name)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	return cmd, bufio.NewScanner(out)
}
