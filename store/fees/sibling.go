package fees

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"
)

// SiblingRule reduces the charges of a family's second child and those after
// it. Of the rules for a head, the one of the highest rank that a child has
// reached holds, so that the last one given holds for every later child too. Of
// those for Any likewise, and it comes on top.
type SiblingRule struct {
	Rank    int64          `bson:"rank"` // 2 is the second child
	Head    string         `bson:"head"` // or Any
	Kind    ConcessionKind `bson:"kind"`
	Percent Percent        `bson:"percent,omitempty"` // when Kind is percent
	Amount  Amount         `bson:"amount,omitempty"`  // when Kind is amount
}

// maxSiblingRank is the last child that has a rule of its own.
const maxSiblingRank = 12

// CheckSiblingRules are the rules in their normal form, by rank. They are
// Invalid, with Fields sibling_rank, sibling_head, sibling_kind and
// sibling_value of the rule's place (from 0), when a rank is not 2 to 12, a
// value is not above zero or more than 100 %, an amount is off every head, or
// a child has two rules for a head.
func CheckSiblingRules(rules []SiblingRule) ([]SiblingRule, *Error) {
	p := make(problems)
	rules = slices.Clone(rules)
	for i := range rules {
		r := &rules[i]
		if r.Rank < 2 || r.Rank > maxSiblingRank {
			p.add(field("sibling_rank", i), fmt.Sprintf("A rule is for the child 2 to %d of a family", maxSiblingRank))
		}
		if r.Head == "" {
			p.add(field("sibling_head", i), "Choose the head")
		}
		checkValue(p, field("sibling_kind", i), field("sibling_value", i), &r.Kind, &r.Percent, &r.Amount, r.Head)
		if slices.ContainsFunc(rules[:i], func(o SiblingRule) bool { return o.Rank == r.Rank && o.Head == r.Head }) {
			p.add(field("sibling_head", i), fmt.Sprintf("Child %d has a rule for this head already", r.Rank))
		}
	}
	if err := p.err("The sibling concession has mistakes"); err != nil {
		return nil, err
	}
	slices.SortFunc(rules, func(a, b SiblingRule) int {
		return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Head, b.Head))
	})
	return rules, nil
}

// SiblingRanks are the ranks, by admission number, of the students in their
// families: who was admitted first is 1. Only active students count and have a
// rank, so that when one leaves, the younger move up. Admission numbers are
// compared in natural order (9 before 10), families whatever their case. A
// student who is listed twice counts once; with two families, in the first of
// them. Those without a family have no rank.
func SiblingRanks(students iter.Seq[Student]) map[string]int64 {
	type member struct{ family, no string } // and no more of each: it is a whole school
	var members []member
	for s := range students {
		if s.Status == StudentActive && s.Family != "" {
			members = append(members, member{strings.ToLower(s.Family), s.AdmissionNo})
		}
	}
	slices.SortFunc(members, func(a, b member) int {
		return cmp.Or(strings.Compare(a.family, b.family), compareNatural(a.no, b.no))
	})
	ranks := make(map[string]int64, len(members))
	var family string
	var last int64
	for _, m := range members {
		if m.family != family {
			family, last = m.family, 0
		}
		if ranks[m.no] == 0 {
			last++
			ranks[m.no] = last
		}
	}
	return ranks
}

// siblingGrants adds to grants what the rules give the child of that rank on
// head.
func siblingGrants(grants []Grant, rules []SiblingRule, rank int64, head string) []Grant {
	for _, on := range []string{head, Any} {
		var reached int64
		for _, r := range rules {
			if r.Head == on && r.Rank <= rank {
				reached = max(reached, r.Rank)
			}
		}
		if reached < 2 {
			continue
		}
		for _, r := range rules {
			if r.Head == on && r.Rank == reached {
				grants = append(grants, Grant{Kind: r.Kind, Percent: r.Percent, Amount: r.Amount, Reason: fmt.Sprintf("Sibling (child %d)", rank)})
			}
		}
	}
	return grants
}
