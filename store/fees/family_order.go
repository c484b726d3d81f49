package fees

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// FamilyOrder is one payment for several children as a counter submits it.
type FamilyOrder struct {
	Payment  PaymentOrder // what was handed over; Student and Choices are not used
	Children []FamilyChild
}

// FamilyChild is a child that a payment is for.
type FamilyChild struct {
	Student string // admission number
	Chosen  bool   // the cashier has said how much is for this child
	Amount  Amount // if so; 0 for nothing, while the others owe something
}

// Check brings o into its normal form and says everything that is wrong with it
// at once: Invalid, with the Fields of PaymentOrder.Check and, from 0, child.N
// and child_amount.N. It knows the institute's calendar, not its students.
func (o *FamilyOrder) Check(inst Institute, today Date) *Error {
	p := make(problems)
	payment := o.Payment
	payment.Student, payment.Choices = "0", nil
	var asked []string
	if wrong := payment.Check(inst, today); wrong != nil {
		maps.Copy(p, wrong.Fields)
		asked = wrong.Asked
	}
	payment.Student = ""
	o.Payment = payment
	o.Children = slices.Clone(o.Children)
	switch n := len(o.Children); {
	case n == 0:
		p.add(field("child", 0), "Open the family again: this form names no child")
	case n > MaxFamily:
		p.add(field("child", MaxFamily), fmt.Sprintf("At most %d children can be paid for at once", MaxFamily))
		return p.err("Nothing was recorded")
	}
	left, _ := TotalOf(o.Payment.Tenders)
	for n := range o.Children {
		c := &o.Children[n]
		student, err := NormalAdmissionNo(c.Student)
		switch {
		case err != nil:
			p.add(field("child", n), err.Message)
		case slices.ContainsFunc(o.Children[:n], func(b FamilyChild) bool { return b.Student == student }):
			p.add(field("child", n), student+" is listed twice")
		}
		c.Student = student
		if !c.Chosen {
			c.Amount = 0
			continue
		}
		switch {
		case c.Amount < 0:
			p.add(field("child_amount", n), "Enter an amount, 0 for nothing, or leave it empty")
		case c.Amount > left:
			p.add(field("child_amount", n), "The amounts of the children come to more than what was paid")
		default:
			left -= c.Amount
		}
	}
	bad := p.err("Nothing was recorded")
	if bad != nil {
		bad.Asked = asked
	}
	return bad
}

// Allocate says how much of total is for each child: first what was chosen for
// it; then the rest settles what those owe for whom nothing was chosen, oldest due
// first over all of them (by due date, then admission number), and after that,
// in the same order, what the others still owe. Only what is more than all dues is
// an advance, the first child's. dues are the children's, in the order of
// o.Children; the parts sum to total.
func (o *FamilyOrder) Allocate(total Amount, dues []Dues) []Amount {
	parts := make([]Amount, len(o.Children))
	left := total
	type owed struct {
		child, turn int // 1 for those whose amount was chosen
		DueLine
	}
	var lines []owed
	for n, c := range o.Children {
		parts[n] = c.Amount
		left -= c.Amount
		turn := 0
		if c.Chosen {
			turn = 1
		}
		settled := c.Amount
		for _, l := range dues[n].Lines {
			part := min(settled, l.Open)
			settled -= part
			if l.Open -= part; l.Open > 0 {
				lines = append(lines, owed{n, turn, l})
			}
		}
	}
	slices.SortStableFunc(lines, func(a, b owed) int {
		return cmp.Or(
			cmp.Compare(a.turn, b.turn), cmp.Compare(a.DueDate, b.DueDate),
			compareNatural(o.Children[a.child].Student, o.Children[b.child].Student),
		)
	})
	for _, l := range lines {
		part := min(left, l.Open)
		parts[l.child] += part
		left -= part
	}
	parts[0] += left
	return parts
}

// SplitTenders deals tenders out, in order, over parts that come to the same:
// the n-th list comes to the n-th part, and the parts of a tender, which say
// which one they are of, to the tender.
func SplitTenders(tenders []Tender, parts []Amount) [][]Tender {
	dealt := make([][]Tender, len(parts))
	t, left := -1, Amount(0)
	for n, part := range parts {
		for part > 0 {
			if left == 0 {
				t++
				left = tenders[t].Amount
			}
			piece := tenders[t]
			piece.Of = int64(t + 1)
			piece.Amount = min(part, left)
			dealt[n] = append(dealt[n], piece)
			part -= piece.Amount
			left -= piece.Amount
		}
	}
	return dealt
}
