package fees

import (
	"slices"
	"strings"
)

// holdsCardNumber says whether text has a full card number in it: 13 to 19
// digits with a right check digit (ISO/IEC 7812, Luhn), in one run or in the
// groups that cards show, parted by one space, dash or dot.
func holdsCardNumber(text string) bool {
	runs := digitRuns(text)
	for i := range runs {
		var number []byte
		var sizes []int
		for j := i; j < len(runs) && (j == i || runs[j].joined) && len(number) <= 19; j++ {
			number = append(number, runs[j].digits...)
			sizes = append(sizes, len(runs[j].digits))
			if len(number) >= 13 && len(number) <= 19 && (j == i || cardGroups(sizes)) && luhn(number) {
				return true
			}
		}
	}
	return false
}

// cardGroups says whether a card shows groups of these sizes: fours with any
// rest, 4 6 5 (American Express) and 4 6 4 (Diners).
func cardGroups(sizes []int) bool {
	last := len(sizes) - 1
	fours := !slices.ContainsFunc(sizes[:last], func(n int) bool { return n != 4 })
	return fours || slices.Equal(sizes, []int{4, 6, 5}) || slices.Equal(sizes, []int{4, 6, 4})
}

// digitRun is a run of digits, by value; joined to the run before it when only
// one separator is between them.
type digitRun struct {
	digits []byte
	joined bool
}

func digitRuns(text string) []digitRun {
	var runs []digitRun
	before, gap := rune(' '), 2 // the last character, and how many since the last digit
	for _, r := range text {
		d, ok := digitOf(r)
		switch {
		case !ok:
			gap++
		case gap > 0:
			joined := gap == 1 && strings.ContainsRune(" -.", before)
			runs = append(runs, digitRun{joined: joined})
			fallthrough
		default:
			run := &runs[len(runs)-1]
			run.digits = append(run.digits, d)
			gap = 0
		}
		before = r
	}
	return runs
}

// digitOf is the value of a decimal digit of the scripts that a keyboard here
// types: ASCII, Arabic, Persian, Devanagari and full-width.
func digitOf(r rune) (byte, bool) {
	for _, zero := range [...]rune{'0', '٠', '۰', '०', '０'} {
		if r >= zero && r <= zero+9 {
			return byte(r - zero), true
		}
	}
	return 0, false
}

// luhn says whether the last of digits is the check digit of the others.
func luhn(digits []byte) bool {
	sum := 0
	for i := range digits {
		d := int(digits[len(digits)-1-i])
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}
