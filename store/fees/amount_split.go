package fees

import "math/bits"

// Split divides total in proportion to weights into parts that sum to total
// exactly: each is rounded towards zero, and the units left over go one each
// to the earliest parts that have a weight, so that none is off its exact
// share by more than one unit. Weights that are all zero count as equal; a
// negative one counts as zero. Without weights there are no parts.
func Split(total Amount, weights []Amount) []Amount {
	if len(weights) == 0 {
		return nil
	}
	shares := make([]uint64, len(weights))
	sum, high := uint64(0), uint64(0)
	for i, w := range weights {
		shares[i] = uint64(max(w, 0))
		var carry uint64
		sum, carry = bits.Add64(sum, shares[i], 0)
		high += carry
	}
	switch {
	case high > 0: // more than 64 bits: coarser weights, the same proportions
		sum = 0
		for i := range shares {
			shares[i] >>= bits.Len64(high)
			sum += shares[i]
		}
	case sum == 0:
		for i := range shares {
			shares[i] = 1
		}
		sum = uint64(len(shares))
	}
	parts := make([]Amount, len(weights))
	whole := magnitude(total)
	left := whole
	for i, share := range shares {
		// share <= sum, so the quotient fits.
		hi, lo := bits.Mul64(whole, share)
		part, _ := bits.Div64(hi, lo, sum)
		parts[i] = Amount(part)
		left -= part
	}
	for i := range parts {
		if left > 0 && shares[i] > 0 {
			parts[i]++
			left--
		}
		if total < 0 {
			parts[i] = -parts[i]
		}
	}
	return parts
}
