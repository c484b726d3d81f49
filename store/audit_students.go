package store

import (
	"context"
	"maps"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/fees"
)

// books are what was met of one student.
type books struct {
	sums    fees.Account // of bills and rows
	charges []charge
	opened  bool // there is a bill of the opening balance,
	opening fees.Amount
	there   bool // there is a student
	counted bool // there is an account
	suspect bool // to be looked at again
}

func (a *auditor) booksOf(student string) *books {
	t := a.people[student]
	if t == nil {
		t = &books{}
		a.people[student] = t
	}
	return t
}

// count adds a row to what its student received, and suspects the student of a
// row that settles what was not met among the bills.
func (a *auditor) count(row *auditedRow) {
	t := a.booksOf(row.Student)
	t.sums.Received += row.Total
	t.sums.Rows++
	a.countTill(row)
	for i := range row.Lines {
		if l := &row.Lines[i]; l.Head != fees.HeadAdvance && !slices.Contains(t.charges, charge{a.code(l.Bill), a.code(l.Head)}) {
			t.suspect = true
		}
	}
	if row.Kind == fees.KindAdjustment && !a.causeMet(row, t) {
		t.suspect = true
	}
	if row.Kind == fees.KindRefund {
		a.noteRefund(row)
	}
	if row.Charge != 0 {
		id := row.ID
		if c, ok := a.links.charges[id]; ok && c.net == row.Charge {
			delete(a.links.charges, id)
		} else {
			t.suspect = true
		}
	}
}

// causeMet says whether the bill that brought an adjustment was met. Those that
// a reversal brought, of which there are few, are looked at again.
func (a *auditor) causeMet(row *auditedRow, t *books) bool {
	of, _ := fees.AdvanceOf(row.ID)
	period, ofStudent := strings.CutPrefix(of, fees.Key(a.inst.Code, row.Student, ""))
	return ofStudent && slices.ContainsFunc(t.charges, func(c charge) bool { return c.period == a.code(period) })
}

// walkAccounts compares the accounts with what was met. Where they differ the
// student is looked at again: a live server counts on meanwhile.
func (a *auditor) walkAccounts(ctx context.Context) error {
	for raw, err := range a.s.pagesByKey(ctx, accounts, fees.Key(a.inst.Code, "")) {
		if err != nil {
			return err
		}
		a.totals.Accounts++
		account, why := a.readAccount(raw)
		t := a.booksOf(fees.After(textOf(raw, "_id")))
		t.counted = true
		if why != "" {
			a.find("account", textOf(raw, "_id"), "%s", why)
			a.totals.Differ++
			continue
		}
		t.suspect = t.suspect || !sameSums(account, t.sums)
	}
	for _, t := range a.people {
		if !t.counted && t.sums.Bills+t.sums.Rows > 0 {
			t.suspect = true
		}
	}
	return nil
}

// readAccount reads an account, and says why it is none that a recount writes.
func (a *auditor) readAccount(raw bson.Raw) (account fees.Account, why string) {
	switch err := bson.Unmarshal(raw, &account); {
	case err != nil:
		return account, "the account cannot be read: " + err.Error()
	case account.Institute != a.inst.Code || account.ID != fees.Key(a.inst.Code, account.Student):
		return account, "the account's key and what it says differ"
	case account.Version < 1:
		return account, "the account has no version"
	}
	return account, ""
}

// sameSums says whether an account is the sum s.
func sameSums(account, s fees.Account) bool {
	return account.Billed == s.Billed && account.Received == s.Received && account.Balance == s.Billed-s.Received &&
		account.Bills == s.Bills && account.Rows == s.Rows
}

// walkStudents notes who is there, and compares what their books were opened
// with. A student is written before the bill of the opening balance, with a mark
// that is taken off after it.
func (a *auditor) walkStudents(ctx context.Context) error {
	for raw, err := range a.s.pagesByKey(ctx, students, fees.Key(a.inst.Code, ""), "institute", "admissionNo", "openingBalance", "opening") {
		if err != nil {
			return err
		}
		var st fees.Student
		if err := bson.Unmarshal(raw, &st); err != nil {
			a.find("orphan", textOf(raw, "_id"), "the student cannot be read: %v", err)
			continue
		}
		if st.Institute != a.inst.Code || st.ID != fees.Key(a.inst.Code, st.AdmissionNo) {
			a.find("orphan", st.ID, "the student's key and what it says differ")
		}
		t := a.booksOf(fees.After(st.ID))
		t.there = true
		switch {
		case t.opened && t.opening != st.OpeningBalance:
			a.find("opening", st.ID, "the opening balance of %s is %s and was billed as %s", st.AdmissionNo, a.money(st.OpeningBalance), a.money(t.opening))
		case !t.opened && st.OpeningBalance != 0 && !st.Opening:
			// The bill may have come after the bills were read.
			n, err := a.s.DB.Count(ctx, bills, one(a.inst.Code, fees.Key(a.inst.Code, st.AdmissionNo, fees.HeadOpening)), 1)
			if err != nil {
				return err
			}
			if n == 0 {
				a.find("opening", st.ID, "the opening balance of %s is %s and was never billed", st.AdmissionNo, a.money(st.OpeningBalance))
			}
		}
	}
	return nil
}

// confirmPeople looks again at everybody who is suspected or not there.
func (a *auditor) confirmPeople(ctx context.Context) error {
	for _, student := range slices.Sorted(maps.Keys(a.people)) {
		if t := a.people[student]; t.suspect || !t.there {
			if err := a.confirmPerson(ctx, student); err != nil {
				return err
			}
		}
	}
	return nil
}
