package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// confirmTries bounds how often a student whose account moves on is looked at.
const confirmTries = 20

// person is a student's books, read so that they belong together.
type person struct {
	id       string
	billed   []fees.Bill
	rows     []auditedRow
	account  fees.Account
	counted  bool // there is an account
	unsound  bool // which was found unsound already
	underWay bool // a row or bill is not counted yet

	uncounted int64        // bills that are not
	there     fees.Account // how many bills and rows, those too that cannot be read, as was found when they were walked
}

// confirmPerson reads all of one student's books and says what is wrong with
// them. They belong together when the account had the same version before and
// after, and no bill was added: whoever writes a row or bill recounts after it,
// and until then the row awaits its number or the bill is marked. A student who
// never keeps still is reported as busy.
func (a *auditor) confirmPerson(ctx context.Context, student string) error {
	for range confirmTries {
		p, err := a.readAgain(ctx, student)
		if err != nil {
			return err
		}
		after, err := a.readAgain(ctx, student)
		if err != nil {
			return err
		}
		if p.account.Version == after.account.Version && p.there == after.there {
			return a.judge(ctx, student, p)
		}
	}
	a.totals.Busy = append(a.totals.Busy, student)
	return nil
}

// readAgain reads the account, then the bills, then the rows.
func (a *auditor) readAgain(ctx context.Context, student string) (person, error) {
	p := person{id: fees.Key(a.inst.Code, student)}
	var raw bson.Raw
	err := a.s.DB.FindOne(ctx, accounts, bson.D{{Key: "_id", Value: p.id}}, docdb.Find{}, &raw)
	switch why := ""; {
	case err == nil:
		p.counted = true
		p.account, why = a.readAccount(raw)
		p.unsound = why != ""
	case !errors.Is(err, docdb.ErrNotFound):
		return p, err
	}
	for raw, err := range a.s.DB.Find(ctx, bills, bson.D{under(fees.Key(a.inst.Code, student, ""))}, docdb.Find{Sort: []docdb.Key{{Path: "_id"}}}) {
		if err != nil {
			return p, err
		}
		p.there.Bills++
		var b fees.Bill
		if bson.Unmarshal(raw, &b) != nil {
			continue
		}
		p.billed = append(p.billed, b)
		if b.Uncounted {
			p.uncounted++
			p.underWay = true
		}
	}
	for raw, err := range a.s.DB.Find(ctx, payments,
		bson.D{{Key: "institute", Value: a.inst.Code}, {Key: "student", Value: student}},
		docdb.Find{Sort: []docdb.Key{{Path: "institute"}, {Path: "student"}, {Path: "_id"}}}) {
		if err != nil {
			return p, err
		}
		p.there.Rows++
		var r auditedRow
		if bson.Unmarshal(raw, &r) != nil {
			continue
		}
		p.rows, p.underWay = append(p.rows, r), p.underWay || r.Awaiting
	}
	return p, nil
}

// judge says what is wrong with a student's books.
func (a *auditor) judge(ctx context.Context, student string, p person) error {
	for i := range p.rows {
		r := &p.rows[i]
		for _, l := range r.Lines {
			owing := r.Kind == fees.KindRefund && r.Awaiting // its bill comes before its number
			if l.Head != fees.HeadAdvance && !owing && !billed(p.billed, l.Bill, l.Head) {
				a.find("bill", r.ID, "%s settles %s of %s, which was never billed", r.name(), l.HeadName, l.Title)
			}
		}
		if of, ok := fees.AdvanceOf(r.ID); ok && r.Kind == fees.KindAdjustment && !p.has(of) {
			a.find("link", r.ID, "%s was brought by %s, which is not there", r.name(), of)
		}
		if r.Charge != 0 && !r.Awaiting && !billed(p.billed, bouncePeriod(r.FY, fees.After(r.Reverses)), fees.HeadBounce) {
			a.find("bill", r.ID, "%s charges %s, which was never billed", r.name(), a.money(r.Charge))
		}
	}
	a.judgeAccount(student, p)
	_, err := a.s.Student(ctx, a.inst.Code, student)
	if fees.CodeOf(err) == fees.NotFound {
		account := "no account"
		if p.counted {
			account = "an account"
		}
		a.find("orphan", p.id, "student %s is not there, and has %s, %s and %s", student, several(len(p.billed), "bill"), several(len(p.rows), "ledger row"), account)
		return nil
	}
	return err
}

// has says whether there is a bill or a reversal of the student with this id.
func (p *person) has(id string) bool {
	return slices.ContainsFunc(p.billed, func(b fees.Bill) bool { return b.ID == id }) ||
		slices.ContainsFunc(p.rows, func(r auditedRow) bool { return r.ID == id && r.Kind == fees.KindReversal })
}

func (a *auditor) judgeAccount(student string, p person) {
	var sums fees.Account
	for _, b := range p.billed {
		sums.Billed += b.Net
		sums.Bills++
	}
	for _, r := range p.rows {
		sums.Received += r.Total
		sums.Rows++
	}
	sums.Balance = sums.Billed - sums.Received
	a.totals.Uncounted += p.uncounted
	switch {
	case p.unsound, p.counted && sameSums(p.account, sums), !p.counted && p.there == fees.Account{}:
	case p.underWay:
		a.totals.Waiting++
	case p.account.Bills > p.there.Bills || p.account.Rows > p.there.Rows:
		a.totals.Differ++
		a.find("missing", p.id, "the account of %s counts more than there is: it says %s, what is there says %s", student, a.saying(p.account), a.saying(sums))
	case p.there.Bills > sums.Bills || p.there.Rows > sums.Rows: // of how much nobody knows
		a.totals.Differ++
	case !p.counted:
		a.totals.Differ++
		a.find("account", p.id, "%s has no account; bills and rows say %s", student, a.saying(sums))
	default:
		a.totals.Differ++
		a.find("account", p.id, "the account of %s says %s; bills and rows say %s", student, a.saying(p.account), a.saying(sums))
	}
}

// saying is an account in words.
func (a *auditor) saying(s fees.Account) string {
	return fmt.Sprintf("%s of %s, %s of %s, balance %s",
		several(s.Bills, "bill"), a.money(s.Billed), several(s.Rows, "row"), a.money(s.Received), a.money(s.Balance))
}

// billed says whether a head was billed for a period.
func billed(all []fees.Bill, period, head string) bool {
	return slices.ContainsFunc(all, func(b fees.Bill) bool {
		return b.Period == period && slices.ContainsFunc(b.Lines, func(l fees.BillLine) bool { return l.Head == head })
	})
}
