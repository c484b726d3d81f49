package store

import (
	"fmt"
	"slices"
	"strings"

	"raseed/store/fees"
)

// What holds of the bills when all is over.

// of are the bills of one sort.
func (r remains) of(sort func(b fees.Bill) bool) (all []fees.Bill) {
	for _, b := range r.bills {
		if sort(b) {
			all = append(all, b)
		}
	}
	return all
}

func isTerm(b fees.Bill) bool { return b.Period == simPeriod }

// billedOnce: everybody has one bill of the term, where there is an office, and
// one of the opening balance, and there is one for each charge of a reversal and
// each refund of a head; none that is of no known sort.
func (r remains) billedOnce() error {
	const term, opening, charge, refund = "term", "opening", "charge", "refund"
	want := map[string]bool{}
	amount := map[string]fees.Amount{} // where it is known
	key := func(what, of string) string { return what + " " + of }
	for _, st := range r.students {
		if r.school.office {
			want[key(term, st.AdmissionNo)] = true
		}
		if st.OpeningBalance != 0 {
			want[key(opening, st.AdmissionNo)] = true
			amount[key(opening, st.AdmissionNo)] = st.OpeningBalance
		}
	}
	for _, row := range r.rows {
		if row.Charge != 0 {
			want[key(charge, row.Reverses)] = true
			amount[key(charge, row.Reverses)] = row.Charge
		}
		if net := refundBill(row); row.Kind == fees.KindRefund && net != 0 {
			want[key(refund, row.ID)] = true
			amount[key(refund, row.ID)] = net
		}
	}
	has := map[string]bool{}
	for _, b := range r.bills {
		what := ""
		_, bounced, isBounce := strings.Cut(b.Period, "/BOUNCE/")
		_, given, isRefund := strings.Cut(b.Period, "/REFUND/")
		switch {
		case isRefund:
			what = key(refund, fees.Key(b.Institute, given))
		case isTerm(b):
			what = key(term, b.Student)
		case b.Period == fees.HeadOpening:
			what = key(opening, b.Student)
		case isBounce:
			what = key(charge, fees.Key(b.Institute, bounced))
		case b.Of == simPeriod || b.Charge != "":
			continue // see priced, lateOnce and chargedOnce
		}
		if has[what] || !want[what] {
			return fmt.Errorf("%s is the bill of %q, which is billed otherwise or never was", b.ID, what)
		}
		has[what] = true
		if net, known := amount[what]; known && b.Net != net && b.Cancelled == nil {
			return fmt.Errorf("the %s is billed as %d, and is %d", what, b.Net, net)
		}
	}
	if more := len(r.students) - r.school.students; more < 0 || more > 1 { // the list that somebody may have imported has one more
		return fmt.Errorf("there are %d students", len(r.students))
	}
	for what := range want {
		if !has[what] {
			return fmt.Errorf("the %s is not billed", what)
		}
	}
	return nil
}

// priced: after the last re-pricing, a term's bill and its differences come to
// what the plan says, unless it was cancelled. The differences are 1, 2 … n, and
// the bill says how many they are.
func (r remains) priced() error {
	for _, b := range r.of(isTerm) {
		net, n := b.Net, int64(0)
		for _, d := range r.bills {
			if d.Student == b.Student && d.Of == b.Period && !d.IsLateFee() {
				net += d.Net
				n++
			}
		}
		switch {
		case b.Cancelled != nil:
		case net != r.plan[0].Amount:
			return fmt.Errorf("bill %s and its %d differences come to %d, the plan says %d", b.ID, n, net, r.plan[0].Amount)
		case n != b.Differences && n != b.Differences-1: // marked for one that the next change of the plan made needless
			return fmt.Errorf("bill %s says that it has %d differences, and has %d", b.ID, b.Differences, n)
		}
	}
	return nil
}

// lateOnce: a bill has one late fee at most, and has it where it is still owed;
// it is a fee for whole days up to this one.
func (r remains) lateOnce() error {
	late := map[string]int{}
	for _, b := range r.of(func(b fees.Bill) bool { return b.IsLateFee() }) {
		late[b.Student]++
		gross := b.Lines[0].Gross
		// 31 March is the sixth late day; the simulated hours end in early April.
		if most := 12 * simLateDay; b.Cancelled == nil && (gross <= 0 || gross%simLateDay != 0 || gross > most || b.Net < 0 || b.Net != gross-b.Waived()) {
			return fmt.Errorf("late fee %s is %d less %d, net %d", b.ID, gross, b.Waived(), b.Net)
		}
	}
	for _, b := range r.of(isTerm) {
		if n := late[b.Student]; n > 1 || n == 0 && b.Cancelled == nil && r.credited(b.Student) < b.Net {
			return fmt.Errorf("bill %s has %d late fees", b.ID, n)
		}
	}
	return nil
}

