package main

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// nobody runs p's commands as a user whom file modes bind, which they do not
// bind root. The folder becomes theirs.
func (p program) nobody(cmd *exec.Cmd) {
	p.t.Helper()
	if os.Getuid() != 0 {
		return
	}
	const uid = 65534
	exe := filepath.Join(os.TempDir(), "raseed-test-"+strconv.Itoa(os.Getpid()))
	p.t.Cleanup(func() { os.Remove(exe) })
	err := errors.Join(copyProgram(cmd.Path, exe), os.Chmod(filepath.Dir(p.dir), 0o755), filepath.Walk(p.dir, func(path string, _ os.FileInfo, err error) error {
		return errors.Join(err, os.Chown(path, uid, uid))
	}))
	if err != nil {
		p.t.Fatal(err)
	}
	cmd.Path = exe
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
}

func copyProgram(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// ended runs a command to its end and fails unless it ends with status 2 and
// says something.
func (p program) ended(cmd *exec.Cmd, says string) {
	p.t.Helper()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	if cmd.ProcessState == nil {
		p.t.Fatal(err)
	}
	if cmd.ProcessState.ExitCode() != 2 || !strings.Contains(out.String(), says) || strings.Contains(out.String(), "goroutine") {
		p.t.Errorf("exit status %d, want 2 and %q: %s", cmd.ProcessState.ExitCode(), says, &out)
	}
}

// A start where the ledger cannot be kept ends at once, and says why.
func TestStartWhereNothingCanBeWritten(t *testing.T) {
	const cannot = "the file or its directory cannot be written to"
	for _, tt := range []struct {
		name, says string
		prepare    func(p program) error
	}{
		{"file", cannot, func(p program) error { return os.Chmod(filepath.Join(p.dir, "raseed.db"), 0o400) }},
		{"folder", cannot, func(p program) error {
			return errors.Join(os.Remove(filepath.Join(p.dir, "raseed.db.lock")), os.Chmod(p.dir, 0o500))
		}},
		{"file and folder", cannot, func(p program) error {
			return errors.Join(os.Chmod(filepath.Join(p.dir, "raseed.db"), 0o400), os.Chmod(p.dir, 0o500))
		}},
		{"empty folder", cannot, func(p program) error {
			return errors.Join(os.Remove(filepath.Join(p.dir, "raseed.db")), os.Remove(filepath.Join(p.dir, "raseed.db.lock")), os.Chmod(p.dir, 0o500))
		}},
		{"no database", "not a SQLite database", func(p program) error {
			return os.WriteFile(filepath.Join(p.dir, "raseed.db"), bytes.Repeat([]byte("this is no database\n"), 100), 0o600)
		}},
		{"directory", "is a directory", func(p program) error {
			return errors.Join(os.Remove(filepath.Join(p.dir, "raseed.db")), os.Mkdir(filepath.Join(p.dir, "raseed.db"), 0o700))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProgram(t)
			p.must("", "institute", "add", "--code", "DPS", "--name", "Delta Public School")
			if err := tt.prepare(p); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.Chmod(p.dir, 0o700) })
			cmd := p.command("serve", "--addr", "127.0.0.1:0")
			p.nobody(cmd)
			p.ended(cmd, tt.says)
		})
	}
}

// onFullDisk runs a command in a folder on a disk of its own that has no room
// left, where the machine lets a test have one.
func (p program) onFullDisk(args ...string) *exec.Cmd {
	p.t.Helper()
	cmd := p.command(args...)
	exe := cmd.Path
	sh, err := exec.LookPath("sh")
	if err != nil {
		p.t.Skip("there is no sh to mount a disk with")
	}
	script := `mount -t tmpfs -o size=256k none "$1" || exit 77; cd "$1" || exit 77; [ -f ../seed.db ] && cp ../seed.db raseed.db; cat /dev/zero >ballast 2>/dev/null; shift; exec "$@"`
	cmd.Path, cmd.Args = sh, append([]string{"sh", "-c", script, "sh", p.dir + "/disk", exe}, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	if err := os.MkdirAll(p.dir+"/disk", 0o700); err != nil {
		p.t.Fatal(err)
	}
	return cmd
}

func TestStartOnAFullDisk(t *testing.T) {
	p := newProgram(t)
	probe := p.onFullDisk("version")
	if out, err := probe.CombinedOutput(); err != nil {
		t.Skipf("this machine lets no test mount a disk of its own: %v %s (a full disk while collecting is tested without, see web)", err, out)
	}
	p.ended(p.onFullDisk("serve", "--addr", "127.0.0.1:0"), "the disk is full")
	p.must("", "institute", "add", "--code", "DPS", "--name", "Delta Public School", "--db", "seed.db")
	p.ended(p.onFullDisk("serve", "--addr", "127.0.0.1:0"), "the disk is full")
	p.must("", "audit", "--db", "seed.db")
}

// A second server on the same file is refused and says by whom; the first goes
// on.
func TestTwoServersOnOneFile(t *testing.T) {
	p := newProgram(t)
	p.env = []string{"RASEED_ADDR=127.0.0.1:0"}
	first := p.start("serve")
	p.refused(2, "raseed.db is open in another raseed process (pid "+strconv.Itoa(first.cmd.Process.Pid)+")", "", "serve")
	p.refused(2, "open in another raseed process", "", "demo", "--data", ".")
	if status := get(t, first.url+"/readyz"); status != http.StatusOK {
		t.Errorf("the first server is at %d, want 200", status)
	}
	first.interrupt()
	p.start("serve").interrupt() // no stale lock is left
}

// A database server that does not answer ends the start, in words and without
// the password.
func TestStartWithoutItsDatabaseServer(t *testing.T) {
	p := newProgram(t)
	url := "mongodb://raseed:secret@127.0.0.1:1/raseed?serverSelectionTimeoutMS=300"
	status, out, errs := p.run("", "serve", "--addr", "127.0.0.1:0", "--db", url)
	if status != 2 || !strings.Contains(errs, "cannot be reached") || strings.Contains(errs+out, "secret") {
		t.Errorf("exit status %d, want 2 and that it cannot be reached:\n%s%s", status, out, errs)
	}
}
