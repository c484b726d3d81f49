package fees

import (
	"slices"
	"time"
)

// MaxFamily is how many children can be paid for at once. More have one family
// only by mistake.
const MaxFamily = 20

// Family are the children at the school whose family is written the same, in
// whatever case.
type Family struct {
	Code     string
	Children []Student // active, in the order of their admission numbers (A9 before A10)
}

// SortChildren puts the children of a family in order: by admission number, A9
// before A10. The first is who was admitted first.
func SortChildren(children []Student) {
	slices.SortFunc(children, func(a, b Student) int { return compareNatural(a.AdmissionNo, b.AdmissionNo) })
}

// FamilyPayment is one payment for several children (collection
// familyPayments): what was handed over, and what of it is for whom. It is
// written once, before the rows that it becomes, one for each child; it has their
// ids, so that whoever finds it Open can write what is missing.
type FamilyPayment struct {
	ID          string        `bson:"_id"` // INSTITUTE:ULID, minted when the form was rendered
	Institute   string        `bson:"institute"`
	Family      string        `bson:"family"`
	Date        Date          `bson:"date"`
	RecordedAt  time.Time     `bson:"recordedAt"`
	Children    []FamilyShare `bson:"children"` // who gets something of it, none twice
	Tenders     []Tender      `bson:"tenders"`
	Total       Amount        `bson:"total"` // sum of Tenders, and of what the children get
	Remark      string        `bson:"remark,omitempty"`
	Shift       string        `bson:"shift,omitempty"` // the till that it goes through: Shift.ID after the institute
	Cashier     string        `bson:"cashier"`         // login
	CashierName string        `bson:"cashierName"`
	From        string        `bson:"from,omitempty"` // network address of the counter
	Digest      string        `bson:"digest"`         // of what was posted

	Open bool `bson:"open,omitempty"` // true until each child's row is there
}

// FamilyShare is what of a family payment is for one child.
type FamilyShare struct {
	Student string   `bson:"student"` // admission number
	Name    string   `bson:"name"`
	Amount  Amount   `bson:"amount"`  // above zero
	Tenders []Tender `bson:"tenders"` // the parts of the payment's that come to Amount
	Row     string   `bson:"row"`     // id of the child's row, after the institute: a ULID that no form can have
}

// ShortID is the part of p's id after the institute, as addresses carry it.
func (p *FamilyPayment) ShortID() string { return After(p.ID) }

// TenderOf is the n-th of p's tenders, from 1, as the shares count them
// (Tender.Of); the zero value for none.
func (p *FamilyPayment) TenderOf(n int64) Tender {
	if n < 1 || n > int64(len(p.Tenders)) {
		return Tender{}
	}
	return p.Tenders[n-1]
}

// OrderOf is the payment of one of the children.
func (p *FamilyPayment) OrderOf(c FamilyShare) PaymentOrder {
	return PaymentOrder{
		ID: c.Row, Student: c.Student, Date: p.Date, Tenders: c.Tenders, Remark: p.Remark, Family: p.ShortID(), Shift: p.Shift,
		By: Actor{Login: p.Cashier, Name: p.CashierName, From: p.From},
	}
}