// credited is what a student ever paid, advances and opening credit included:
// more than what can have settled a bill.
func (r remains) credited(student string) (sum fees.Amount) {
	for _, row := range r.rows {
		if row.Student == student && row.Kind == fees.KindPayment {
			sum += row.Total
		}
	}
	for _, b := range r.bills {
		if b.Student == student {
			sum -= min(b.Net, 0)
		}
	}
	return sum
}

// chargedOnce: everybody who was there has one bill of the trip, where anybody
// ever got to charge it.
func (r remains) chargedOnce() error {
	if len(r.charges) == 0 {
		return nil
	}
	if c := r.charges[0]; len(r.charges) > 1 || c.State != fees.ChargeDone {
		return fmt.Errorf("there are %d charges, the first is %s", len(r.charges), c.State)
	}
	has := map[string]int{}
	for _, b := range r.of(func(b fees.Bill) bool { return b.Charge != "" }) {
		has[b.Student]++
		if b.Net != simCharge().Amount && b.Cancelled == nil {
			return fmt.Errorf("the trip is billed to %s as %d", b.Student, b.Net)
		}
	}
	for i := range r.school.students {
		if n := has[fmt.Sprint(i+1)]; n != 1 {
			return fmt.Errorf("the trip is billed to student %d %d times", i+1, n)
		}
	}
	return nil
}

// asOrdered: a waiver of which a person was told is there, once, and so is a
// cancellation.
func (r remains) asOrdered() error {
	byID := map[string]fees.Bill{}
	times := map[string]int{}
	for _, b := range r.bills {
		byID[b.ID] = b
		for _, l := range b.Lines {
			for _, c := range l.Reasons {
				times[c.Reason]++
			}
		}
	}
	for reason, told := range r.school.waived {
		if b := byID[told.ID]; b.Cancelled == nil && (times[reason] != 1 || b.Waived() < told.Waived()) {
			return fmt.Errorf("%q is %d times in late fee %s, of which %d is waived; a person was told %d", reason, times[reason], told.ID, b.Waived(), told.Waived())
		}
	}
	for id := range r.school.voided {
		if byID[id].Cancelled == nil {
			return fmt.Errorf("bill %s was said to be cancelled, and charges %d", id, byID[id].Net)
		}
	}
	return nil
}

// addedUp: what was billed less what rows have allocated to bills less what
// they hold in advance is the balance that the account tells, and the dues
// explain it line by line.
func (r remains) addedUp() error {
	for _, a := range r.accounts {
		var billed, allocated, advance fees.Amount
		mine := slices.DeleteFunc(slices.Clone(r.bills), func(b fees.Bill) bool { return b.Student != a.Student })
		rows := slices.DeleteFunc(slices.Clone(r.rows), func(row fees.Row) bool { return row.Student != a.Student })
		for _, b := range mine {
			billed += b.Net
		}
		for _, row := range rows {
			for _, l := range row.Lines {
				if l.Head == fees.HeadAdvance {
					advance += l.Amount
				} else {
					allocated += l.Amount
				}
			}
		}
		if billed-allocated-advance != a.Balance {
			return fmt.Errorf("student %s: billed %d, allocated %d, in advance %d; the account says %d", a.Student, billed, allocated, advance, a.Balance)
		}
		d := fees.DuesOf(mine, rows)
		// Of two processes one may have given back what the other took away.
		raced := d.Advance < 0 && slices.ContainsFunc(rows, func(r fees.Row) bool { return r.Kind == fees.KindRefund })
		if raced && d.Balance == a.Balance {
			continue
		}
		if d.Due != max(a.Balance, 0) || d.Advance != max(-a.Balance, 0) {
			return fmt.Errorf("student %s owes %d and is shown %d in lines and %d in advance", a.Student, a.Balance, d.Due, d.Advance)
		}
	}
	return nil
}
