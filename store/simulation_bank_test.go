package store

import (
	"fmt"
	"strings"

	"raseed/store/fees"
)

// someCheque is a cheque that the actor sees.
func (a *actor) someCheque() (fees.Cheque, bool) {
	all, err := a.p.s.StudentCheques(a.ctx, a.school.code(), a.school.someStudent(a.rng))
	if err != nil || len(all) == 0 {
		return fees.Cheque{}, false
	}
	return all[a.rng.IntN(len(all))], true
}

// bank takes cheques to the bank, where some clear and some bounce; each is
// entered more than once.
func (a *actor) bank() {
	for range 3 {
		if !a.think() {
			return
		}
		c, there := a.someCheque()
		if !there {
			continue
		}
		slip := a.p.s.NewID()
		for range 2 {
			_, _ = a.p.s.DepositCheques(a.ctx, a.school.code(), fees.DepositOrder{ID: slip, Cheques: []string{c.ShortID()}, Account: "SBI", By: accountant})
			a.think()
		}
		clears := a.rng.IntN(3) == 0
		for range 2 {
			if clears {
				_, _ = a.p.s.ClearCheques(a.ctx, a.school.code(), fees.ClearOrder{Cheques: []string{c.ShortID()}, By: accountant})
			} else {
				o := fees.BounceOrder{Cheque: c.ShortID(), Reason: "no funds", Charge: fees.Amount(100 * a.rng.IntN(2)), By: accountant}
				_, _ = a.p.s.BounceCheque(a.ctx, a.school.code(), o)
			}
			a.think()
		}
	}
}

// refund gives advances back, each asked for and approved more than once.
func (a *actor) refund() {
	for range 3 {
		if !a.think() {
			return
		}
		offer, err := a.p.s.RefundOffer(a.ctx, a.school.code(), a.school.someStudent(a.rng), "")
		if err != nil || len(offer.Lines) == 0 {
			continue
		}
		o := fees.RefundOrder{
			ID: a.p.s.NewID(), Student: offer.Student.AdmissionNo, Mode: fees.ModeCash, Reason: "left", By: asker,
			Parts: []fees.RefundPart{{Head: fees.HeadAdvance, Amount: 1 + fees.Amount(a.rng.IntN(int(offer.Lines[0].Amount)))}},
		}
		for range 2 {
			_, _ = a.p.s.AskRefund(a.ctx, a.school.code(), o)
			a.think()
			_, _ = a.p.s.DecideRefund(a.ctx, a.school.code(), fees.RefundDecision{ID: o.ID, Approve: true, By: accountant})
			a.think()
		}
	}
}

// banked: nothing of a cheque or a refund is left half done, each stands as its
// rows say, and what was entered again was entered once.
func (r remains) banked() error {
	again := map[string]string{}
	for _, row := range r.rows {
		if row.Kind == fees.KindPayment && strings.HasPrefix(row.Remark, reentered) {
			if other, twice := again[row.Remark]; twice {
				return fmt.Errorf("%q twice: %s and %s", row.Remark, other, row.ID)
			}
			again[row.Remark] = row.ID
		}
	}
	cheques := map[string]bool{}
	for _, c := range r.cheques {
		cheques[c.ID] = true
		paid, there := r.byID[c.Row]
		gone := c.State == fees.ChequeBounced || c.State == fees.ChequeWithdrawn
		switch {
		case c.Bouncing:
			return fmt.Errorf("cheque %s is still bouncing", c.ID)
		case !there || gone != (paid.ReversedBy != ""):
			return fmt.Errorf("cheque %s is %s, and its payment was reversed by %q", c.ID, c.State, paid.ReversedBy)
		case c.State == fees.ChequeBounced && (c.Bounce.Reentry != "") != (len(paid.Tenders) > 1):
			return fmt.Errorf("cheque %s bounced, of %d tenders", c.ID, len(paid.Tenders))
		case c.State == fees.ChequeBounced && c.Bounce.Reentry != "" && r.byID[fees.Key(c.Institute, c.Bounce.Reentry)].Total != paid.Total-c.Amount:
			return fmt.Errorf("cheque %s bounced, and %s is not the rest", c.ID, c.Bounce.Reentry)
		}
	}
	for _, row := range r.rows {
		for n, t := range row.Tenders {
			if row.Kind == fees.KindPayment && t.IsCheque() && !cheques[fees.ChequeID(row.ID, n)] {
				return fmt.Errorf("tender %d of %s is no cheque", n, row.NumberText)
			}
		}
	}
	for _, f := range r.refunds {
		row, there := r.byID[fees.RefundRowID(f.ID)]
		if f.Active || there != (f.State == fees.RefundPaid) || there && row.Total != -f.Amount {
			return fmt.Errorf("refund %s is %s, active %v, and its row is of %d", f.ID, f.State, f.Active, row.Total)
		}
	}
	return nil
}

const reentered = "Entered again from "
