package fees

import (
	"strings"
	"time"
)

// Charge is a one-off charge to a student or to a class: an exam, a trip. Each
// student it is for has one bill of it.
type Charge struct {
	ID        string      `bson:"_id"` // INSTITUTE:ULID, minted when the form was rendered
	Institute string      `bson:"institute"`
	FY        string      `bson:"fy"`
	Title     string      `bson:"title"` // as the bills have it
	Head      string      `bson:"head"`
	HeadName  string      `bson:"headName"`
	Amount    Amount      `bson:"amount"` // of each student
	DueDate   Date        `bson:"dueDate"`
	Class     string      `bson:"class,omitempty"`   // for all active students of a class
	Student   string      `bson:"student,omitempty"` // or for one, by admission number
	State     ChargeState `bson:"state"`
	By        string      `bson:"by"`
	PlacedAt  time.Time   `bson:"placedAt"`

	// What its bills are, once it is done.
	Students int64  `bson:"students"`
	Total    Amount `bson:"total"`
}

// ChargeState says whether everybody has been billed: open → done.
type ChargeState string

// The states of a charge.
const (
	ChargeOpen ChargeState = "open"
	ChargeDone ChargeState = "done"
)

// ShortID is the part of c's id after the institute.
func (c *Charge) ShortID() string { return After(c.ID) }

// Period is what the charge's bills are for, in the place of a period.
func (c *Charge) Period() string { return c.FY + "/CHARGE-" + c.ShortID() }

// BillOf is a student's bill of the charge. Concessions are no part of it.
func (c *Charge) BillOf(student string, at time.Time) Bill {
	return Bill{
		ID: Key(c.Institute, student, c.Period()), Institute: c.Institute, Student: student,
		FY: c.FY, Period: c.Period(), Title: c.Title, DueDate: c.DueDate, Charge: c.ShortID(),
		Lines: []BillLine{{Head: c.Head, HeadName: c.HeadName, Gross: c.Amount, Net: c.Amount}},
		Net:   c.Amount, CreatedAt: at,
	}
}

// Same says whether another order under c's id would charge the same.
func (c *Charge) Same(o Charge) bool {
	return c.Title == o.Title && c.Head == o.Head && c.Amount == o.Amount && c.DueDate == o.DueDate &&
		c.Class == o.Class && c.Student == o.Student
}

// ChargeOrder is a one-off charge as a form has it: for a class or a student.
type ChargeOrder struct {
	ID      string // a ULID minted when the form was rendered
	Title   string
	Head    string // its code
	Amount  Amount
	DueDate Date
	Class   string
	Student string
	By      Actor
}

// Check brings the order into its normal form. Invalid with Fields title, head,
// amount, due_date, class and student; due_date also when it is not after the
// day up to which the books are closed.
func (o *ChargeOrder) Check(closedTo Date) *Error {
	p := make(problems)
	title, bad := CleanText(o.Title, 60)
	switch {
	case bad != nil:
		p.add("title", bad.Message)
	case title == "":
		p.add("title", "Say what it is for, as the bill shows it")
	}
	o.Title = title
	if o.Head = strings.TrimSpace(o.Head); o.Head == "" {
		p.add("head", "Choose the head")
	}
	checkCharge(p, "amount", o.Amount)
	if _, bad := ParseDate(string(o.DueDate)); bad != nil {
		p.add("due_date", bad.Message)
	} else if o.DueDate <= closedTo {
		p.add("due_date", "The books are closed up to "+closedTo.Spoken())
	}
	o.Class, o.Student = strings.Join(strings.Fields(o.Class), " "), strings.TrimSpace(o.Student)
	switch {
	case o.Class == "" && o.Student == "":
		p.add("class", "Choose a class, or enter a student")
	case o.Class != "" && o.Student != "":
		p.add("class", "Choose a class or enter a student, not both")
	case o.Student != "":
		if o.Student, bad = NormalAdmissionNo(o.Student); bad != nil {
			p.add("student", bad.Message)
		}
	}
	return p.err("Nothing was charged")
}

// ChargePreview is what a charge would do.
type ChargePreview struct {
	Charge   Charge // with Students and Total as they would be
	Inactive int64  // students of the class who left and are not charged
}
