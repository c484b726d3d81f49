package views

import (
	"raseed/store/fees"
	"raseed/views/ui"
)

// Search is the counter's search and what it found.
type Search struct {
	Query    string
	Symbol   string
	Students []SearchStudent
	Receipts []SearchReceipt
	More     bool // there are more students than are shown
}

// SearchStudent is a student who matches.
type SearchStudent struct {
	Href, AdmissionNo, Name, Class, Guardian, Phone, Due string
	Left                                                 bool
}

// SearchReceipt is a receipt that has the number asked for.
type SearchReceipt struct {
	Href, Number, Date, Name, Total string
	Status                          ui.StatusView
}

// SearchStudentOf is s as the counter lists them, with what they owe.
func SearchStudentOf(inst fees.Institute, s fees.Student, balance fees.Amount) SearchStudent {
	return SearchStudent{
		Href: CollectHref(s.AdmissionNo), AdmissionNo: s.AdmissionNo, Name: s.Name,
		Class: ClassOf(s.Class, s.Section), Guardian: s.Guardian, Phone: s.Phone,
		Due: inst.Money().Format(max(balance, 0)), Left: s.Status == fees.StudentLeft,
	}
}

// SearchReceiptOf is r as the counter lists it.
func SearchReceiptOf(inst fees.Institute, r fees.Row) SearchReceipt {
	return SearchReceipt{
		Href: ReceiptHref(r.ShortID()), Number: r.NumberText, Date: Day(r.Date), Name: r.StudentName,
		Total: inst.Money().Format(r.Total), Status: StatusPill(r.Status()),
	}
}

// nothing says whether a search found nothing.
func (s Search) nothing() bool { return len(s.Students) == 0 && len(s.Receipts) == 0 }
