package handlers

import (
	"context"
	"strings"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/ui"
)

// PlanWriter changes a fee plan.
type PlanWriter interface {
	PlanReader
	SavePlan(ctx context.Context, institute string, t fees.PlanTable, version string, by fees.Actor) error
	SplitYear(ctx context.Context, institute string, o fees.YearSplit, by fees.Actor) error
}

// PlanSave changes the plan of a period.
type PlanSave struct {
	Ledger PlanWriter
}

// Post makes the table the period's plan. A row of empty amounts is taken away;
// one of an empty class and category is none. The same form again changes
// nothing, and one that somebody else was faster than is refused.
func (h PlanSave) Post(c echo.Context) error {
	form, err := readForm(c, maxTableValues)
	if err != nil {
		return err
	}
	v := VisitorOf(c)
	table := fees.PlanTable{Period: form.Value("period"), Heads: form.Values("head")}
	grid := typedGrid(form)
	// Every form has a column and the empty row: one without is a part of one,
	// and no order to take the whole plan away.
	if len(grid.Amounts) == 0 || len(grid.Classes) != len(form.Values("class")) || len(grid.Amounts) != len(form.Values("amount")) {
		return fees.Errorf(fees.Invalid, "This form is damaged. Open the plan again.")
	}
	for i, class := range grid.Classes {
		row := fees.PlanTableRow{Class: class, Category: grid.Categories[i], Amounts: map[string]fees.Amount{}}
		typed := strings.TrimSpace(class + grid.Categories[i])
		for j, head := range grid.Heads {
			k := i*len(grid.Heads) + j
			text := strings.TrimSpace(grid.Amounts[k])
			if text == "" {
				continue
			}
			typed += text
			amount, wrong := v.Institute.Money().Parse(text)
			if wrong != nil {
				form.Fail(views.FieldKey("amount", k), wrong.Message)
			}
			row.Amounts[head] = amount
		}
		isNew := i == len(grid.Classes)-1
		if isNew && typed != "" && len(row.Amounts) == 0 {
			form.Fail(views.FieldKey("class", i), "Enter an amount in this row")
		}
		if typed != "" || !isNew {
			table.Rows = append(table.Rows, row)
		}
	}
	if refusal := form.Err(); refusal != nil {
		return h.refuse(c, form, refusal)
	}
	ctx, cancel := ledgerWrite(c)
	defer cancel()
	err = h.Ledger.SavePlan(ctx, v.Institute.Code, table, form.Value("version"), v.Actor())
	if refusal := refusalIn(c, err); refusal != nil {
		form.FailAll(refusal)
		return h.refuse(c, form, refusal)
	}
	if err != nil {
		return err
	}
	return SeeOther(c, savedAt(views.PlanPeriodHref(table.Period)))
}

func (h PlanSave) refuse(c echo.Context, form *Form, why *fees.Error) error {
	sent := planSent{saving: form, notSaved: &ui.AlertView{Kind: "error", Title: why.Message}}
	return PlanShow{Ledger: h.Ledger}.show(c, StatusOf(why.Code), form, sent)
}

// typedGrid is the table as it was sent; without rows when its parts do not
// fit together.
func typedGrid(form *Form) views.PlanGrid {
	g := views.PlanGrid{
		Heads: form.Values("head"), Classes: form.Values("class"), Categories: form.Values("category"),
		Amounts: form.Values("amount"), Version: form.Value("version"),
	}
	if len(g.Classes) != len(g.Categories) || len(g.Amounts) != len(g.Classes)*len(g.Heads) {
		g.Classes, g.Categories, g.Amounts = nil, nil, nil
	}
	return g
}
