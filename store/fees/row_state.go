package fees

// Status is what a person calls the state of r.
func (r Row) Status() Status {
	switch {
	case r.Kind == KindReversal:
		return StatusReversal
	case r.ReversedBy != "":
		return StatusReversed
	case r.Awaiting:
		return StatusPending
	case r.Kind == KindAdjustment:
		return StatusAdjustment
	case r.Kind == KindRefund:
		return StatusRefund
	}
	return StatusIssued
}

// ShortID is the part of r's id after the institute, as addresses carry it.
func (r Row) ShortID() string { return After(r.ID) }

// Chosen is what r's money was for, as a cashier would choose it: its lines but
// for the advance.
func (r Row) Chosen() []Choice {
	var all []Choice
	for _, l := range r.Lines {
		if l.Bill != "" {
			all = append(all, Choice{Bill: l.Bill, Head: l.Head, Amount: l.Amount})
		}
	}
	return all
}

// Series is the series that rows of this kind are numbered in, "" for what is
// no kind.
func (k Kind) Series() Series {
	switch k {
	case KindPayment:
		return SeriesReceipt
	case KindReversal:
		return SeriesReversal
	case KindRefund:
		return SeriesRefund
	case KindAdjustment:
		return SeriesAdjustment
	}
	return ""
}

// Modes are the modes of payment in the order in which a counter offers them.
func Modes() []Mode {
	return []Mode{ModeCash, ModeCheque, ModeDraft, ModeUPI, ModeCard, ModeTransfer}
}

// Title is what people call the mode, "" for what is no mode.
func (m Mode) Title() string {
	switch m {
	case ModeCash:
		return "Cash"
	case ModeCheque:
		return "Cheque"
	case ModeDraft:
		return "Demand draft"
	case ModeUPI:
		return "UPI"
	case ModeCard:
		return "Card"
	case ModeTransfer:
		return "Bank transfer"
	}
	return ""
}
