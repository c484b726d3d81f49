package fees

// DueLine is one head of one bill that is still owed.
type DueLine struct {
	Bill     string // Bill.Period
	Title    string // Bill.Title
	Head     string
	HeadName string
	DueDate  Date
	Net      Amount // what was billed
	Open     Amount // what is owed of it, above zero
}

// Dues is what a student owes. Balance is Due less Advance, and is what was
// billed less what the rows say was received.
type Dues struct {
	Lines   []DueLine // oldest first: by due date, then bill, then the bill's own order
	Due     Amount    // sum of Open
	Advance Amount    // held in the payer's favour beyond all lines; negative only when more was given back than was held
	Balance Amount    // owed when positive, in credit when negative
}

// DuesOf computes what is owed from all bills and all rows of one student,
// given in any order. A bill has one line per head.
//
// Each row line credits its head of its bill; a reversal's lines are negative,
// so they cancel. What is credited beyond a line (two counters raced), to no
// bill or to one that is not there, and what bills of negative net give, is a
// pool that covers the oldest lines; what it does not use up is the Advance.
// Where more was taken from the pool than was in it (a payment was reversed
// whose advance is used), the newest lines are owed again by as much.
//
// So what is owed follows from the sums alone, whether or not an adjustment
// (ApplyAdvance) has said so yet.
func DuesOf(bills []Bill, rows []Row) Dues {
	st := standingOf(bills, rows)
	st.cover()
	d := Dues{Advance: st.pool}
	for i := range st.lines {
		if st.lines[i].Open > 0 {
			d.Due += st.lines[i].Open
		}
	}
	d.Balance = d.Due - d.Advance
	d.Lines = make([]DueLine, 0, len(st.lines))
	for i := range st.lines {
		if st.lines[i].Open > 0 {
			d.Lines = append(d.Lines, st.lines[i].DueLine)
		}
	}
	return d
}
