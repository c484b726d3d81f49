package fees_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"raseed/store/fees"
)

func TestWords(t *testing.T) {
	inrAbroad := fees.Currency{Code: "INR", Decimals: 2, Locale: "en-GB"}
	for _, tc := range []struct {
		money  fees.Currency
		amount fees.Amount
		want   string
	}{
		{inr, 125000_02, "Rupees One Lakh Twenty Five Thousand and Two Paise Only"},
		{inr, 4500_00, "Rupees Four Thousand Five Hundred Only"},
		{inr, 50, "Fifty Paise Only"},
		{inr, 1, "One Paisa Only"},
		{inr, 0, "Rupees Zero Only"},
		{inr, 1_00, "Rupee One Only"},
		{inr, 1_01, "Rupee One and One Paisa Only"},
		{inr, 2_00, "Rupees Two Only"},
		{inr, -2500_00, "Minus Rupees Two Thousand Five Hundred Only"},
		{inr, -50, "Minus Fifty Paise Only"},
		{inr, 19_99, "Rupees Nineteen and Ninety Nine Paise Only"},
		{inr, 100_00, "Rupees One Hundred Only"},
		{inr, 110_10, "Rupees One Hundred Ten and Ten Paise Only"},
		{inr, 1000_00, "Rupees One Thousand Only"},
		{inr, 100000_00, "Rupees One Lakh Only"},
		{inr, 1_00_00_000_00, "Rupees One Crore Only"},
		{inr, 1_00_00_001_00, "Rupees One Crore One Only"},
		{inr, 12_34_56_789_00, "Rupees Twelve Crore Thirty Four Lakh Fifty Six Thousand Seven Hundred Eighty Nine Only"},
		{inr, fees.MaxAmount, "Rupees Ninety Nine Crore Ninety Nine Lakh Ninety Nine Thousand Nine Hundred Ninety Nine and Ninety Nine Paise Only"},
		{inr, 100_00_00_000_00, "Rupees One Hundred Crore Only"},
		{inr, 1_00_000_00_00_000_00, "Rupees One Lakh Crore Only"},
		{inrAbroad, 125000_02, "Rupees One Hundred Twenty Five Thousand and Two Paise Only"},
		{usd, 125000_02, "US Dollars One Hundred Twenty Five Thousand and Two Cents Only"},
		{usd, 1_00, "US Dollar One Only"},
		{usd, 1_000_000_00, "US Dollars One Million Only"},
		{usd, 1_000_000_001_00, "US Dollars One Billion One Only"},
		{usd, 12_345_678_90, "US Dollars Twelve Million Three Hundred Forty Five Thousand Six Hundred Seventy Eight and Ninety Cents Only"},
		{kwd, 1_250, "Kuwaiti Dinar One and Two Hundred Fifty Fils Only"},
		{kwd, 12_001, "Kuwaiti Dinars Twelve and One Fils Only"},
		{kwd, 999, "Nine Hundred Ninety Nine Fils Only"},
		{jpy, 125000, "Japanese Yen One Hundred Twenty Five Thousand Only"},
		{jpy, 0, "Japanese Yen Zero Only"},
		{fees.Currency{Code: "PKR", Decimals: 2, Locale: "en-PK"}, 125000_00, "Rupees One Lakh Twenty Five Thousand Only"},
		{fees.Currency{Code: "NPR", Decimals: 2, Locale: "ne-NP"}, 125000_05, "Rupees One Lakh Twenty Five Thousand and Five Paise Only"},
		{fees.Currency{Code: "BDT", Decimals: 2, Locale: "bn-BD"}, 125000_05, "Taka One Lakh Twenty Five Thousand and Five Poisha Only"},
		{fees.Currency{Code: "LKR", Decimals: 2, Locale: "en-LK"}, 125000_05, "Rupees One Hundred Twenty Five Thousand and Five Cents Only"},
		{fees.Currency{Code: "GBP", Decimals: 2, Locale: "en-GB"}, 1_01, "Pound Sterling One and One Penny Only"},
		{fees.Currency{Code: "GBP", Decimals: 2, Locale: "en-GB"}, 2_02, "Pounds Sterling Two and Two Pence Only"},
		{fees.Currency{Code: "UGX", Decimals: 0, Locale: "en-UG"}, 500000, "Ugandan Shillings Five Hundred Thousand Only"},
		// Names that are not known, and decimals that the currency does not have.
		{fees.Currency{Code: "XTS", Decimals: 2}, 12_25, "XTS Twelve and 25/100 Only"},
		{fees.Currency{Code: "XTS", Decimals: 2}, 25, "XTS Zero and 25/100 Only"},
		{fees.Currency{Code: "XTS", Decimals: 3}, -12_000, "Minus XTS Twelve Only"},
		{fees.Currency{Code: "INR", Decimals: 0, Locale: "en-IN"}, 12, "INR Twelve Only"},
		{fees.Currency{Code: "INR", Decimals: 3, Locale: "en-IN"}, 12_005, "INR Twelve and 5/1000 Only"},
		{jpy, math.MinInt64, "Minus Japanese Yen Nine Quintillion Two Hundred Twenty Three Quadrillion Three Hundred Seventy Two Trillion " +
			"Thirty Six Billion Eight Hundred Fifty Four Million Seven Hundred Seventy Five Thousand Eight Hundred Eight Only"},
	} {
		if got := tc.money.Words(tc.amount); got != tc.want {
			t.Errorf("%s %d:\n got %q\nwant %q", tc.money.Code, tc.amount, got, tc.want)
		}
	}
}

