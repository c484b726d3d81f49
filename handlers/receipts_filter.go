package handlers

import (
	"net/url"
	"strings"

	"raseed/store/fees"
	"raseed/views"
)

// registerFilter reads the register's filter from a query. What is wrong with
// it is noted in the form. Whoever may not see the whole register sees their
// own rows, whatever the query says.
func registerFilter(form *Form, v Visitor) fees.RegisterFilter {
	f := fees.RegisterFilter{
		From:    formDate(form, "from"),
		To:      formDate(form, "to"),
		Mode:    fees.Mode(strings.TrimSpace(form.Value("mode"))),
		Head:    strings.ToUpper(formText(form, "head")),
		Class:   formText(form, "class"),
		Cashier: strings.ToLower(formText(form, "cashier")),
		Status:  fees.Status(strings.TrimSpace(form.Value("status"))),
	}
	if f.From != "" && f.To != "" && f.To < f.From {
		form.Fail("to", "This is before the first day. Swap the two")
	}
	if f.Mode != "" && f.Mode.Title() == "" {
		form.Fail("mode", "There is no such mode of payment")
	}
	switch f.Status {
	case "", fees.StatusIssued, fees.StatusReversed, fees.StatusReversal, fees.StatusAdjustment, fees.StatusRefund, fees.StatusPending:
	default:
		form.Fail("status", "There is no such status")
	}
	if !v.User.Role.May(fees.PermRegister) {
		f.Cashier = v.User.Login
	}
	return f
}

// formDate reads an optional date.
func formDate(form *Form, name string) fees.Date {
	typed := strings.TrimSpace(form.Value(name))
	if typed == "" {
		return ""
	}
	d, wrong := fees.ParseDate(typed)
	if wrong != nil {
		form.Fail(name, wrong.Message)
	}
	return d
}

// formText reads an optional word or two.
func formText(form *Form, name string) string {
	text, wrong := fees.CleanText(form.Value(name), 100)
	if wrong != nil {
		form.Fail(name, wrong.Message)
	}
	return text
}

// registerQuery is the filter as a query, ready for another cursor or dates.
func registerQuery(form *Form) url.Values {
	q := url.Values{}
	for _, name := range []string{"from", "to", "mode", "head", "class", "cashier", "status"} {
		if typed := strings.TrimSpace(form.Value(name)); typed != "" {
			q.Set(name, typed)
		}
	}
	return q
}

// registerHref is path with the filter q and what set changes in it.
func registerHref(path string, q url.Values, set map[string]string) string {
	changed := url.Values{}
	for name := range q {
		changed.Set(name, q.Get(name))
	}
	for name, value := range set {
		changed.Set(name, value)
	}
	if len(changed) == 0 {
		return path
	}
	return path + "?" + changed.Encode()
}

// registerRanges are the ranges of dates that people ask for most.
func registerRanges(v Visitor, q url.Values) []views.Link {
	inst, today := v.Institute, v.Today
	yearFrom, yearTo, _ := fees.FYRange(inst.FY(today), inst.FYStart)
	ranges := []struct {
		text     string
		from, to fees.Date
	}{
		{"Today", today, today},
		{"Yesterday", today.AddDays(-1), today.AddDays(-1)},
		{"Last 7 days", today.AddDays(-6), today},
		{"This month", today[:8] + "01", today},
		{"FY " + inst.FY(today), yearFrom, yearTo},
	}
	links := []views.Link{}
	for _, r := range ranges {
		links = append(links, views.Link{
			Text:    r.text,
			Href:    registerHref("/receipts", q, map[string]string{"from": string(r.from), "to": string(r.to)}),
			Current: q.Get("from") == string(r.from) && q.Get("to") == string(r.to),
		})
	}
	return links
}
