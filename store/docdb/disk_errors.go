package docdb

import "errors"

// Reasons of an embedded engine for ErrUnavailable, in its chain, that somebody
// at the machine can mend. Nothing has to be opened anew afterwards.
var (
	ErrDiskFull   = errors.New("docdb: the disk is full")
	ErrReadOnly   = errors.New("docdb: the file or its directory cannot be written to")
	ErrDiskFailed = errors.New("docdb: reading or writing the disk failed")
)
