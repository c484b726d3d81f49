package fees

import (
	"slices"
	"unicode"
)

// holdsCardNumber says whether text has a full card number in it: 13 to 19
// digits of any script with a right check digit (ISO/IEC 7812, Luhn), in one run
// or in groups such as cards show, with a few signs, spaces or invisible
// characters between them.
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

// cardGroups says whether people write a card's number in groups of these sizes:
// fours with any rest, 4 6 5 (American Express), 4 6 4 (Diners), 6 10 and 8 8.
func cardGroups(sizes []int) bool {
	last := len(sizes) - 1
	fours := !slices.ContainsFunc(sizes[:last], func(n int) bool { return n != 4 })
	return fours || slices.ContainsFunc([][]int{{4, 6, 5}, {4, 6, 4}, {6, 10}, {8, 8}}, func(groups []int) bool { return slices.Equal(sizes, groups) })
}

// digitRun is a run of digits, by value; joined to the run before it where at
// most maxCardGap characters, none of them a letter, are between them.
type digitRun struct {
	digits []byte
	joined bool
}

const maxCardGap = 3

func digitRuns(text string) []digitRun {
	var runs []digitRun
	gap, letters := maxCardGap+1, false // what is between the last digit and here
	for _, r := range text {
		d, ok := digitOf(r)
		switch {
		case !ok:
			gap++
			letters = letters || unicode.IsLetter(r)
			continue
		case gap > 0:
			runs = append(runs, digitRun{joined: gap <= maxCardGap && !letters})
		}
		run := &runs[len(runs)-1]
		run.digits = append(run.digits, d)
		gap, letters = 0, false
	}
	return runs
}

// digitOf is the value of a decimal digit of any script: Unicode has those of a
// script in a row, from nought to nine.
func digitOf(r rune) (byte, bool) {
	if r <= unicode.MaxASCII {
		return byte(r - '0'), r >= '0' && r <= '9'
	}
	for _, script := range unicode.Nd.R16 {
		if lo, hi := rune(script.Lo), rune(script.Hi); r >= lo && r <= hi {
			return byte((r - lo) % 10), true
		}
	}
	for _, script := range unicode.Nd.R32 {
		if lo, hi := rune(script.Lo), rune(script.Hi); r >= lo && r <= hi {
			return byte((r - lo) % 10), true
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
