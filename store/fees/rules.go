package fees

// Rules are what an institute adds to the fee plan of a year: what a family's
// later children pay less, and what is charged on bills that are paid late.
type Rules struct {
	ID        string        `bson:"_id"` // INSTITUTE:FY
	Institute string        `bson:"institute"`
	FY        string        `bson:"fy"`
	Version   int64         `bson:"version"` // one more with each change; 0 where none were saved
	Siblings  []SiblingRule `bson:"siblings,omitempty"`
	Late      LateRule      `bson:"late,omitempty"` // zero for none
}

// IsZero says whether there is no late fee.
func (r LateRule) IsZero() bool { return r.Kind == "" }
