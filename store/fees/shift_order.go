package fees

const (
	maxTillText  = 200 // characters of a note or a reason
	maxPieces    = 40  // kinds of notes and coins
	maxOfOne     = 1_000_000
	minReason    = 3
	damagedTill  = "This form is damaged: open the till's page again and begin from there"
	unknownPiece = "There is no such note or coin here"
)

// ShiftOrder opens a till.
type ShiftOrder struct {
	ID    string // a ULID minted when the form was rendered
	Float Amount
	By    Actor
}

// Check says what is wrong with the order: Invalid, with Fields shift and float.
func (o *ShiftOrder) Check() *Error {
	p := make(problems)
	if !ValidID(o.ID) {
		p.add("shift", damagedTill)
	}
	if o.Float < 0 || o.Float > MaxAmount {
		p.add("float", "The float cannot be negative or so large")
	}
	return p.err("The till was not opened")
}

// DropOrder takes cash out of a till, to the safe.
type DropOrder struct {
	ID     string // a ULID minted when the form was rendered
	Shift  string // Shift.ID after the institute
	Amount Amount
	Note   string
	By     Actor
}

// Check brings o's note into its normal form and says what is wrong with the
// order: Invalid, with Fields drop_id, amount and note.
func (o *DropOrder) Check() *Error {
	p := make(problems)
	if !ValidID(o.ID) {
		p.add("drop_id", damagedTill)
	}
	checkCharge(p, "amount", o.Amount)
	o.Note = checkTillText(p, "note", o.Note)
	return p.err("Nothing was taken to the safe")
}

// CloseOrder closes a till with what was counted in it.
type CloseOrder struct {
	Shift  string    // Shift.ID after the institute
	Pieces []Counted // Piece and Count of each; Value follows from the currency
	Other  Amount    // what else was counted
	Note   string    // why it is short or in excess
	Reason string    // why somebody else closes it, "" for one's own
	By     Actor
}

// Check brings o into its normal form, with the pieces in the order of the
// currency and those of which there are none left out, and says what is wrong
// with it: Invalid, with Fields count.PIECE, other, note and reason. It knows
// neither the till nor what is expected in it.
func (o *CloseOrder) Check(money Currency) *Error {
	p := make(problems)
	o.checkPieces(money, p)
	if o.Other < 0 || o.Other > MaxAmount {
		p.add("other", "The amount cannot be negative or so large")
	}
	o.Note = checkTillText(p, "note", o.Note)
	o.Reason = checkTillText(p, "reason", o.Reason)
	return p.err("The till was not closed")
}

func (o *CloseOrder) checkPieces(money Currency, p problems) {
	if len(o.Pieces) > maxPieces {
		p.add("other", "There are more kinds of notes and coins than the currency has")
		return
	}
	counts := make(map[string]int64, len(o.Pieces))
	for _, c := range o.Pieces {
		if _, twice := counts[c.Piece]; twice {
			p.add(CountField(c.Piece), "This was counted twice")
		}
		if c.Count < 0 || c.Count > maxOfOne {
			p.add(CountField(c.Piece), "Count from 0 to 1000000")
		}
		counts[c.Piece] = c.Count
	}
	var pieces []Counted
	for _, piece := range money.Pieces() {
		if n := counts[piece.ID]; n > 0 {
			pieces = append(pieces, Counted{Piece: piece.ID, Value: piece.Value, Count: n})
		}
		delete(counts, piece.ID)
	}
	for id := range counts {
		p.add(CountField(id), unknownPiece)
	}
	o.Pieces = pieces
}

// Counted is all that was counted.
func (o *CloseOrder) Counted() Amount {
	sum := o.Other
	for _, c := range o.Pieces {
		sum += c.Value * Amount(c.Count)
	}
	return sum
}

// CountField is the form's field for the count of a note or coin.
func CountField(piece string) string { return "count." + piece }

// checkTillText is a note in its normal form.
func checkTillText(p problems, field, text string) string {
	clean, bad := CleanText(text, maxTillText)
	switch {
	case bad != nil:
		p.add(field, bad.Message)
	case holdsCardNumber(clean):
		p.add(field, noCardNumbers)
	}
	return clean
}
