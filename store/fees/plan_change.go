package fees

// YearSplit divides what a head costs in a year among periods of it, for a
// class and a category.
type YearSplit struct {
	FY              string
	Class, Category string // or Any
	Head            string
	Amount          Amount   // of the whole year
	Periods         []string // codes
}

// CopyOrder copies the plan of one year to a later one, changed by a
// percentage that may be negative. Version is that of the PlanCopy that was
// looked at.
type CopyOrder struct {
	From, To string // financial years
	Change   Percent
	Version  string
}

// Version tells copies apart, as PlanVersion does plans.
func (c PlanCopy) Version() string {
	lines := []string{PlanVersion(c.Rows)}
	for _, p := range c.Periods {
		lines = append(lines, p.Code+"="+string(p.DueDate))
	}
	return versionOf(lines)
}

// ConcessionFilter selects concessions. Zero fields do not restrict.
type ConcessionFilter struct {
	Head   string
	Reason string // a part of it, in any case
	Class  string
}

// ConcessionEntry is a student's concession on a head with whom it is for.
type ConcessionEntry struct {
	Student    Student
	Concession Concession
}

// GrantOrder adds a grant to what a student is conceded on a head, or changes
// one that is there: the At-th, from 0, as Version has it.
type GrantOrder struct {
	Student string
	Head    string
	Adds    bool
	At      int
	Version int64 // Concession.Version as it was read
	Grant   Grant
	By      Actor
}
