package store

import (
	"fmt"

	"raseed/store/fees"
)

// What holds at every moment, whatever is on its way.

// reversedOnce: a payment has at most one reversal, which cancels it; each
// knows the other by the time that the reversal is numbered.
func (r remains) reversedOnce() error {
	by := map[string]string{}
	for _, row := range r.rows {
		if row.Kind != fees.KindReversal {
			continue
		}
		if other, twice := by[row.Reverses]; twice {
			return fmt.Errorf("%s is reversed by %s and by %s", row.Reverses, other, row.ID)
		}
		by[row.Reverses] = row.ID
		if paid, there := r.byID[row.Reverses]; !there || paid.Total != -row.Total || paid.Student != row.Student {
			return fmt.Errorf("%s of %d takes back %s of %d", row.ID, row.Total, row.Reverses, paid.Total)
		}
	}
	for _, row := range r.rows {
		if row.Kind == fees.KindPayment && row.ReversedBy != by[row.ID] && !r.byID[by[row.ID]].Awaiting {
			return fmt.Errorf("%s says that %q reversed it; it was %q", row.ID, row.ReversedBy, by[row.ID])
		}
	}
	return nil
}

// counted: an account is what the student's bills and rows add up to, at every
// moment but while one of them is marked as not counted yet.
func (r remains) counted() error {
	sums, marked := map[string]fees.Account{}, map[string]bool{}
	for _, b := range r.bills {
		a := sums[b.Student]
		a.Billed, a.Bills = a.Billed+b.Net, a.Bills+1
		sums[b.Student] = a
		marked[b.Student] = marked[b.Student] || b.Uncounted
	}
	for _, row := range r.rows {
		a := sums[row.Student]
		a.Received, a.Rows = a.Received+row.Total, a.Rows+1
		sums[row.Student] = a
		marked[row.Student] = marked[row.Student] || row.Awaiting
	}
	for _, a := range r.accounts {
		want := sums[a.Student]
		want.ID, want.Institute, want.Student, want.Version = fees.Key(r.school.code(), a.Student), r.school.code(), a.Student, a.Version
		want.Balance = want.Billed - want.Received
		if a != want && !marked[a.Student] {
			return fmt.Errorf("account %s says %d of %d bills less %d of %d rows, which are %d of %d less %d of %d",
				a.ID, a.Billed, a.Bills, a.Received, a.Rows, want.Billed, want.Bills, want.Received, want.Rows)
		}
		delete(sums, a.Student)
	}
	for student, a := range sums {
		if !marked[student] {
			return fmt.Errorf("student %s has no account of %d bills and %d rows", student, a.Bills, a.Rows)
		}
	}
	return nil
}

// held: at every moment, every number but those of the counter's holders is
// attached, to one row, and a holder has its own or none.
func (r remains) held() error {
	owners := map[string]map[int64]string{}
	for _, row := range r.rows {
		id := string(row.Series) + ":" + row.Institute + ":" + row.FY
		if owners[id] == nil {
			owners[id] = map[int64]string{}
		}
		if other, twice := owners[id][row.Number]; twice && row.Number != 0 {
			return fmt.Errorf("number %d of %s is of %s and of %s", row.Number, id, other, row.ID)
		}
		owners[id][row.Number] = row.ID
	}
	for _, c := range r.counters {
		delete(owners[c.ID], 0)
		for n := int64(1); n <= c.Seq; n++ {
			owner, attached := owners[c.ID][n]
			i := n - 1 - (c.Seq - int64(len(c.Holders)))
			if i < 0 && !attached {
				return fmt.Errorf("number %d of %s is nobody's, and the counter says %d", n, c.ID, c.Seq)
			}
			if i >= 0 && attached && owner != c.Holders[i] {
				return fmt.Errorf("number %d of %s is of %s, and was given to %s", n, c.ID, owner, c.Holders[i])
			}
			delete(owners[c.ID], n)
		}
		for n, owner := range owners[c.ID] {
			return fmt.Errorf("%s has number %d of %s, and the counter says %d", owner, n, c.ID, c.Seq)
		}
	}
	return nil
}

// adjustedOnce: an adjustment moves credit and no money, and each bill and each
// reversal brought one at most. It holds at every moment.
func (r remains) adjustedOnce() error {
	by := map[string]string{}
	for _, row := range r.rows {
		if row.Kind != fees.KindAdjustment {
			continue
		}
		var sum fees.Amount
		for _, l := range row.Lines {
			sum += l.Amount
		}
		if sum != 0 || row.Total != 0 || len(row.Tenders) > 0 || len(row.Lines) < 2 {
			return fmt.Errorf("adjustment %s comes to %d, its lines %v to %d", row.ID, row.Total, row.Lines, sum)
		}
		cause := row.Student + ": " + row.Reason
		if other, twice := by[cause]; twice {
			return fmt.Errorf("%q was adjusted by %s and by %s", cause, other, row.ID)
		}
		by[cause] = row.ID
	}
	return nil
}

// revised: at every moment a bill has its whole past, is what its lines say,
// and is sealed.
func (r remains) revised() error {
	for _, b := range r.bills {
		had := len(b.Revisions)
		// Days on which a late fee grew, one after the other, keep the first alone.
		if fewer := b.IsLateFee() && had > 0 && had < int(b.Revision); int(b.Revision) != had && !fewer {
			return fmt.Errorf("bill %s has revision %d and %d of before", b.ID, b.Revision, had)
		}
		for i, old := range b.Revisions {
			grew := b.IsLateFee() && i > 0 && b.Revisions[i-1].Grew()
			if grew && old.Grew() {
				return fmt.Errorf("bill %s keeps revisions %d and %d, of days of its growth", b.ID, b.Revisions[i-1].Revision, old.Revision)
			}
			next := int64(0)
			if i > 0 {
				next = b.Revisions[i-1].Revision + 1
			}
			if old.Revision < next || old.Revision > next && !grew {
				return fmt.Errorf("bill %s has revision %d where %d was", b.ID, old.Revision, next)
			}
		}
		if sum := fees.NetOf(b.Lines); sum != b.Net || b.Cancelled != nil && sum != 0 {
			return fmt.Errorf("bill %s comes to %d, its lines to %d, cancelled: %v", b.ID, b.Net, sum, b.Cancelled != nil)
		}
		unmarked := b
		unmarked.Body, unmarked.Uncounted = "", false
		switch again, err := sealed(unmarked); {
		case err != nil:
			return err
		case b.Body != "" && b.Body != again.Body:
			return fmt.Errorf("bill %s is not as it was sealed", b.ID)
		}
	}
	return nil
}
