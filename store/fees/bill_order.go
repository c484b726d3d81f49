package fees

// WaiverOrder takes something off a late fee, or all of it.
type WaiverOrder struct {
	Student  string
	Bill     string // Bill.Period of the late fee
	Revision int64  // Bill.Revision of the late fee as it was seen
	Amount   Amount
	Reason   string
	By       Actor
}

// CancelOrder cancels a bill on which nothing was paid.
type CancelOrder struct {
	Student string
	Bill    string // Bill.Period
	Reason  string
	By      Actor
}

// LeavingOrder cancels what a student who left does not owe any more: the
// bills that are due after the last day and on which nothing was paid.
type LeavingOrder struct {
	Student string
	Last    Date // the last day for which is paid
	Reason  string
	By      Actor
}

// Check brings the order into its normal form; Invalid with Fields amount and
// reason.
func (o *WaiverOrder) Check() *Error {
	p := make(problems)
	checkCharge(p, "amount", o.Amount)
	checkReason(p, &o.Reason)
	return p.err("Nothing was waived")
}

// Check brings the order into its normal form; Invalid with Field reason.
func (o *CancelOrder) Check() *Error {
	p := make(problems)
	checkReason(p, &o.Reason)
	return p.err("The bill was not cancelled")
}

// Check brings the order into its normal form; Invalid with Fields last and
// reason.
func (o *LeavingOrder) Check() *Error {
	p := make(problems)
	if _, bad := ParseDate(string(o.Last)); bad != nil {
		p.add("last", bad.Message)
	}
	checkReason(p, &o.Reason)
	return p.err("No bill was cancelled")
}

// maxReason is the longest reason of an order, in characters.
const maxReason = 200

func checkReason(p problems, reason *string) {
	clean, bad := CleanText(*reason, maxReason)
	switch {
	case bad != nil:
		p.add("reason", bad.Message)
	case len([]rune(clean)) < 3:
		p.add("reason", "Say why, in at least 3 characters")
	case holdsCardNumber(clean):
		p.add("reason", noCardNumbers)
	default:
		*reason = clean
	}
}

// PaidOn is what rows credit to each bill, by Bill.Period.
func PaidOn(rows []Row) map[string]Amount {
	paid := make(map[string]Amount)
	for i := range rows {
		for _, l := range rows[i].Lines {
			if l.Bill != "" {
				paid[l.Bill] += l.Amount
			}
		}
	}
	return paid
}
