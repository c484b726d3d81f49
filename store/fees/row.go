package fees

import "time"

// Kind says what a ledger row is. Each kind is numbered in a series of its own
// name.
type Kind string

// The kinds of ledger rows, and so the series.
const (
	KindPayment    Kind = "payment"
	KindReversal   Kind = "reversal"
	KindRefund     Kind = "refund"
	KindAdjustment Kind = "adjustment"
)

// Series is a gap-free run of numbers within an institute and financial year.
type Series string

// The series.
const (
	SeriesReceipt    Series = "receipt"
	SeriesReversal   Series = "reversal"
	SeriesRefund     Series = "refund"
	SeriesAdjustment Series = "adjustment"
)

// Mode is how money was handed over.
type Mode string

// The modes of payment.
const (
	ModeCash     Mode = "cash"
	ModeCheque   Mode = "cheque"
	ModeDraft    Mode = "dd" // demand draft
	ModeUPI      Mode = "upi"
	ModeCard     Mode = "card"
	ModeTransfer Mode = "transfer" // bank transfer: NEFT, RTGS, IMPS
)

// Tender is one way in which a payment was handed over.
type Tender struct {
	Mode   Mode   `bson:"mode"`
	Amount Amount `bson:"amount"`
	Ref    string `bson:"ref,omitempty"`                      // cheque or draft number, UPI reference, approval code, UTR
	Bank   string `bson:"bank,omitempty"`                     // cheque and draft
	Branch string `bson:"branch,omitempty" json:",omitempty"` // cheque and draft
	Date   Date   `bson:"date,omitempty"`                     // the date on the cheque or draft
	Last4  string `bson:"last4,omitempty" json:",omitempty"`  // card: its last four digits
	Of     int64  `bson:"of,omitempty" json:",omitempty"`     // in a share of a family payment: which of its tenders this is, or is a part of; from 1
}

// Line is what a row's money was for: an amount credited to one head of one
// bill. An advance has no bill.
type Line struct {
	Bill     string `bson:"bill,omitempty"`  // the bill's period key (Bill.Period)
	Title    string `bson:"title,omitempty"` // the bill's title as it was
	Head     string `bson:"head"`
	HeadName string `bson:"headName"`
	Amount   Amount `bson:"amount"`
}

// Row is one row of the ledger (collection payments). It is written once.
// Afterwards only the fields below "set later" change, each from absent to
// set, once.
//
// It carries what was true when it was written (payer, class, names of heads,
// cashier and institute), so that a reprint a year later is the same receipt.
type Row struct {
	ID         string    `bson:"_id"` // INSTITUTE:ULID, minted when the form was rendered; ReversalID and AdvanceID for what follows from others
	Institute  string    `bson:"institute"`
	Kind       Kind      `bson:"kind"`
	Series     Series    `bson:"series"`
	FY         string    `bson:"fy"`
	Date       Date      `bson:"date"`
	RecordedAt time.Time `bson:"recordedAt"`

	Student     string `bson:"student"` // admission number
	StudentName string `bson:"studentName"`
	Class       string `bson:"class"`
	Section     string `bson:"section,omitempty"`
	Guardian    string `bson:"guardian,omitempty"`

	Lines        []Line   `bson:"lines"`
	Tenders      []Tender `bson:"tenders,omitempty"`
	Refs         []string `bson:"refs,omitempty"` // RefKeys of a payment's tenders, by which they are found
	Total        Amount   `bson:"total"`          // sum of Lines; negative on a reversal and a refund
	BalanceAfter Amount   `bson:"balanceAfter"`   // what the student owed (negative: in credit) once this row was written
	Currency     string   `bson:"currency"`
	Remark       string   `bson:"remark,omitempty"`

	Reverses     string `bson:"reverses,omitempty"`     // id of the row taken back
	ReversesText string `bson:"reversesText,omitempty"` // its number as printed
	Reason       string `bson:"reason,omitempty"`
	Cheque       string `bson:"cheque,omitempty"`      // of a reversal: id of the cheque that bounced, "" where a person takes the payment back
	Charge       Amount `bson:"charge,omitempty"`      // billed along with a reversal (a bounced cheque)
	Refunds      string `bson:"refunds,omitempty"`     // id of the payment that a refund gives back from, "" where it is the advance
	RefundsText  string `bson:"refundsText,omitempty"` // its number as printed
	Takes        string `bson:"takes,omitempty"`       // TakeKey of a reversal and of what is refunded of a payment: no two rows have the same
	ApprovedBy   string `bson:"approvedBy,omitempty"`  // login of who approved a refund
	ApprovedName string `bson:"approvedName,omitempty"`
	Format       string `bson:"format"` // the number format when the row was written

	Shift  string `bson:"shift,omitempty"`  // the till that it went through: Shift.ID after the institute
	Cash   Amount `bson:"cash,omitempty"`   // its tenders in cash, where it went through a till
	Family string `bson:"family,omitempty"` // the family payment that it is part of: FamilyPayment.ID after the institute

	Cashier          string `bson:"cashier"` // login
	CashierName      string `bson:"cashierName"`
	From             string `bson:"from,omitempty"` // network address of the counter
	InstituteName    string `bson:"instituteName"`
	InstituteAddress string `bson:"instituteAddress,omitempty"`
	InstituteFooter  string `bson:"instituteFooter,omitempty"` // what its receipts end with
	Logo             string `bson:"logo,omitempty"`            // of its logo: SHA-256, hex

	Digest string `bson:"digest"`         // of what was posted: the same id with other content is a conflict
	Body   string `bson:"body,omitempty"` // SHA-256, hex, of the canonical form of everything above

	// Set later.
	Awaiting   bool      `bson:"awaiting,omitempty"` // true until the number is attached
	Number     int64     `bson:"number,omitempty"`
	NumberText string    `bson:"numberText,omitempty"`
	NumberedAt time.Time `bson:"numberedAt,omitempty"`
	PrevHash   string    `bson:"prevHash,omitempty"`
	Hash       string    `bson:"hash,omitempty"`
	ReversedBy string    `bson:"reversedBy,omitempty"` // id of the reversal
}
