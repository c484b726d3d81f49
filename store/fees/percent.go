package fees

import (
	"math/bits"
	"strconv"
	"strings"
)

// Percent is a percentage in ten-thousandths of a percent: 12.5 % is 125000.
type Percent int64

// MaxPercent is 100 %.
const MaxPercent Percent = 100_0000

// ParsePercent reads 0 to 100 with at most four digits after the dot, as in
// "12.5". Space around it is dropped; anything else is Invalid.
func ParsePercent(s string) (Percent, *Error) {
	s = strings.TrimSpace(s)
	whole, fraction, dotted := strings.Cut(s, ".")
	if s == "" {
		return 0, Errorf(Invalid, "Enter a percentage")
	}
	if strings.HasSuffix(s, "%") {
		return 0, Errorf(Invalid, "Write the percentage without the %% sign")
	}
	if !allDigits(whole) || dotted && !allDigits(fraction) {
		return 0, Errorf(Invalid, "Write the percentage as a number from 0 to 100, like 12.5")
	}
	if len(fraction) > 4 {
		return 0, Errorf(Invalid, "At most 4 digits may follow the dot of a percentage")
	}
	// Nine digits parse without overflow; more are above 100 or only zeros.
	whole = strings.TrimLeft(whole, "0")
	n, _ := strconv.ParseInt("0"+whole[:min(len(whole), 9)]+(fraction + "0000")[:4], 10, 64)
	p := Percent(n)
	if p > MaxPercent {
		return 0, Errorf(Invalid, "A percentage is at most 100")
	}
	return p, nil
}

// Of is p percent of a, rounded half up on the minor unit. A negative amount
// rounds half away from zero, so that taking back undoes giving. What does not
// fit an Amount (only beyond 100 %) becomes the nearest that does.
func (p Percent) Of(a Amount) Amount {
	negative := (a < 0) != (p < 0)
	hi, lo := bits.Mul64(magnitude(a), magnitude(Amount(p)))
	lo, carry := bits.Add64(lo, uint64(MaxPercent)/2, 0)
	hi += carry
	of := uint64(1 << 63)
	if hi < uint64(MaxPercent) {
		of, _ = bits.Div64(hi, lo, uint64(MaxPercent))
	}
	if negative {
		return Amount(-min(of, 1<<63))
	}
	return Amount(min(of, 1<<63-1))
}

// String is p without needless zeros: "12.5", "100", "0".
func (p Percent) String() string {
	sign, n := "", magnitude(Amount(p))
	if p < 0 {
		sign = "-"
	}
	digits := strconv.FormatUint(n%10000+10000, 10)[1:]
	return strings.TrimSuffix(sign+strconv.FormatUint(n/10000, 10)+"."+strings.TrimRight(digits, "0"), ".")
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
