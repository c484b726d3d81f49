package views

import (
	"cmp"

	"raseed/store/fees"
	"raseed/views/print"
)

// SlipOf is the handover slip of a till that is closed, with the cheques and
// drafts that are in it, and what was taken back of its receipts elsewhere.
func SlipOf(inst fees.Institute, s fees.Shift, cheques []fees.Cheque, elsewhere []fees.TakenBack) print.Slip {
	sums := fees.TillSums{}
	if s.Sums != nil {
		sums = *s.Sums
	}
	money, v := inst.Money(), ShiftOf(inst, s, sums, elsewhere)
	slip := print.Slip{
		Institute: inst.Name, Address: inst.Address, Symbol: v.Symbol,
		Expected: v.Expected.Text, Counted: v.Counted.Text, Verdict: v.Verdict.Title,
		Total: slipMode(money, sums.Total()),
	}
	if v.Verdict.Text != "" {
		slip.Verdict += ": " + v.Verdict.Text
	}
	for _, f := range v.Facts {
		slip.Facts = append(slip.Facts, print.Fact(f))
	}
	for _, m := range sums.Modes {
		slip.Modes = append(slip.Modes, slipMode(money, m))
	}
	for _, n := range v.Numbers {
		slip.Numbers = append(slip.Numbers, print.SlipNumbers(n))
	}
	for _, l := range v.Cash {
		slip.Cash = append(slip.Cash, print.Line{Head: l.What, Title: l.Note, Amount: l.Amount})
	}
	for _, p := range v.Pieces {
		line := print.Line{Head: p.Piece, Amount: p.Amount}
		if p.Count != "" {
			line.Title = "× " + p.Count
		}
		slip.Pieces = append(slip.Pieces, line)
	}
	for _, b := range v.Back {
		slip.Back = append(slip.Back, print.SlipBack{Receipt: b.Receipt.Text, What: b.What + " by " + b.Who + " through " + b.Through + ", " + b.When, Amount: b.Total})
	}
	papers := papersOf(cheques)
	for _, c := range papers {
		slip.Cheques = append(slip.Cheques, print.SlipCheque{Name: c.Name(), Bank: bankOf(c), Amount: money.Format(c.Amount)})
	}
	slip.ChequeCount, slip.ChequeSum = countPapers(papers), money.Format(sumPapers(papers))
	return slip
}

func slipMode(money fees.Currency, m fees.ModeSum) print.SlipMode {
	return print.SlipMode{
		Mode: cmp.Or(m.Mode.Title(), "All"), Tenders: Count(m.Tenders), Received: money.Format(m.Received),
		Back: orDash(money, m.Reversed+m.Refunded), Net: money.Format(m.Net()),
	}
}
