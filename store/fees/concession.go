package fees

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Concession is everything that reduces a student's charges of one head. A
// free place is a grant of 100 % on the head Any, which is every head.
type Concession struct {
	ID        string  `bson:"_id"` // INSTITUTE:STUDENT:HEAD
	Institute string  `bson:"institute"`
	Student   string  `bson:"student"` // admission number
	Head      string  `bson:"head"`
	Grants    []Grant `bson:"grants"`
	Version   int64   `bson:"version,omitempty"` // one more with each change
}

// Grant is one reduction: a percentage of the charge or an amount off it, from
// one period to another. How several on one head add up is said at
// Tariff.Price.
type Grant struct {
	Kind     ConcessionKind `bson:"kind"`
	Percent  Percent        `bson:"percent,omitempty"` // when Kind is percent
	Amount   Amount         `bson:"amount,omitempty"`  // when Kind is amount
	Reason   string         `bson:"reason,omitempty"`
	Approver string         `bson:"approver,omitempty"`
	From     string         `bson:"from,omitempty"` // the first period it is for, "" for every earlier one
	To       string         `bson:"to,omitempty"`   // the last, "" for every later one
	By       string         `bson:"by,omitempty"`   // login of who entered it
	At       time.Time      `bson:"at,omitempty"`
}

// ConcessionKind says how a grant's value is meant.
type ConcessionKind string

// A grant takes a percentage or an amount off a head.
const (
	ConcessionPercent ConcessionKind = "percent"
	ConcessionAmount  ConcessionKind = "amount"
)

// InForce says whether the grant counts in period. From and To are included,
// and lie among all periods in the order of Period.Compare. A grant that names
// a period which there is not counts nowhere, for nobody can say when it would.
func (g *Grant) InForce(period Period, all []Period) bool {
	if g.From != "" {
		from, ok := findPeriod(all, g.From)
		if !ok || from.Compare(period) > 0 {
			return false
		}
	}
	if g.To != "" {
		to, ok := findPeriod(all, g.To)
		if !ok || to.Compare(period) < 0 {
			return false
		}
	}
	return true
}

// Compare orders grants by what they say; 0 for two that say the same,
// whoever entered them.
func (g Grant) Compare(h Grant) int {
	return cmp.Or(
		-cmp.Compare(g.Kind, h.Kind), // percentages before amounts
		cmp.Compare(g.Percent, h.Percent), cmp.Compare(g.Amount, h.Amount),
		cmp.Compare(g.Reason, h.Reason), cmp.Compare(g.Approver, h.Approver),
		cmp.Compare(g.From, h.From), cmp.Compare(g.To, h.To))
}

// CheckGrant is g on head in its normal form. It is Invalid, with Fields kind,
// value, reason, approver, from and to, when the value is not above zero or
// more than 100 %, an amount is off every head (it would be off each of them),
// or a period is not one of periods or ends what has not begun.
func CheckGrant(g Grant, head string, periods []Period) (Grant, *Error) {
	p := make(problems)
	checkValue(p, "kind", "value", &g.Kind, &g.Percent, &g.Amount, head)
	for name, text := range map[string]*string{"reason": &g.Reason, "approver": &g.Approver} {
		clean, err := CleanText(*text, 200)
		if err != nil {
			p.add(name, err.Message)
		}
		*text = clean
	}
	ends := map[string]Period{}
	for name, code := range map[string]*string{"from": &g.From, "to": &g.To} {
		*code = strings.ToUpper(strings.TrimSpace(*code))
		if *code == "" {
			continue
		}
		period, ok := findPeriod(periods, *code)
		if !ok {
			p.add(name, fmt.Sprintf("There is no period %.40q", *code))
			continue
		}
		ends[name] = period
	}
	if len(ends) == 2 && ends["from"].Compare(ends["to"]) > 0 {
		p.add("to", fmt.Sprintf("It ends with %s, which is due before %s", g.To, g.From))
	}
	return g, p.err("The concession has mistakes")
}

// checkValue brings the value of a reduction on head into its normal form:
// the field of the other kind is 0.
func checkValue(p problems, kindField, valueField string, kind *ConcessionKind, percent *Percent, amount *Amount, head string) {
	*kind = ConcessionKind(strings.ToLower(strings.TrimSpace(string(*kind))))
	switch *kind {
	case ConcessionPercent:
		*amount = 0
		switch {
		case *percent <= 0:
			p.add(valueField, "A concession is more than 0")
		case *percent > MaxPercent:
			p.add(valueField, "A percentage is at most 100")
		}
	case ConcessionAmount:
		*percent = 0
		switch {
		case head == Any:
			p.add(kindField, "What is off every head is a percentage")
		case *amount <= 0:
			p.add(valueField, "A concession is more than 0")
		case *amount > MaxAmount:
			p.add(valueField, "The amount is too large")
		}
	default:
		p.add(kindField, "The kind is percent or amount")
	}
}

// concede is what the grants, all in force on one head, take off its charge,
// and what each of them takes, as Tariff.Price has it. It sorts them. Where
// percentages share what they take together, the units left over go to the
// earlier in the order of Grant.Compare.
func concede(charge Amount, grants []Grant) (Amount, []Conceded) {
	if len(grants) == 0 {
		return 0, nil
	}
	slices.SortFunc(grants, Grant.Compare)
	weights := make([]Amount, len(grants))
	var percent Percent
	for i, g := range grants {
		if g.Kind == ConcessionPercent {
			weights[i] = Amount(max(g.Percent, 0))
			percent = min(percent+min(max(g.Percent, 0), MaxPercent), MaxPercent)
		}
	}
	less := percent.Of(charge)
	parts := make([]Amount, len(grants))
	if less > 0 {
		parts = Split(less, weights)
	}
	var reasons []Conceded
	for i, g := range grants {
		if g.Kind == ConcessionAmount {
			parts[i] = min(max(g.Amount, 0), charge-less)
			less += parts[i]
		}
		if parts[i] > 0 {
			reasons = append(reasons, Conceded{Reason: g.Reason, Approver: g.Approver, Amount: parts[i]})
		}
	}
	return less, reasons
}
