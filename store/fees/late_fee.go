package fees

import (
	"cmp"
	"slices"
	"time"
)

// Credit is money put against a bill on a day; negative where it was taken
// back.
type Credit struct {
	Date   Date
	Amount Amount
}

// LateFee is what rule makes of a bill that was due on due and comes to net, as
// of the end of the day asOf, from the credits to the bill in any order. It
// never falls while time goes on, is never negative, and never above the
// rule's cap or MaxAmount. A bill of net 0 or below, and one without a date,
// costs nothing.
//
// The days of grace are free: the first late day is the one after them. A day
// is late unless the bill was settled when it began and when it ended: so the
// day on which a late bill is settled still counts and later ones do not, and
// a credit that is taken back makes the bill grow again from that very day.
// Settled is paid in full, or by half where the rule stops there. LateRule and
// LateKind say what so many late days cost.
func LateFee(rule LateRule, due Date, net Amount, credits []Credit, asOf Date) Amount {
	from, dated := due.AddDays(int(max(rule.GraceDays, 0))).dayNumber()
	to, asked := asOf.dayNumber()
	if net <= 0 || !dated || !asked || to <= from {
		return 0
	}
	settled := func(paid Amount) bool { return paid >= net || rule.StopAtHalf && paid >= net-paid }
	credits = slices.Clone(credits)
	slices.SortFunc(credits, func(a, b Credit) int { return cmp.Compare(a.Date, b.Date) })
	var paid Amount
	late, counted := int64(0), from // days, up to and including the day counted
	for i := 0; i < len(credits) && credits[i].Date <= asOf; {
		date, before := credits[i].Date, settled(paid)
		for ; i < len(credits) && credits[i].Date == date; i++ {
			paid += credits[i].Amount
		}
		day, ok := date.dayNumber()
		if !ok || day <= from {
			continue
		}
		if !before {
			late += day - 1 - counted
		}
		if !before || !settled(paid) {
			late++
		}
		counted = day
	}
	if !settled(paid) {
		late += to - counted
	}
	return rule.charge(late)
}

// charge is what so many late days cost.
func (r *LateRule) charge(days int64) Amount {
	if days <= 0 {
		return 0
	}
	each := max(min(r.Amount, MaxAmount), 0)
	var fee Amount
	switch r.Kind {
	case LateFlat:
		fee = each
	case LateDay:
		fee = each * Amount(days)
	case LateWeek:
		fee = each * Amount((days+6)/7)
	case LateSlabs:
		for _, s := range r.Slabs {
			if days > s.AfterDays {
				fee = max(fee, s.Amount)
			}
		}
	}
	if r.Cap > 0 {
		fee = min(fee, r.Cap)
	}
	return min(fee, MaxAmount)
}

// dayNumber counts days, so that the days between two dates can be.
func (d Date) dayNumber() (n int64, ok bool) {
	t, err := time.Parse(time.DateOnly, string(d))
	return t.Unix() / (24 * 60 * 60), err == nil
}
