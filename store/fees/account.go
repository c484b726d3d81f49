package fees

// Account is what a student's bills and ledger rows sum up to, kept at hand so
// that a list of students need not read them. It is always recomputed from
// them, never added to, and says nothing that they do not.
type Account struct {
	ID        string `bson:"_id"` // INSTITUTE:STUDENT
	Institute string `bson:"institute"`
	Student   string `bson:"student"` // admission number
	Version   int64  `bson:"version"` // counts the recounts; each is a compare-and-set on it

	Billed   Amount `bson:"billed"`   // sum of the bills' net
	Received Amount `bson:"received"` // sum of the rows' totals, reversals being negative
	Balance  Amount `bson:"balance"`  // Billed less Received: owed when positive, in credit when negative
	Bills    int64  `bson:"bills"`    // how many
	Rows     int64  `bson:"rows"`     // how many
}