// Every currency that has names has them for both units, singular and plural,
// and its own decimals.
func TestWordsKnowTheirCurrencies(t *testing.T) {
	decimals := map[int64]string{
		0: "JPY KRW VND UGX RWF",
		2: "INR PKR NPR LKR BDT BTN MVR MUR SCR AFN MMK AED SAR QAR EGP KES TZS NGN GHS ZAR ZMW ETB USD AUD CAD NZD SGD HKD FJD EUR GBP CHF MYR IDR THB PHP CNY",
		3: "KWD BHD OMR JOD IQD TND",
	}
	for n, codes := range decimals {
		for _, code := range strings.Fields(codes) {
			c := fees.Currency{Code: code, Decimals: n, Locale: "en"}
			unit := fees.Amount(math.Pow10(int(n)))
			for _, a := range []fees.Amount{unit, 2 * unit, unit + 1, 2*unit + 2} {
				words := c.Words(a)
				if n == 0 && a != unit && a != 2*unit {
					continue
				}
				if strings.Contains(words, code) || strings.Contains(words, "  ") || strings.Contains(words, "/") ||
					strings.Contains(words, " Only Only") || n > 0 && a%unit > 0 && strings.HasSuffix(words, " One Only") {
					t.Errorf("%s %d is worded %q", code, a, words)
				}
			}
		}
	}
}

// The words of an amount, read back by an independent reader, are the amount.
func TestWordsReadBack(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, c := range []fees.Currency{inr, usd, jpy, kwd} {
		for n := range 5000 {
			a := fees.Amount(random.Int64() >> (n % 63))
			got, err := readWords(c, c.Words(a))
			if err != nil || got != a {
				t.Fatalf("%s %d is worded %q, which reads %d (%v)", c.Code, a, c.Words(a), got, err)
			}
		}
	}
}

func readWords(c fees.Currency, words string) (fees.Amount, error) {
	scales := map[string]int64{
		"Thousand": 1e3, "Lakh": 1e5, "Crore": 1e7, "Million": 1e6, "Billion": 1e9, "Trillion": 1e12, "Quadrillion": 1e15, "Quintillion": 1e18,
	}
	values := map[string]int64{}
	for i, w := range strings.Fields("Zero One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen Seventeen Eighteen Nineteen") {
		values[w] = int64(i)
	}
	for i, w := range strings.Fields("Twenty Thirty Forty Fifty Sixty Seventy Eighty Ninety") {
		values[w] = int64(20 + 10*i)
	}
	number := func(words string) (int64, error) {
		var total, group int64 // group is what is below the last scale word
		for _, w := range strings.Fields(words) {
			switch scale := scales[w]; {
			case w == "Hundred":
				group *= 100
			case w == "Crore": // multiplies everything before it: One Lakh Crore
				total, group = (total+group)*scale, 0
			case scale > 0:
				total, group = total+group*scale, 0
			default:
				v, ok := values[w]
				if !ok {
					return 0, fmt.Errorf("unknown word %q", w)
				}
				group += v
			}
		}
		return total + group, nil
	}
	words = strings.TrimSuffix(words, " Only")
	major, minor := "Zero", "Zero"
	for _, part := range strings.Split(words, " and ") {
		cut := false
		for _, name := range []string{"Rupees ", "Rupee ", "US Dollars ", "US Dollar ", "Japanese Yen ", "Kuwaiti Dinars ", "Kuwaiti Dinar "} {
			if rest, ok := strings.CutPrefix(part, name); ok && !cut {
				major, cut = rest, true
			}
		}
		for _, name := range []string{" Paise", " Paisa", " Cents", " Cent", " Fils"} {
			if rest, ok := strings.CutSuffix(part, name); ok && !cut {
				minor, cut = rest, true
			}
		}
		if !cut {
			return 0, fmt.Errorf("no unit in %q", part)
		}
	}
	whole, err := number(major)
	if err != nil {
		return 0, err
	}
	part, err := number(minor)
	if err != nil {
		return 0, err
	}
	for range c.Decimals {
		whole *= 10
	}
	return fees.Amount(whole + part), nil
}
