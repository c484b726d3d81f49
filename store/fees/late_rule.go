package fees

import (
	"fmt"
	"strings"
)

// LateRule says what is charged on a bill that is paid late. See LateFee.
type LateRule struct {
	Head       string     `bson:"head"` // HeadLateFee, or another that the institute charges it under
	Kind       LateKind   `bson:"kind"`
	Amount     Amount     `bson:"amount,omitempty"`     // once, or per day or week
	Slabs      []LateSlab `bson:"slabs,omitempty"`      // when Kind is slabs
	Cap        Amount     `bson:"cap,omitempty"`        // the most that is charged on one bill; 0 for no such limit
	GraceDays  int64      `bson:"graceDays,omitempty"`  // after the due date; they are free, also for those who pay later still
	StopAtHalf bool       `bson:"stopAtHalf,omitempty"` // a bill that is paid by half grows no more
}

// LateKind says how a late fee grows.
type LateKind string

// The kinds of late fee.
const (
	LateFlat  LateKind = "flat"  // once
	LateDay   LateKind = "day"   // each late day
	LateWeek  LateKind = "week"  // each seven late days that have begun
	LateSlabs LateKind = "slabs" // the amount of the highest slab reached
)

// LateSlab is what a bill costs that is more than AfterDays days late. With 0
// that is from the first late day on.
type LateSlab struct {
	AfterDays int64  `bson:"afterDays"`
	Amount    Amount `bson:"amount"`
}

const (
	maxGraceDays = 365
	maxLateSlabs = 12
)

// CheckLateRule is r in its normal form: HeadLateFee without a head, no slabs
// or no amount where the kind has none. It is Invalid, with Fields late_kind,
// late_amount, late_grace, late_cap, late_slab (there are none, or too many),
// late_slab_days.N and late_slab_amount.N, when an amount is not above zero or
// too large, the cap is below the least fee, or slabs do not rise.
func CheckLateRule(r LateRule) (LateRule, *Error) {
	p := make(problems)
	if r.Head == "" {
		r.Head = HeadLateFee
	}
	r.Kind = LateKind(strings.ToLower(strings.TrimSpace(string(r.Kind))))
	switch r.Kind {
	case LateFlat, LateDay, LateWeek:
		r.Slabs = nil
		checkCharge(p, "late_amount", r.Amount)
	case LateSlabs:
		r.Amount = 0
		checkSlabs(p, r.Slabs)
	default:
		p.add("late_kind", "A late fee is flat, per day, per week or by slabs")
	}
	if r.GraceDays < 0 || r.GraceDays > maxGraceDays {
		p.add("late_grace", fmt.Sprintf("The days of grace are 0 to %d", maxGraceDays))
	}
	least := r.Amount
	if len(r.Slabs) > 0 {
		least = r.Slabs[0].Amount
	}
	switch {
	case r.Cap < 0 || r.Cap > MaxAmount:
		p.add("late_cap", "The cap is an amount, or 0 for none")
	case r.Cap > 0 && r.Cap < least:
		p.add("late_cap", "The cap is less than what the first late day costs")
	}
	return r, p.err("The late fee has mistakes")
}

func checkCharge(p problems, name string, a Amount) {
	switch {
	case a <= 0:
		p.add(name, "Enter an amount above zero")
	case a > MaxAmount:
		p.add(name, "The amount is too large")
	}
}

// checkOptionalCharge is checkCharge of what a bounce or a reversal bills, where it
// bills anything.
func checkOptionalCharge(p problems, a Amount) {
	if a < 0 || a > MaxAmount {
		p.add("charge", "The charge cannot be negative or so large")
	}
}

func checkSlabs(p problems, slabs []LateSlab) {
	if len(slabs) == 0 || len(slabs) > maxLateSlabs {
		p.add("late_slab", fmt.Sprintf("Enter 1 to %d slabs", maxLateSlabs))
	}
	for i, s := range slabs {
		if s.AfterDays < 0 || s.AfterDays > maxGraceDays {
			p.add(field("late_slab_days", i), fmt.Sprintf("A slab begins after 0 to %d days", maxGraceDays))
		}
		checkCharge(p, field("late_slab_amount", i), s.Amount)
		if i == 0 {
			continue
		}
		if s.AfterDays <= slabs[i-1].AfterDays {
			p.add(field("late_slab_days", i), "A slab begins later than the one before")
		}
		if s.Amount <= slabs[i-1].Amount {
			p.add(field("late_slab_amount", i), "A slab costs more than the one before")
		}
	}
}
