package fees

// Actor is who does something, and from where.
type Actor struct {
	Login string
	Name  string
	Role  Role
	From  string // network address
}

// PaymentOrder is a payment as a counter submits it. Nothing in it says what
// is owed: that is computed when it is recorded.
type PaymentOrder struct {
	ID      string // the part of the row's id after the institute: a ULID minted when the form was rendered
	Student string // admission number
	Date    Date   // "" for today
	Tenders []Tender
	Choices []Choice // what the cashier wants settled; empty for oldest first
	Remark  string
	// RefsAgain are references that the cashier says are right although they
	// were received already. An answer to a question, and no part of the payment.
	RefsAgain []string `json:"-"`
	Family    string   `json:",omitempty"` // the family payment that it is part of, "" for none
	Shift     string   `json:"-"`          // the till that the form was rendered with (Shift.ID after the institute), "" for whichever is open
	By        Actor
	// Raced says that the counter's hold ran out while the form was open, or that the
	// money was entered before: what was chosen may have been paid elsewhere
	// meanwhile, and is then no reason to refuse money that was handed over.
	Raced bool `json:"-"`
}

// Choice is an amount that the cashier puts against one head of one bill.
type Choice struct {
	Bill   string // Bill.Period
	Head   string
	Amount Amount
}

// ReversalOrder takes a whole payment back.
type ReversalOrder struct {
	ID     string // of the payment, the part after the institute
	Reason string
	Charge Amount // billed to the student (a bounced cheque); 0 for none
	Cheque string // id of the cheque whose bounce takes it back, "" where a person does
	By     Actor
}

// RunOrder starts a billing run.
type RunOrder struct {
	ID     string // a ULID minted when the form was rendered
	Period string // 2026-27/T1
	Class  string // "" for every class
	// Reprice brings bills that are there already to what the plan says now: one
	// without money on it is revised, one with money on it gets a difference bill.
	Reprice bool
	By      Actor
}

// RegisterFilter selects rows of the receipt register. Zero fields do not
// restrict.
type RegisterFilter struct {
	From, To Date
	Mode     Mode
	Head     string
	Class    string
	Cashier  string
	Status   Status
}

// Status is what a person calls the state of a row.
type Status string

// The statuses. A reversal is itself a row of status reversal, and so are an
// adjustment and a refund of their own.
const (
	StatusIssued     Status = "issued"
	StatusReversed   Status = "reversed"
	StatusReversal   Status = "reversal"
	StatusAdjustment Status = "adjustment"
	StatusRefund     Status = "refund"
	StatusPending    Status = "pending" // recorded, number not attached yet
)

// Page is one page of a list that pages by key. Next is the key to ask the
// following page with, "" on the last.
type Page[T any] struct {
	Items []T
	Next  string
}

// RegisterTotal sums a whole selection of the register.
type RegisterTotal struct {
	Count int64
	Total Amount
}
