package sqlite

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/gofrs/flock"
)

// lockFile takes the lock beside the database. The kernel gives it free when
// the process ends, however it ends; the file itself stays.
func lockFile(path string) (*flock.Flock, error) {
	lock := flock.New(path + ".lock")
	got, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("open %s: lock it: %w", path, err)
	}
	if !got {
		who := ""
		if b, err := os.ReadFile(lock.Path()); err == nil && len(b) > 0 {
			who = " (pid " + strings.TrimSpace(string(b)) + ")"
		}
		return nil, fmt.Errorf("%s is open in another raseed process%s; stop it first, or point --db elsewhere", filepath.Base(path), who)
	}
	if err := os.WriteFile(lock.Path(), []byte(strconv.Itoa(os.Getpid())+"\n"), 0o600); err != nil {
		lock.Unlock()
		return nil, fmt.Errorf("open %s: lock it: %w", path, err)
	}
	return lock, nil
}
