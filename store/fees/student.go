package fees

import "time"

// StudentStatus says whether a student is billed.
type StudentStatus string

// Only an active student is billed by a run; one who left keeps what is owed.
const (
	StudentActive StudentStatus = "active"
	StudentLeft   StudentStatus = "left"
)

// Student is the one who owes. AdmissionNo is unique within the institute and,
// normalised, is the part of the key after it.
type Student struct {
	ID             string        `bson:"_id"` // INSTITUTE:ADMISSIONNO
	Institute      string        `bson:"institute"`
	AdmissionNo    string        `bson:"admissionNo"`
	Name           string        `bson:"name"`
	Class          string        `bson:"class"`
	Section        string        `bson:"section,omitempty"`
	Category       string        `bson:"category"`
	Family         string        `bson:"family,omitempty"`
	Guardian       string        `bson:"guardian,omitempty"`
	Phone          string        `bson:"phone,omitempty"`
	Email          string        `bson:"email,omitempty"`
	Status         StudentStatus `bson:"status"`
	LeftOn         Date          `bson:"leftOn,omitempty"`  // the last day of one who left, "" where it is not known
	OpeningBalance Amount        `bson:"openingBalance"`    // owed (positive) or in credit (negative) when the books were opened
	Opening        bool          `bson:"opening,omitempty"` // the opening balance is not billed yet; written with it, and taken off after the bill
	Terms          []string      `bson:"terms"`             // what a search may find this student by
	UpdatedAt      time.Time     `bson:"updatedAt"`
}
