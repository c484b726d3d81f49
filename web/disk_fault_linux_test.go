package web_test

import (
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"raseed/store/fees"
	"raseed/web/webtest"
)

// The disk has no room left in the middle of collecting: the counter says so and
// keeps the form, nothing is half written, and once there is room again the same
// form is recorded, by the same server. Tested in a process of its own, once with
// a limit on the size of files and once on a small disk that is really full.
func TestDiskFullWhileCollecting(t *testing.T) {
	const how = "RASEED_TEST_DISK_FULL"
	switch os.Getenv(how) {
	case "limit":
		collectUntilFull(t, &fileLimit{}, "The disk that keeps the ledger failed. This attempt wrote nothing")
		return
	case "disk":
		collectUntilFull(t, &ballast{dir: os.TempDir()}, "The disk is full. This attempt wrote nothing")
		return
	}
	self := []string{os.Args[0], "-test.run=^TestDiskFullWhileCollecting$", "-test.v"}
	t.Run("limit", func(t *testing.T) {
		cmd := exec.Command(self[0], self[1:]...)
		cmd.Env = append(os.Environ(), how+"=limit")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	})
	t.Run("disk", func(t *testing.T) {
		dir := t.TempDir()
		const unable = 77
		cmd := exec.Command("sh", append([]string{"-c", `mount -t tmpfs -o size=8m none "$1" || exit 77; shift; exec "$@"`, "sh", dir}, self...)...)
		cmd.Env = append(os.Environ(), how+"=disk", "TMPDIR="+dir)
		cmd.SysProcAttr = &syscall.SysProcAttr{
			Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
		}
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() == unable {
			t.Skipf("this machine lets no test mount a disk of its own: %v %s", err, out)
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	})
}

// room is what there is on a disk.
type room interface {
	fill(t *testing.T)
	free(t *testing.T)
}

// fileLimit lets no file grow beyond what the ledger's has now.
type fileLimit struct{ before syscall.Rlimit }

func (l *fileLimit) fill(t *testing.T) {
	t.Helper()
	signal.Ignore(syscall.SIGXFSZ)
	logs, err := filepath.Glob(filepath.Join(os.TempDir(), "TestDiskFull*", "*", "raseed.db-wal"))
	if err != nil || len(logs) == 0 {
		t.Fatalf("the ledger's log is not found: %v", err)
	}
	at, err := os.Stat(logs[len(logs)-1])
	if err == nil {
		err = syscall.Getrlimit(syscall.RLIMIT_FSIZE, &l.before)
	}
	limited := l.before
	limited.Cur = uint64(at.Size())
	if err == nil {
		err = syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limited)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (l *fileLimit) free(t *testing.T) {
	t.Helper()
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &l.before); err != nil {
		t.Fatal(err)
	}
}

// ballast takes all the room that is left.
type ballast struct{ dir string }

func (b *ballast) fill(t *testing.T) {
	t.Helper()
	f, err := os.Create(filepath.Join(b.dir, "ballast"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for chunk := make([]byte, 4096); err == nil; {
		_, err = f.Write(chunk)
	}
}

func (b *ballast) free(t *testing.T) {
	t.Helper()
	if err := os.Remove(filepath.Join(b.dir, "ballast")); err != nil {
		t.Fatal(err)
	}
}

func collectUntilFull(t *testing.T, disk room, says string) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleCashier)
	pay := func() (url.Values, webtest.Response) {
		form := paymentForm(c.Get("/collect/1001"))
		form.Set("tender_amount", "1.00")
		return form, c.Post("/payments", form)
	}
	var acknowledged []string
	take := func(form url.Values, res webtest.Response) bool {
		if res.Status == http.StatusSeeOther {
			acknowledged = append(acknowledged, fees.After(form.Get("payment_id")))
		}
		return res.Status == http.StatusSeeOther
	}
	for range 10 {
		if form, res := pay(); !take(form, res) {
			t.Fatalf("status %d, %s", res.Status, res.Alert())
		}
	}
	for range 3 { // it happens more than once in a life
		disk.fill(t)
		form, res := pay()
		for n := 0; take(form, res) && n < 500; n++ {
			form, res = pay()
		}
		if res.Status != http.StatusServiceUnavailable || !strings.Contains(res.Alert(), says) {
			t.Errorf("status %d, %q; want 503 saying %q", res.Status, res.Alert(), says)
		}
		if res.Input("payment_id") != form.Get("payment_id") || res.Doc().Find(`[name="tender_amount"]`).First().AttrOr("value", "") != "1.00" {
			t.Error("the form is not kept")
		}
		for _, path := range []string{"/collect/1001", "/receipts", "/receipts/" + acknowledged[0], "/readyz"} {
			if res := c.Get(path); res.Status != http.StatusOK {
				t.Errorf("%s while the disk is full: status %d, want 200: it can be read", path, res.Status)
			}
		}
		wantRows(t, s, acknowledged)
		disk.free(t)
		if res := c.Post("/payments", form); !take(form, res) {
			t.Fatalf("the same form after there is room again: status %d, %s", res.Status, res.Alert())
		}
	}
	soundLedger(t, s)
	wantRows(t, s, acknowledged)
	for i, row := range rowsOf(t, s) {
		if row.Number != int64(i+1) {
			t.Errorf("the %d. receipt has number %d", i+1, row.Number)
		}
	}
}

// wantRows fails unless the ledger has exactly what was acknowledged, and is
// sound.
func wantRows(t *testing.T, s *webtest.Server, acknowledged []string) {
	t.Helper()
	rows := rowsOf(t, s)
	if len(rows) != len(acknowledged) {
		t.Errorf("%d rows are there, %d were acknowledged", len(rows), len(acknowledged))
	}
	for i := range min(len(rows), len(acknowledged)) {
		if rows[i].ShortID() != acknowledged[i] {
			t.Errorf("the %d. row is %s, want %s", i+1, rows[i].ShortID(), acknowledged[i])
		}
	}
	report, err := s.Store.Audit(t.Context(), "")
	if err != nil || len(report.Findings) > 0 {
		t.Errorf("audit: %+v, %v", report.Findings, err)
	}
}
