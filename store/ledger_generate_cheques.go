package store

import "raseed/store/fees"

// inHandFor is for how many days a generated cheque is kept before it clears.
const inHandFor = 14

// addCheques adds the cheques of a payment: withdrawn where it was reversed, in
// hand where it is of the last days, cleared before.
func (g *ledgerGenerator) addCheques(paid fees.Row, reversal *fees.Row) {
	for _, c := range fees.ChequesOf(paid) {
		switch {
		case reversal != nil:
			g.moveCheque(&c, fees.ChequeStep{
				State: fees.ChequeWithdrawn, At: reversal.RecordedAt, By: reversal.CashierName, Day: reversal.Date,
				Note: "Its receipt was reversed: " + reversal.Reason,
			})
		case paid.Date.AddDays(inHandFor) < g.today:
			c.Account = "Current account"
			for after, state := range []fees.ChequeState{fees.ChequeDeposited, fees.ChequeCleared} {
				days := 1 + 2*after
				g.moveCheque(&c, fees.ChequeStep{State: state, At: paid.RecordedAt.AddDate(0, 0, days), By: "Accountant", Day: paid.Date.AddDays(days)})
			}
		}
		g.add(cheques, c)
	}
}

func (g *ledgerGenerator) moveCheque(c *fees.Cheque, step fees.ChequeStep) {
	c.State, c.Day = step.State, step.Day
	c.Version++
	c.History = append(c.History, step)
}
