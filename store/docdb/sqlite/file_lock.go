package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/gofrs/flock"
)

// onePath is the one name under which a file is locked, whatever links lead to
// it. A file that has two names of its own is refused: SQLite would keep a log
// for each, and they would not know of each other. What cannot be looked at,
// checkPlace has words for.
func onePath(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path, err
	}
	if at, err := os.Stat(abs); err == nil {
		if n := names(at); n > 1 {
			return abs, fmt.Errorf("the file has %d names (hard links); a ledger has one", n)
		}
		return filepath.EvalSymlinks(abs)
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(abs)); err == nil {
		return filepath.Join(dir, filepath.Base(abs)), nil
	}
	return abs, nil
}

// lockFile takes the lock beside the database. The kernel gives it free when
// the process ends, however it ends; the file itself stays.
func lockFile(path string) (*flock.Flock, error) {
	lock := flock.New(path + ".lock")
	got, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("open %s: %slock it: %w", path, placeWords(err), err)
	}
	if !got {
		who := ""
		if b, err := os.ReadFile(lock.Path()); err == nil && len(b) > 0 {
			who = " (pid " + strings.TrimSpace(string(b)) + ")"
		}
		return nil, fmt.Errorf("%s is open in another raseed process%s; stop it first, or point --db elsewhere", filepath.Base(path), who)
	}
	if err := os.WriteFile(lock.Path(), []byte(strconv.Itoa(os.Getpid())+"\n"), 0o600); err != nil {
		return nil, fmt.Errorf("open %s: %slock it: %w", path, placeWords(err), errors.Join(err, lock.Unlock()))
	}
	return lock, nil
}

// placeWords puts words before an error of the operating system that people
// meet; "" for others.
func placeWords(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "the disk is full: "
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return "the file or its directory cannot be written to: "
	}
	return ""
}
