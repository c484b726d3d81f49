package store

import (
	"fmt"
	"slices"
	"time"

	"raseed/store/fees"
)

// simFamily is whose children the first students of a school are.
const simFamily = "F1"

// collectForFamily takes one payment for several children: it retries what was
// not confirmed, and now and then posts a form that was posted before, or that
// with something else in it.
func (a *actor) collectForFamily() {
	for range 1 + a.rng.IntN(2) {
		if !a.think() {
			return
		}
		o, there := a.school.someFamilyForm(a.rng)
		switch {
		case !there || a.rng.IntN(3) > 0:
			o = a.newFamilyForm()
		case a.rng.IntN(4) == 0:
			o.Payment.Tenders = []fees.Tender{{Mode: fees.ModeCash, Amount: o.Payment.Tenders[0].Amount + 1}}
		}
		a.payFamily(o)
	}
}

func (a *actor) newFamilyForm() fees.FamilyOrder {
	pay := a.newForm()
	pay.Student = ""
	o := fees.FamilyOrder{Payment: pay}
	for _, n := range a.rng.Perm(a.school.students)[:2+a.rng.IntN(a.school.students-1)] {
		o.Children = append(o.Children, fees.FamilyChild{Student: fmt.Sprint(n + 1)})
	}
	if a.rng.IntN(3) == 0 {
		o.Children[0].Chosen, o.Children[0].Amount = true, fees.Amount(a.rng.IntN(int(pay.Tenders[0].Amount)))
	}
	return o
}

// payFamily posts the form until it is answered, a few times.
func (a *actor) payFamily(o fees.FamilyOrder) {
	s := a.school
	s.note(func() {
		s.families, s.familyPosted[o.Payment.ID] = append(s.families, o), append(s.familyPosted[o.Payment.ID], o)
	})
	for range 4 {
		p, err := a.p.s.RecordFamily(a.ctx, s.code(), o)
		if a.p.dead {
			s.doubt(o.Payment.ID)
			return
		}
		s.hearsFamily(o.Payment.ID, p, err)
		if err == nil || !a.another(&o.Payment, err) {
			return
		}
		time.Sleep(time.Duration(a.rng.IntN(3000)) * time.Millisecond) // and presses again
		a.think()
	}
}

// familyPaid: every family payment is one that was posted and has become the
// rows that it says, which come to it tender by tender, unless it still says that
// it is open; and every row of one is such a row.
func (r remains) familyPaid() error {
	listed := map[string]bool{}
	for _, p := range r.families {
		var parts, tenders fees.Amount
		for _, t := range p.Tenders {
			tenders += t.Amount
		}
		dealt := map[string]fees.Amount{} // by tender
		for _, c := range p.Children {
			parts += c.Amount
			id := fees.Key(p.Institute, c.Row)
			listed[id] = true
			row, there := r.byID[id]
			if !there && p.Open {
				continue
			}
			if !there || row.Student != c.Student || row.Family != fees.After(p.ID) || row.Total != c.Amount || !slices.Equal(row.Tenders, c.Tenders) {
				return fmt.Errorf("the family payment %s has %d for %s, and the row %s is of %d for %s", p.ID, c.Amount, c.Student, id, row.Total, row.Student)
			}
			for _, t := range row.Tenders {
				dealt[string(t.Mode)+t.Ref] += t.Amount
			}
		}
		for _, t := range p.Tenders {
			if got := dealt[string(t.Mode)+t.Ref]; got != t.Amount && !p.Open {
				return fmt.Errorf("the family payment %s has %d by %s, and its rows %d", p.ID, t.Amount, t.Mode, got)
			}
		}
		if parts != p.Total || tenders != p.Total || !slices.ContainsFunc(r.school.familyPosted[fees.After(p.ID)], func(o fees.FamilyOrder) bool { return totalOf(o.Payment) == p.Total }) {
			return fmt.Errorf("the family payment %s of %d has %d for its children and tenders of %d", p.ID, p.Total, parts, tenders)
		}
	}
	for _, row := range r.rows {
		if row.Kind == fees.KindPayment && row.Family != "" && !listed[row.ID] {
			return fmt.Errorf("%s is of the family payment %s, which does not know it", row.ID, row.Family)
		}
	}
	return nil
}

// familiesAsTold: none is left open, and what was told is there.
func (r remains) familiesAsTold() error {
	there := map[string]fees.FamilyPayment{}
	for _, p := range r.families {
		there[fees.After(p.ID)] = p
		if p.Open {
			return fmt.Errorf("the family payment %s is still open", p.ID)
		}
	}
	for id, told := range r.school.familyTold {
		if p := there[id]; p.Total != told.Total || p.Digest != told.Digest {
			return fmt.Errorf("the family payment %s was told to be of %d, and is of %d", id, told.Total, p.Total)
		}
	}
	for id := range r.school.denied {
		if p, written := there[id]; written && !r.school.doubts[id] {
			return fmt.Errorf("nobody was told but that nothing was written, and the family payment %s is there", p.ID)
		}
	}
	return nil
}
