package fees

// ImportReport is what an import did, or with Dry would do. With Problems
// nothing was written.
type ImportReport struct {
	Rows      int64 // data rows read
	Created   int64
	Updated   int64
	Unchanged int64
	Opened    int64    // opening balances that became bills
	Unknown   []string // columns that nobody reads
	Notes     []string // what may be a mistake, in words
	Problems  []ImportProblem
	Dry       bool
}

// ImportProblem is one thing wrong with a file. Line counts from 1, the header
// included, as an editor shows it.
type ImportProblem struct {
	Line   int64
	Column string
	Reason string
}
