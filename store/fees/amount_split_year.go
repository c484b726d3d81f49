package fees

// SplitYear divides what a head costs in a year among its n periods. The parts
// sum to the year, and what does not divide evenly goes one unit each to the
// earliest.
func SplitYear(year Amount, n int) []Amount { return Split(year, make([]Amount, max(n, 0))) }
