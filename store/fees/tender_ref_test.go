package fees_test

import (
	"slices"
	"strings"
	"testing"

	"raseed/store/fees"
)

func TestRefKey(t *testing.T) {
	for _, tc := range []struct {
		tender fees.Tender
		want   string
	}{
		{fees.Tender{Mode: fees.ModeCash}, ""},
		{fees.Tender{Mode: fees.ModeCash, Ref: "SLIP 12"}, ""},
		{fees.Tender{Mode: fees.ModeUPI, Ref: "412345678901"}, "upi:412345678901"},
		{fees.Tender{Mode: fees.ModeUPI, Ref: "4123-4567-8901"}, "upi:412345678901"},
		{fees.Tender{Mode: fees.ModeTransfer, Ref: "HDFCR52026113012345678"}, "transfer:HDFCR52026113012345678"},
		{fees.Tender{Mode: fees.ModeCheque, Ref: "004512", Bank: "State Bank"}, "cheque:4512:STATE BANK"},
		{fees.Tender{Mode: fees.ModeCheque, Ref: "4512", Bank: "STATE BANK", Branch: "Rohini"}, "cheque:4512:STATE BANK"},
		{fees.Tender{Mode: fees.ModeDraft, Ref: "004512", Bank: "State Bank"}, "dd:4512:STATE BANK"},
		{fees.Tender{Mode: fees.ModeCard, Ref: "A1B2C3", Last4: "4242"}, "card:A1B2C3:4242"},
		{fees.Tender{Mode: fees.ModeCard, Ref: "A1B2C3"}, "card:A1B2C3:"},
	} {
		if got := tc.tender.RefKey(); got != tc.want {
			t.Errorf("the key of %+v is %q, want %q", tc.tender, got, tc.want)
		}
	}
	upi := fees.Tender{Mode: fees.ModeUPI, Ref: "412345678901"}
	if got := fees.RefKeys([]fees.Tender{{Mode: fees.ModeCash}, upi, upi}); !slices.Equal(got, []string{"upi:412345678901"}) {
		t.Errorf("the keys of cash and the same reference twice are %q", got)
	}
	if got := fees.RefKeys([]fees.Tender{{Mode: fees.ModeCash}}); got != nil {
		t.Errorf("the keys of cash are %q, want nil, which is not stored", got)
	}
}

// A reference that is on the form twice is asked about, with everything else
// that is wrong, until it is said to be right.
func TestRepeatOnTheForm(t *testing.T) {
	o := order()
	o.Tenders = []fees.Tender{
		{Mode: fees.ModeUPI, Amount: 1, Ref: "412345678901"},
		{Mode: fees.ModeTransfer, Amount: 1, Ref: "412345678901"},
		{Mode: fees.ModeUPI, Amount: 1, Ref: "4123-45678901"},
		{Mode: fees.ModeUPI, Ref: "512345678901"},
	}
	err := o.Check(dps(), today)
	if err == nil || !strings.Contains(err.Fields["tender_ref.2"], "twice") || !slices.Equal(err.Asked, []string{"4123-45678901"}) {
		t.Fatalf("the form is answered with %+v, want a question about tender 2", err)
	}
	if _, ok := err.Fields["tender_amount.3"]; !ok || len(err.Fields) != 2 {
		t.Errorf("besides the question the form is answered with %v, want the missing amount", err.Fields)
	}
	o.RefsAgain, o.Tenders = []string{"412345678901"}, o.Tenders[:3]
	if err := o.Check(dps(), today); err != nil {
		t.Errorf("a reference that is said to be right is refused: %v", err)
	}
}

func TestAskRepeats(t *testing.T) {
	upi := fees.Tender{Mode: fees.ModeUPI, Amount: 500_00, Ref: "412345678901"}
	earlier := func(change func(*fees.Row)) []fees.Row {
		r := fees.Row{
			ID: "DPS:01ARZ3NDEKTSV4RRFFQ69G5FAA", Date: "2026-11-28", NumberText: "DPS/26-27/00042", StudentName: "Asha Verma",
			Tenders: []fees.Tender{{Mode: fees.ModeCash, Amount: 1}, upi}, Refs: fees.RefKeys([]fees.Tender{upi}),
		}
		change(&r)
		return []fees.Row{r}
	}
	for _, tc := range []struct {
		name  string
		rows  []fees.Row
		again []string
		says  string // "" for no question
	}{
		{"none", nil, nil, ""},
		{"an earlier receipt", earlier(func(*fees.Row) {}), nil, "DPS/26-27/00042 of 28 November 2026, 500.00 from Asha Verma"},
		{"one without its number", earlier(func(r *fees.Row) { r.NumberText = "" }), nil, "a payment whose number is pending"},
		{"one that was reversed", earlier(func(r *fees.Row) { r.ReversedBy = r.ID + ":reversal" }), nil, ""},
		{"the form itself", earlier(func(r *fees.Row) { r.ID = "DPS:" + order().ID }), nil, ""},
		{"its own family payment", earlier(func(r *fees.Row) { r.Family = order().ID }), nil, ""},
		{"another family payment", earlier(func(r *fees.Row) { r.Family = "01ARZ3NDEKTSV4RRFFQ69G5FAB" }), nil, "Received already"},
		{"another reference", earlier(func(r *fees.Row) { r.Refs = []string{"upi:1"} }), nil, ""},
		{"said to be right", earlier(func(*fees.Row) {}), []string{" 412345678901 "}, ""},
		{"another said to be right", earlier(func(*fees.Row) {}), []string{"512345678901"}, "Received already"},
	} {
		o := order()
		o.Tenders, o.RefsAgain = []fees.Tender{{Mode: fees.ModeCash, Amount: 1}, upi}, tc.again
		err := o.AskRepeats(dps().Money(), tc.rows)
		switch {
		case tc.says == "" && err != nil:
			t.Errorf("%s: %v", tc.name, err)
		case tc.says != "" && (err == nil || err.Code != fees.Invalid || len(err.Fields) != 1 || !strings.Contains(err.Fields["tender_ref.1"], tc.says) || !slices.Equal(err.Asked, []string{upi.Ref})):
			t.Errorf("%s: %+v, want a question that says %q", tc.name, err, tc.says)
		}
	}
}
