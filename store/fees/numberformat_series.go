package fees

import "fmt"

// DefaultFormats are the formats of a new institute. The receipt's starts with
// the code as long as that leaves room for five digits within sixteen
// characters, and is not the start of another series.
func DefaultFormats(code string) Formats {
	f := Formats{
		Receipt:    "{code}/{fy}/{seq:5}",
		Reversal:   "RV/{fy}/{seq:5}",
		Refund:     "RF/{fy}/{seq:5}",
		Adjustment: "AD/{fy}/{seq:5}",
	}
	if len(code) > 4 || code == "RV" || code == "RF" || code == "AD" {
		f.Receipt = "RC/{fy}/{seq:5}"
	}
	return f
}

// Of is the format of series s, "" for what is no series.
func (f Formats) Of(s Series) string {
	switch s {
	case SeriesReceipt:
		return f.Receipt
	case SeriesReversal:
		return f.Reversal
	case SeriesRefund:
		return f.Refund
	case SeriesAdjustment:
		return f.Adjustment
	}
	return ""
}

// AllSeries are the series in the order in which people list them.
func AllSeries() []Series {
	return []Series{SeriesReceipt, SeriesReversal, SeriesRefund, SeriesAdjustment}
}

// Format is the institute's number format for series s; Invalid as ParseFormat
// says, with the institute's own financial years.
func (i Institute) Format(s Series) (NumberFormat, *Error) {
	return parseFormat(i.Formats.Of(s), i.Code, fyLabel(2026, i.FYStart))
}

// checkFormats reports each format that does not hold, and each that could
// render a number that another series has too, under format_receipt and so on.
func (i Institute) checkFormats(problem func(field, reason string)) {
	series := AllSeries()
	formats := make([]NumberFormat, len(series))
	for n, s := range series {
		f, err := i.Format(s)
		if err != nil {
			problem("format_"+string(s), err.Message)
			return
		}
		formats[n] = f
		for m := range n {
			if text, ok := collision(formats[m], f, i.FYStart); ok {
				problem("format_"+string(s), fmt.Sprintf("A %s and a %s could both be numbered %s", series[m], s, text))
				return
			}
		}
	}
}

// collision finds a text that two series of the same year could both render.
func collision(a, b NumberFormat, startMonth int64) (string, bool) {
	for year := 2000; year < 2100; year++ {
		if text, ok := meet(a.pattern(fyLabel(year, startMonth)), b.pattern(fyLabel(year, startMonth))); ok {
			return text, true
		}
	}
	return "", false
}

// numberPattern is a format in one year: fixed text around a run of digits.
type numberPattern struct {
	before, after string
	pad           int
}

func (f NumberFormat) pattern(fy string) numberPattern {
	return numberPattern{
		before: string(appendParts(nil, f.before, fy)),
		after:  string(appendParts(nil, f.after, fy)),
		pad:    max(f.pad, 1),
	}
}

// maxDigits bounds the numbers that are compared; no series counts further.
const maxDigits = 9

// meet finds a text of both patterns: for every length that both can have, it
// lays one over the other and fills in each place.
func meet(a, b numberPattern) (string, bool) {
	for digits := a.pad; digits <= maxDigits; digits++ {
		other := len(a.before) + digits + len(a.after) - len(b.before) - len(b.after)
		if other < b.pad || other > maxDigits {
			continue
		}
		text := make([]byte, len(a.before)+digits+len(a.after))
		for i := range text {
			text[i] = a.at(i, digits)
			if c := b.at(i, other); text[i] == 0 {
				text[i] = c
			}
		}
		for i := range text {
			if text[i] == 0 { // free in both: any digit but 0 will do
				text[i] = '1'
			}
		}
		if a.renders(text, digits) && b.renders(text, other) {
			return string(text), true
		}
	}
	return "", false
}

// at is the fixed character at place i when the number has so many digits, 0
// where a digit stands.
func (p numberPattern) at(i, digits int) byte {
	switch after := i - len(p.before) - digits; {
	case i < len(p.before):
		return p.before[i]
	case after >= 0:
		return p.after[after]
	}
	return 0
}

// renders says whether text is a number of that many digits in this pattern.
func (p numberPattern) renders(text []byte, digits int) bool {
	from, to := len(p.before), len(p.before)+digits
	number := text[from:to]
	zero := true
	for _, c := range number {
		if c < '0' || c > '9' {
			return false
		}
		zero = zero && c == '0'
	}
	if zero || digits > p.pad && number[0] == '0' {
		return false
	}
	return string(text[:from]) == p.before && string(text[to:]) == p.after
}
