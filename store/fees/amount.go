// Package fees is Raseed's domain: its words, its money, its years and its
// rules. It knows nothing of storage, HTTP or screens and imports only the
// standard library.
package fees

// Amount is money in the minor unit of its institute's currency (paise for
// INR). It is exact and signed: what is received is positive, what is taken
// back or given back is negative.
type Amount int64

// MaxAmount is the largest single amount anybody may enter, whatever the
// currency: ₹99,99,99,999.99. A payment, a tender and a charge never exceed it,
// so that sums of thousands of them stay far inside an int64.
const MaxAmount Amount = 99_99_99_999_99

// CheckedAdd is a + b; ok is false, and the sum 0, when that does not fit.
func CheckedAdd(a, b Amount) (sum Amount, ok bool) {
	sum = a + b
	if (sum > a) != (b > 0) {
		return 0, false
	}
	return sum, true
}

// magnitude is |a|, which for the smallest Amount does not fit an Amount.
func magnitude(a Amount) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}
