package handlers

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/ui"
)

// RulesWriter changes the rules of a year.
type RulesWriter interface {
	Periods(ctx context.Context, institute string) ([]fees.Period, error)
	Heads(ctx context.Context, institute string) ([]fees.Head, error)
	Rules(ctx context.Context, institute, fy string) (fees.Rules, error)
	SaveRules(ctx context.Context, institute string, rules fees.Rules, by fees.Actor) (fees.Rules, error)
}

// PlanRules are the sibling and late fee rules of a year.
type PlanRules struct {
	Ledger RulesWriter
}

// How many empty rows a form of rules has.
const (
	spareSiblings = 2
	spareSlabs    = 2
)

// Get shows the rules of the year fy.
func (h PlanRules) Get(c echo.Context) error {
	form, err := ReadQuery(c)
	if err != nil {
		return err
	}
	v := VisitorOf(c)
	fy, err := planYear(v, form)
	if err != nil {
		return err
	}
	rules, err := h.Ledger.Rules(c.Request().Context(), v.Institute.Code, fy)
	if err != nil {
		return err
	}
	saved := savedAlert(form, "The rules are saved")
	return h.show(c, http.StatusOK, fy, typedForm(rulesTyped(v.Institute.Money(), rules)), saved)
}

func (h PlanRules) show(c echo.Context, status int, fy string, form *Form, alert *ui.AlertView) error {
	ctx, v := c.Request().Context(), VisitorOf(c)
	periods, err := h.Ledger.Periods(ctx, v.Institute.Code)
	if err != nil {
		return err
	}
	heads, err := h.Ledger.Heads(ctx, v.Institute.Code)
	if err != nil {
		return err
	}
	for range spareSiblings {
		form.values.Add("sibling_rank", "")
		form.values.Add("sibling_head", fees.Any)
		form.values.Add("sibling_kind", string(fees.ConcessionPercent))
		form.values.Add("sibling_value", "")
	}
	for range spareSlabs {
		form.values.Add("late_slab_days", "")
		form.values.Add("late_slab_amount", "")
	}
	view := views.PlanRulesOf(fy, form, heads)
	view.Nav = views.PlanNavOf(views.TabRules, fy, views.PlanYears(v.Institute, v.Today, periods))
	view.Alert = alert
	return renderPart(c, status, "Siblings and late fees", views.PlanRulesPart(view))
}

// rulesTyped are rules as if they had been typed.
func rulesTyped(money fees.Currency, rules fees.Rules) url.Values {
	amount := func(a fees.Amount) string {
		if a == 0 {
			return ""
		}
		return money.Plain(a)
	}
	values := url.Values{"version": {strconv.FormatInt(rules.Version, 10)}}
	for _, r := range rules.Siblings {
		values.Add("sibling_rank", strconv.FormatInt(r.Rank, 10))
		values.Add("sibling_head", r.Head)
		values.Add("sibling_kind", string(r.Kind))
		if r.Kind == fees.ConcessionPercent {
			values.Add("sibling_value", r.Percent.String())
		} else {
			values.Add("sibling_value", money.Plain(r.Amount))
		}
	}
	late := rules.Late
	values.Set("late_kind", string(late.Kind))
	values.Set("late_head", late.Head)
	values.Set("late_amount", amount(late.Amount))
	values.Set("late_cap", amount(late.Cap))
	if late.GraceDays > 0 {
		values.Set("late_grace", strconv.FormatInt(late.GraceDays, 10))
	}
	if late.StopAtHalf {
		values.Set("late_stop", "yes")
	}
	for _, slab := range late.Slabs {
		values.Add("late_slab_days", strconv.FormatInt(slab.AfterDays, 10))
		values.Add("late_slab_amount", money.Plain(slab.Amount))
	}
	return values
}

