package store

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/oklog/ulid/v2"

	"raseed/store/fees"
)

// rows makes the ledger's rows, in order of time.
func (g *ledgerGenerator) rows() {
	for n := 0; n < g.size.Rows && g.failed == nil && g.ctx.Err() == nil; n++ {
		at := g.begin.Add(time.Duration(n*g.days/g.size.Rows)*24*time.Hour + time.Duration(n%30_000)*time.Second).UTC()
		p := &g.people[n*7919%g.size.Students]
		paid := g.payment(p, n, at)
		if n%64 != 63 || n+1 == g.size.Rows {
			g.addRow(p, paid)
			g.addCheques(paid, nil)
			continue
		}
		n++
		reversal := g.reversal(p, n, paid, at)
		paid.ReversedBy = reversal.ID
		g.addRow(p, paid)
		g.addRow(p, reversal)
		g.addCheques(paid, &reversal)
	}
	for _, coll := range []string{payments, bills, cheques} {
		g.flush(coll)
	}
}

func (g *ledgerGenerator) payment(p *generatedStudent, n int, at time.Time) fees.Row {
	st := p.student
	row := fees.Row{
		ID: fees.Key(g.inst.Code, g.id(at)), Institute: g.inst.Code, Kind: fees.KindPayment, Series: fees.SeriesReceipt,
		Date: fees.DateOf(at, g.zone), RecordedAt: at,
		Student: st.AdmissionNo, StudentName: st.Name, Class: st.Class, Section: st.Section, Guardian: st.Guardian,
		Currency: g.inst.Currency, Format: g.inst.Formats.Receipt,
		Cashier: fmt.Sprintf("cashier%d", n%5), CashierName: fmt.Sprintf("Cashier No %d", n%5), From: "10.0.0.7",
		InstituteName: g.inst.Name, InstituteAddress: g.inst.Address,
	}
	row.FY = g.inst.FY(row.Date)
	if p.quarters < 4*g.size.BillsEach {
		_, period := g.period(p.quarters / 4)
		for _, h := range generatedHeads() {
			row.Lines = append(row.Lines, fees.Line{Bill: period, Title: period, Head: h.Head, HeadName: h.HeadName, Amount: h.Amount})
			row.Total += h.Amount
		}
		p.quarters++
	} else {
		row.Lines, row.Total = []fees.Line{{Head: fees.HeadAdvance, HeadName: "Advance", Amount: 50_000}}, 50_000
	}
	row.Tenders = generatedTenders(n, row.Total, row.Date)
	row.Refs = fees.RefKeys(row.Tenders)
	row.Digest = digestOf(fees.PaymentOrder{Student: row.Student, Tenders: row.Tenders})
	return row
}

// generatedTenders are those of the n-th row: each mode in turn, some in two
// parts.
func generatedTenders(n int, total fees.Amount, date fees.Date) []fees.Tender {
	modes := [...]fees.Mode{fees.ModeCash, fees.ModeUPI, fees.ModeCash, fees.ModeCard, fees.ModeCheque, fees.ModeTransfer, fees.ModeDraft}
	tender := fees.Tender{Mode: modes[n/3%len(modes)], Amount: total}
	if n%64 == 63 && n/64%4 == 3 {
		tender.Mode = fees.ModeCheque // the one that bounces
	}
	switch tender.Mode {
	case fees.ModeCash:
	case fees.ModeCheque, fees.ModeDraft:
		tender.Ref, tender.Bank, tender.Date = fmt.Sprintf("%06d", n%1_000_000), "State Bank of India", date
	default:
		tender.Ref = fmt.Sprintf("%012d", n)
	}
	if n%16 != 5 {
		return []fees.Tender{tender}
	}
	tender.Amount = total / 2
	return []fees.Tender{{Mode: fees.ModeCash, Amount: total - tender.Amount}, tender}
}

func (g *ledgerGenerator) reversal(p *generatedStudent, n int, paid fees.Row, at time.Time) fees.Row {
	if paid.Lines[0].Head != fees.HeadAdvance {
		p.quarters-- // is owed again
	}
	row := paid
	row.ID, row.Refs = fees.ReversalID(paid.ID), nil
	row.Kind, row.Series, row.Format = fees.KindReversal, fees.SeriesReversal, g.inst.Formats.Reversal
	row.Lines = append([]fees.Line(nil), paid.Lines...)
	for k := range row.Lines {
		row.Lines[k].Amount = -row.Lines[k].Amount
	}
	row.Tenders = append([]fees.Tender(nil), paid.Tenders...)
	for k := range row.Tenders {
		row.Tenders[k].Amount = -row.Tenders[k].Amount
	}
	row.Total = -paid.Total
	row.Reverses, row.Reason = paid.ID, "wrong entry"
	row.ReversesText = g.numberText(paid, g.of(paid).counter.Seq+1)
	row.RecordedAt = at
	row.Digest = digestOf(fees.PaymentOrder{Student: paid.ID})
	if n/64%4 == 3 {
		row.Charge, row.Reason = 25_000, "cheque bounced"
		g.addBill(p, bounceBill(row))
	}
	return row
}

// id is a ULID of that moment, in order.
func (g *ledgerGenerator) id(at time.Time) string {
	g.minted++
	var id ulid.ULID
	if err := id.SetTime(ulid.Timestamp(at)); err != nil {
		g.fail(err)
	}
	binary.BigEndian.PutUint64(id[8:], g.minted)
	return id.String()
}
