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
	Cheques            []SlipCheque
	Back               []SlipBack // in none of the sums
	ChequeCount        string     // "2 cheques and 1 draft"
	ChequeSum          string
}

// SlipCheque is a cheque or draft that is handed over with the till.
type SlipCheque struct{ Name, Bank, Amount string }

// SlipBack is a receipt of the till of which something was taken back elsewhere.
type SlipBack struct{ Receipt, What, Amount string }

// Fact is one of the facts at the top of a slip.
type Fact struct{ Name, Value string }

// SlipMode is what went through the till in one mode.
type SlipMode struct{ Mode, Tenders, Received, Back, Net string }

// SlipNumbers are the numbers that the till gave in one series.
type SlipNumbers struct{ What, Count, First, Last string }

// SlipFormats are the formats of a slip in the order in which they are offered.
func SlipFormats() []Format { return []Format{A5, Thermal} }

// slipRoll is the class of a slip on a roll.
func slipRoll(s Slip) string {
	set := Thermal.Setting(false)
	lines := 22 + len(s.Facts) + len(s.Modes) + 2*len(s.Numbers) + len(s.Cash) + len(s.Pieces)
	if len(s.Cheques) > 0 {
		lines += 2 + 2*len(s.Cheques)
	}
	if len(s.Back) > 0 {
		lines += 3
	}
	length := float64(lines) * (set.Size*lineHeight + set.Air)
	for _, said := range []string{s.Verdict, s.Address, s.Institute} {
		length += 1.4 * set.Size * lineHeight * linesOf(said, set.Text/set.Size/1.4)
	}
	for _, b := range s.Back {
		length += set.Size*lineHeight*linesOf(b.What, set.Text/set.Size/1.8) + set.Size*lineHeight + set.Air
	}
	for _, f := range s.Facts {
		length += set.Size * lineHeight * linesOf(f.Value, set.Text/set.Size/2)
	}
	return rollClass(length)
}
