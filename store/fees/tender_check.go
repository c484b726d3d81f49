package fees

import "strings"

const noCardNumbers = "This looks like a card number: never write one down in full, the last four digits are enough"

// check brings t into its normal form and reports what is wrong with all of it
// but the amount, under tender_mode, tender_ref, tender_bank, tender_branch,
// tender_last4 and tender_date. paid is the date of the payment. Bank, branch and
// date belong to cheques and drafts, the last four digits to cards; with any
// other mode they are dropped.
func (t *Tender) check(paid, today Date, problem func(field, reason string)) {
	if t.Mode.Title() == "" {
		problem("tender_mode", "Choose how this was paid")
		return
	}
	ref, err := CleanText(strings.ToUpper(t.Ref), 35)
	if err != nil {
		problem("tender_ref", err.Message)
		return
	}
	t.Ref = ref
	if reason := checkRef(t.Mode, ref); reason != "" {
		problem("tender_ref", reason)
	}
	t.checkLast4(problem)
	if t.Mode != ModeCheque && t.Mode != ModeDraft {
		if holdsCardNumber(t.Bank) {
			problem("tender_bank", noCardNumbers)
		}
		if holdsCardNumber(t.Branch) {
			problem("tender_branch", noCardNumbers)
		}
		t.Bank, t.Branch, t.Date = "", "", ""
		return
	}
	bank, err := CleanText(t.Bank, 60)
	switch {
	case err != nil:
		problem("tender_bank", err.Message)
	case bank == "":
		problem("tender_bank", "Enter the bank it is drawn on")
	case holdsCardNumber(bank):
		problem("tender_bank", noCardNumbers)
	default:
		t.Bank = bank
	}
	branch, err := CleanText(t.Branch, 60)
	switch {
	case err != nil:
		problem("tender_branch", err.Message)
	case holdsCardNumber(branch):
		problem("tender_branch", noCardNumbers)
	default:
		t.Branch = branch
	}
	if t.Date != "" {
		if reason := checkDrawn(t.Date, paid, today); reason != "" {
			problem("tender_date", reason)
		}
	}
}

// checkLast4 checks what of a card's number may be written down.
func (t *Tender) checkLast4(problem func(field, reason string)) {
	last4 := strings.TrimSpace(t.Last4)
	switch {
	case holdsCardNumber(last4):
		problem("tender_last4", noCardNumbers)
	case t.Mode != ModeCard:
		last4 = ""
	case last4 != "" && (len(last4) != 4 || !allDigits(last4)):
		problem("tender_last4", "Enter the last four digits of the card, and no more of it")
	}
	t.Last4 = last4
}

// checkRef says why ref, in capitals, is no reference of mode.
func checkRef(mode Mode, ref string) string {
	alnum := allOf(ref, isASCIIAlnum)
	// A bank's own reference (NEFT 16 characters, RTGS 22) begins with its letters
	// (HDFCR5…, N123…), and the digits behind them pass the card check one time in
	// ten.
	bankRef := (mode == ModeUPI || mode == ModeTransfer) && alnum && (len(ref) == 16 || len(ref) == 22) && ref[0] > '9'
	if !bankRef && holdsCardNumber(ref) {
		return noCardNumbers
	}
	switch mode {
	case ModeCheque:
		if !allDigits(ref) || len(ref) > 12 {
			return "Enter the cheque number: 1 to 12 digits, usually 6"
		}
	case ModeDraft:
		if !allDigits(ref) || len(ref) > 12 {
			return "Enter the draft number: 1 to 12 digits, usually 6"
		}
	case ModeUPI:
		if len(ref) < 6 || !allOf(ref, func(r rune) bool { return isASCIIAlnum(r) || strings.ContainsRune("-/._@", r) }) {
			return "Enter the UPI reference: 6 to 35 letters and digits, usually 12 digits"
		}
	case ModeCard:
		if len(ref) < 4 || len(ref) > 12 || !alnum {
			return "Enter the approval code from the slip: 4 to 12 letters and digits"
		}
	case ModeTransfer:
		if len(ref) < 6 || !allOf(ref, func(r rune) bool { return isASCIIAlnum(r) || strings.ContainsRune("-/._", r) }) {
			return "Enter the bank's reference (UTR): 6 to 35 letters and digits"
		}
	}
	return ""
}

// checkDrawn says why a cheque or draft of that date is not taken: banks pay
// one for three months from its date (Reserve Bank of India, since April
// 2012), and a post-dated one is held for at most a year.
func checkDrawn(drawn, paid, today Date) string {
	_, err := ParseDate(string(drawn))
	switch {
	case err != nil:
		return err.Message
	case drawn.addMonths(3) < paid:
		return "It is stale: banks do not pay one older than three months"
	case drawn > today.addMonths(12):
		return "It is dated more than a year ahead"
	}
	return ""
}
