package fees

// Allocate says what a payment of total is for: first what the cashier chose,
// then the lines oldest first, and what is more than all of them is an
// advance. The lines sum to total, none is zero, and there is one per head and
// bill, in the order of d with the advance last.
//
// It is Invalid when total is not above zero, or a choice is for a line that
// is not owed (Fields line_bill.N), is not above zero, is more than is open, or
// the choices come to more than total (line_amount.N).
func (d Dues) Allocate(total Amount, choices []Choice) ([]Line, *Error) {
	if total <= 0 {
		return nil, Errorf(Invalid, "Enter an amount above zero")
	}
	given := make([]Amount, len(d.Lines))
	left, err := d.choose(given, total, choices)
	if err != nil {
		return nil, err
	}
	return d.settle(given, left), nil
}

// Settle is Allocate for money that cannot be sent back: of what was chosen it
// takes as much as is still open and as total has, and the rest goes to the lines
// oldest first. total is above zero.
func (d Dues) Settle(total Amount, choices []Choice) []Line {
	given := make([]Amount, len(d.Lines))
	left := total
	for _, c := range choices {
		if i := d.find(c); i >= 0 {
			part := min(c.Amount, d.Lines[i].Open-given[i], left)
			given[i] += part
			left -= part
		}
	}
	return d.settle(given, left)
}

// settle is the lines of a payment of which given, beside d's lines, is decided,
// and left goes to them oldest first.
func (d Dues) settle(given []Amount, left Amount) []Line {
	lines := make([]Line, 0, len(d.Lines)+1)
	for i, due := range d.Lines {
		more := min(left, due.Open-given[i])
		left -= more
		if given[i]+more > 0 {
			lines = append(lines, Line{
				Bill: due.Bill, Title: due.Title, Head: due.Head, HeadName: due.HeadName, Amount: given[i] + more,
			})
		}
	}
	if left > 0 {
		lines = append(lines, Line{Head: HeadAdvance, HeadName: "Advance", Amount: left})
	}
	return lines
}

// choose puts the choices into given, beside the lines they are for, and
// returns what of total is left.
func (d Dues) choose(given []Amount, total Amount, choices []Choice) (left Amount, err *Error) {
	p := make(problems)
	left = total
	for n, c := range choices {
		i := d.find(c)
		switch {
		case i < 0:
			p.add(field("line_bill", n), "This is not owed, or no longer: look at the dues again")
		case c.Amount <= 0:
			p.add(field("line_amount", n), "Enter an amount above zero")
		case c.Amount > d.Lines[i].Open-given[i]:
			p.add(field("line_amount", n), "This is more than is owed here")
		case c.Amount > left:
			p.add(field("line_amount", n), "The amounts chosen come to more than what was paid")
		default:
			given[i] += c.Amount
			left -= c.Amount
		}
	}
	return left, p.err("Nothing was recorded")
}

// find is the index of the line that c is for, or -1.
func (d Dues) find(c Choice) int {
	for i := range d.Lines {
		if d.Lines[i].Bill == c.Bill && d.Lines[i].Head == c.Head {
			return i
		}
	}
	return -1
}
