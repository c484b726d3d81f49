package print

// Slip is the paper that a cashier hands over with the till.
type Slip struct {
	Institute, Address string
	Facts              []Fact
	Symbol             string
	Modes              []SlipMode
	Total              SlipMode
	Numbers            []SlipNumbers
	Cash               []Line // how what is expected comes about
	Expected, Counted  string
	Verdict            string // "Short by ₹20.00: a note was torn"
	Pieces             []Line // Title says how many, Head of what
}

// Fact is one of the facts at the top of a slip.
type Fact struct{ Name, Value string }

// SlipMode is what went through the till in one mode.
type SlipMode struct{ Mode, Tenders, Received, Back, Net string }

// SlipNumbers are the numbers that the till gave in one series.
type SlipNumbers struct{ What, Count, First, Last string }

// SlipFormats are the formats of a slip in the order in which they are offered.
func SlipFormats() []Format { return []Format{A5, Thermal} }

// slipRoll is the class of a slip on a roll, which has pages of three lengths.
func slipRoll(s Slip) string {
	lines := 24 + len(s.Facts) + len(s.Modes) + 2*len(s.Numbers) + len(s.Cash) + len(s.Pieces) + (len(s.Verdict)+len(s.Address))/36
	switch {
	case lines <= 34:
		return "roll-200"
	case lines <= 54:
		return "roll-297"
	}
	return "roll-600"
}
