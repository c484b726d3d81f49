package views

import (
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/bojanz/currency"

	"raseed/store/fees"
)

// Symbol is how an institute writes its currency: "₹", "AED".
func Symbol(c fees.Currency) string {
	symbol, ok := currency.GetSymbol(c.Code, currency.NewLocale(c.Locale))
	if !ok {
		return c.Code
	}
	return symbol
}

// Money is an amount with its symbol for use within a sentence: "₹4,500.00",
// "AED 250.00", "-₹20.00". A column of amounts uses Currency.Format and says
// the symbol once.
func Money(c fees.Currency, a fees.Amount) string {
	symbol := Symbol(c)
	if last := []rune(symbol); unicode.IsLetter(last[len(last)-1]) {
		symbol += "\u00a0" // the figure is never parted from its currency
	}
	text, minus := strings.CutPrefix(c.Format(a), "-")
	if minus {
		return "-" + symbol + text
	}
	return symbol + text
}

// Sum is an amount on screen: the figure as people read it and, for programs,
// in minor units.
type Sum struct{ Text, Minor string }

// SumOf is a in the currency c.
func SumOf(c fees.Currency, a fees.Amount) Sum {
	return Sum{Text: c.Format(a), Minor: strconv.FormatInt(int64(a), 10)}
}

// balanceOf is what is left to pay, a credit in words.
func balanceOf(c fees.Currency, a fees.Amount) Sum {
	sum := SumOf(c, a)
	if a < 0 {
		sum.Text = "in credit " + c.Format(-a)
	}
	return sum
}

// Day is a business date as people write it, "30 Nov 2026"; "" stays "".
func Day(d fees.Date) string {
	t, err := time.Parse(time.DateOnly, string(d))
	if err != nil {
		return string(d)
	}
	return t.Format("2 Jan 2006")
}
