package views

import (
	"testing"

	"raseed/store/fees"
)

func TestMoney(t *testing.T) {
	for _, tt := range []struct {
		code     string
		decimals int64
		locale   string
		amount   fees.Amount
		want     string
	}{
		{"INR", 2, "en-IN", 12345678, "₹1,23,456.78"},
		{"INR", 2, "en-IN", -2000, "-₹20.00"},
		{"INR", 2, "en-IN", 0, "₹0.00"},
		{"USD", 2, "en-US", 123456789, "$1,234,567.89"},
		{"AED", 2, "en-AE", 25000, "AED\u00a0250.00"},
		{"KWD", 3, "en-US", 1500, "KWD\u00a01.500"},
		{"JPY", 0, "en-US", 1500, "¥1,500"},
	} {
		c := fees.Currency{Code: tt.code, Decimals: tt.decimals, Locale: tt.locale}
		if got := Money(c, tt.amount); got != tt.want {
			t.Errorf("%s %d is %q, want %q", tt.code, tt.amount, got, tt.want)
		}
	}
	if got := Symbol(fees.Currency{Code: "XQX", Locale: "en-IN"}); got != "XQX" {
		t.Errorf("an unknown currency is written %q", got)
	}
	if got := SumOf(fees.Currency{Code: "INR", Decimals: 2, Locale: "en-IN"}, -250000); got != (Sum{"-2,500.00", "-250000"}) {
		t.Errorf("a sum is %+v", got)
	}
}

func TestDay(t *testing.T) {
	for d, want := range map[fees.Date]string{"2026-11-30": "30 Nov 2026", "2027-01-05": "5 Jan 2027", "": ""} {
		if got := Day(d); got != want {
			t.Errorf("Day(%q) = %q, want %q", d, got, want)
		}
	}
}
