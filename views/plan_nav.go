package views

import (
	"net/url"
	"slices"

	"raseed/store/fees"
)

// PlanNav leads through the pages of the fee plan and its years.
type PlanNav struct {
	Tabs  []NavItem
	Years []NavItem // none where a page is of no year
}

// PlanTab is one of the pages of the fee plan, by its address.
type PlanTab string

// The pages of the fee plan.
const (
	TabPlan    PlanTab = "/plan"
	TabPeriods PlanTab = "/plan/periods"
	TabHeads   PlanTab = "/plan/heads"
	TabRules   PlanTab = "/plan/rules"
	TabCopy    PlanTab = "/plan/copy"
	TabImport  PlanTab = "/imports/plan"
)

// PlanNavOf leads from the page at for the year fy, "" for none.
func PlanNavOf(at PlanTab, fy string, years []string) PlanNav {
	var v PlanNav
	for _, tab := range []struct {
		at    PlanTab
		label string
	}{
		{TabPlan, "Plan"}, {TabPeriods, "Periods"}, {TabHeads, "Heads"}, {TabRules, "Siblings and late fees"}, {TabCopy, "Copy a year"}, {TabImport, "Import"},
	} {
		v.Tabs = append(v.Tabs, NavItem{Href: PlanHref(tab.at, fy), Label: tab.label, Current: tab.at == at})
	}
	v.Tabs = append(v.Tabs, NavItem{Href: "/concessions", Label: "Concessions"})
	for _, year := range years {
		v.Years = append(v.Years, NavItem{Href: PlanHref(at, year), Label: year, Current: year == fy})
	}
	return v
}

// PlanHref is the address of a page of the fee plan for a year.
func PlanHref(at PlanTab, fy string) string {
	if fy == "" || at == TabHeads || at == TabImport {
		return string(at)
	}
	return string(at) + "?" + url.Values{"fy": {fy}}.Encode()
}

// PlanPeriodHref is the address of the plan of a period.
func PlanPeriodHref(period string) string {
	return string(TabPlan) + "?" + url.Values{"period": {period}}.Encode()
}

// PlanYears are the years that a plan may be made for: those that have periods,
// this one and the next.
func PlanYears(inst fees.Institute, today fees.Date, periods []fees.Period) []string {
	years := []string{inst.FY(today), inst.FY(today.AddDays(366))}
	for _, p := range periods {
		years = append(years, p.FY)
	}
	slices.Sort(years)
	return slices.Compact(years)
}
