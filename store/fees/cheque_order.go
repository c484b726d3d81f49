package fees

import (
	"fmt"
	"slices"
)

// MaxCheques is how many cheques one slip takes.
const MaxCheques = 90

// DepositOrder takes cheques to the bank.
type DepositOrder struct {
	ID      string   // of the deposit slip: a ULID minted when the form was rendered
	Cheques []string // Cheque.ShortID
	Account string   // what they are deposited into, in the school's words
	Day     Date     // "" for today
	By      Actor
}

// ClearOrder says that the bank paid cheques.
type ClearOrder struct {
	Cheques []string // Cheque.ShortID
	Day     Date     // "" for today
	By      Actor
}

// BounceOrder says that the bank returned a cheque.
type BounceOrder struct {
	Cheque string // Cheque.ShortID
	Reason string
	Charge Amount // billed to the student; 0 for none
	Day    Date   // "" for today
	By     Actor
}

// ChequeFilter selects cheques of one state. Zero dates do not restrict.
type ChequeFilter struct {
	State    ChequeState
	From, To Date // of Cheque.Day
}

// ChequeTotal is how many cheques there are and what they come to.
type ChequeTotal struct {
	Count  int64  `bson:"count"` // a part of one counts as one
	Parts  int64  `bson:"-"`     // of them, those that are a part of one
	Amount Amount `bson:"amount"`
}

// ChequesInHand sums what is not cleared yet.
type ChequesInHand struct {
	Due       ChequeTotal // in hand, can be deposited today
	PostDated ChequeTotal // in hand, from a later day
	Deposited ChequeTotal // at the bank
}

// Check brings the order into its normal form; Invalid with Fields deposit_id,
// cheque, account and day.
func (o *DepositOrder) Check(today Date) *Error {
	p := make(problems)
	if !ValidID(o.ID) {
		p.add("deposit_id", "This form is damaged. Open the cheques in hand again and begin from there")
	}
	o.Cheques = checkCheques(p, o.Cheques)
	account, bad := CleanText(o.Account, 60)
	switch {
	case bad != nil:
		p.add("account", bad.Message)
	case account == "":
		p.add("account", "Enter the bank account that they go to")
	case holdsCardNumber(account):
		p.add("account", noCardNumbers)
	}
	o.Account = account
	o.Day = checkDay(p, o.Day, today)
	return p.err("Nothing was deposited")
}

// Check brings the order into its normal form; Invalid with Fields cheque and
// day.
func (o *ClearOrder) Check(today Date) *Error {
	p := make(problems)
	o.Cheques = checkCheques(p, o.Cheques)
	o.Day = checkDay(p, o.Day, today)
	return p.err("Nothing was cleared")
}

// Check brings the order into its normal form; Invalid with Fields reason,
// charge and day.
func (o *BounceOrder) Check(today Date) *Error {
	p := make(problems)
	checkReason(p, &o.Reason)
	checkOptionalCharge(p, o.Charge)
	o.Day = checkDay(p, o.Day, today)
	return p.err("Nothing was changed")
}

// checkCheques is the list without repetitions.
func checkCheques(p problems, ids []string) []string {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	ids = slices.Compact(ids)
	switch {
	case len(ids) == 0:
		p.add("cheque", "Choose at least one cheque")
	case len(ids) > MaxCheques:
		p.add("cheque", fmt.Sprintf("At most %d cheques at once", MaxCheques))
	case slices.ContainsFunc(ids, func(id string) bool { return !ValidChequeID(id) }):
		p.add("cheque", "This form names a cheque that there cannot be. Open the list again")
	}
	return ids
}

func checkDay(p problems, day, today Date) Date {
	if day == "" {
		return today
	}
	if _, bad := ParseDate(string(day)); bad != nil {
		p.add("day", bad.Message)
	} else if day > today {
		p.add("day", "The day lies in the future")
	}
	return day
}

// ValidChequeID says whether id is one that a cheque can have after the
// institute: that of a payment, and the place of a tender in it.
func ValidChequeID(id string) bool {
	if len(id) != 28 || id[26] != ':' {
		return false
	}
	return ValidID(id[:26]) && id[27] >= '0' && id[27] <= '9'
}