// Post saves the rules of a year. The same form again changes nothing, and one
// that somebody else was faster than is refused.
func (h PlanRules) Post(c echo.Context) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	v := VisitorOf(c)
	rules := fees.Rules{FY: form.Value("fy")}
	var damaged error
	if rules.Version, damaged = strconv.ParseInt(form.Value("version"), 10, 64); damaged != nil {
		return fees.Errorf(fees.Invalid, "This form is damaged. Open the rules again.")
	}
	form.Require("sibling_rank", "late_kind")
	dropEmptyRows(form, "sibling_value", "sibling_rank", "sibling_head", "sibling_kind")
	dropEmptyRows(form, "late_slab_amount", "late_slab_days")
	rules.Siblings = typedSiblings(form, v.Institute.Money())
	rules.Late = typedLate(form, v.Institute.Money())
	refusal := form.Err()
	if refusal == nil {
		ctx, cancel := ledgerWrite(c)
		defer cancel()
		_, err := h.Ledger.SaveRules(ctx, v.Institute.Code, rules, v.Actor())
		if err == nil {
			return SeeOther(c, savedAt(views.PlanHref(views.TabRules, rules.FY)))
		}
		if refusal = refusalIn(c, err); refusal == nil {
			return err
		}
		form.FailAll(refusal)
	}
	fy, err := planYear(v, form)
	if err != nil {
		return err
	}
	return h.show(c, StatusOf(refusal.Code), fy, form, &ui.AlertView{Kind: "error", Title: refusal.Message})
}

// dropEmptyRows takes the rows out of repeated fields in which nothing is typed
// into the first two of them.
func dropEmptyRows(form *Form, names ...string) {
	kept := map[string][]string{}
	for i := range max(len(form.Values(names[0])), len(form.Values(names[1]))) {
		at := func(name string) string {
			if all := form.Values(name); i < len(all) {
				return all[i]
			}
			return ""
		}
		if strings.TrimSpace(at(names[0])+at(names[1])) == "" {
			continue
		}
		for _, name := range names {
			kept[name] = append(kept[name], at(name))
		}
	}
	for _, name := range names {
		form.values[name] = kept[name]
	}
}

func typedSiblings(form *Form, money fees.Currency) []fees.SiblingRule {
	var rules []fees.SiblingRule
	for i, rank := range form.Values("sibling_rank") {
		r := fees.SiblingRule{Head: form.Values("sibling_head")[i], Kind: fees.ConcessionKind(form.Values("sibling_kind")[i])}
		var err error
		if r.Rank, err = strconv.ParseInt(strings.TrimSpace(rank), 10, 16); err != nil {
			form.Fail(views.FieldKey("sibling_rank", i), "Enter 2 for the second child, and so on")
		}
		var wrong *fees.Error
		if r.Kind == fees.ConcessionPercent {
			r.Percent, wrong = fees.ParsePercent(form.Values("sibling_value")[i])
		} else {
			r.Amount, wrong = money.Parse(form.Values("sibling_value")[i])
		}
		if wrong != nil {
			form.Fail(views.FieldKey("sibling_value", i), wrong.Message)
		}
		rules = append(rules, r)
	}
	return rules
}

// typedLate is the late fee; of a kind, only the fields that it has are read.
func typedLate(form *Form, money fees.Currency) fees.LateRule {
	r := fees.LateRule{Kind: fees.LateKind(form.Value("late_kind")), Head: form.Value("late_head"), StopAtHalf: form.Value("late_stop") != ""}
	if r.IsZero() {
		return fees.LateRule{}
	}
	whole := func(field, text string) int64 {
		if text = strings.TrimSpace(text); text == "" {
			return 0
		}
		n, err := strconv.ParseInt(text, 10, 16)
		if err != nil {
			form.Fail(field, "Enter a number of days")
		}
		return n
	}
	amount := func(field, text string) fees.Amount {
		if strings.TrimSpace(text) == "" {
			return 0
		}
		a, wrong := money.Parse(text)
		if wrong != nil {
			form.Fail(field, wrong.Message)
		}
		return a
	}
	r.GraceDays, r.Cap = whole("late_grace", form.Value("late_grace")), amount("late_cap", form.Value("late_cap"))
	if r.Kind != fees.LateSlabs {
		r.Amount = amount("late_amount", form.Value("late_amount"))
		return r
	}
	for i, days := range form.Values("late_slab_days") {
		r.Slabs = append(r.Slabs, fees.LateSlab{
			AfterDays: whole(views.FieldKey("late_slab_days", i), days),
			Amount:    amount(views.FieldKey("late_slab_amount", i), form.Values("late_slab_amount")[i]),
		})
	}
	return r
}
