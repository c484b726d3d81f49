package fees

// AuditReport is what an audit found. The ledger is sound when Findings is
// empty.
type AuditReport struct {
	Series   []SeriesReport `json:"series"`
	Findings []Finding      `json:"findings"`
}

// SeriesReport is the state of one series of one financial year.
type SeriesReport struct {
	Institute string  `json:"institute"`
	FY        string  `json:"fy"`
	Series    Series  `json:"series"`
	First     int64   `json:"first"`    // 0 when the series is empty
	Last      int64   `json:"last"`     //
	Count     int64   `json:"count"`    // rows with a number
	Reversed  int64   `json:"reversed"` // of them
	Missing   []int64 `json:"missing"`  // numbers between 1 and Last that no row has; the first 100
	MissingN  int64   `json:"missingCount"`
	Awaiting  int64   `json:"awaiting"` // recorded, number not attached yet
	ChainOK   bool    `json:"chainOk"`
	LastHash  string  `json:"lastHash"`
	Total     Amount  `json:"total"`
}

// Finding is something that is not as it must be.
type Finding struct {
	Institute string `json:"institute"`
	What      string `json:"what"`         // gap, duplicate, chain, body, orphan, counter, link, sum, bill
	ID        string `json:"id,omitempty"` // the document
	Text      string `json:"text"`         // for people
}
