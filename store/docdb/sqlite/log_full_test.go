//go:build linux

package sqlite_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"raseed/store/docdb"
)

// TestDiskFullWhileCommitting limits the size of files, so that the log cannot
// be written to, in a process of its own.
func TestDiskFullWhileCommitting(t *testing.T) {
	const inChild = "RASEED_TEST_LOG_FULL"
	if os.Getenv(inChild) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestDiskFullWhileCommitting$", "-test.v")
		cmd.Env = append(os.Environ(), inChild+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	signal.Ignore(syscall.SIGXFSZ)
	path := filepath.Join(t.TempDir(), "raseed.db")
	db := openAt(t, path)
	must(t, db.Ensure(ctx, ledger))
	var free syscall.Rlimit
	must(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &free))
	limited := free
	limited.Cur = 300_000
	must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limited))
	acknowledged := int64(0)
	var failed error
	for i := 0; failed == nil && i < 10_000; i++ {
		if failed = db.InsertOne(ctx, "payments", paymentOf(i)); failed == nil {
			acknowledged++
		}
	}
	if !errors.Is(failed, docdb.ErrUnavailable) || !strings.Contains(fmt.Sprint(failed), "disk") {
		t.Errorf("error is %v, want ErrUnavailable that speaks of the disk", failed)
	}
	for i := range 5 {
		if err := db.InsertOne(ctx, "payments", paymentOf(90_000+i)); err == nil {
			t.Error("a write to a full disk was acknowledged")
		}
	}
	if n := count(t, db, "payments", nil); n != acknowledged {
		t.Errorf("%d documents are there, %d were acknowledged", n, acknowledged)
	}
	must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &free))
	for i := range 100 {
		must(t, db.InsertOne(ctx, "payments", paymentOf(50_000+i)))
	}
	must(t, db.Close())
	db = openAt(t, path)
	must(t, db.Ensure(ctx, ledger))
	if n := count(t, db, "payments", nil); n != acknowledged+100 {
		t.Errorf("after reopening %d documents are there, want %d", n, acknowledged+100)
	}
	if got := shell(t, path, "PRAGMA integrity_check"); got != "ok" {
		t.Errorf("the file is damaged: %s", got)
	}
}
