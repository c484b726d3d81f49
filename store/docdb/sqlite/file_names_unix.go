//go:build unix

package sqlite

import (
	"io/fs"
	"syscall"
)

// names is how many directory entries lead to a file.
func names(at fs.FileInfo) uint64 {
	if s, ok := at.Sys().(*syscall.Stat_t); ok && at.Mode().IsRegular() {
		return uint64(s.Nlink) //nolint:unconvert // 16 bits on some systems
	}
	return 1
}
