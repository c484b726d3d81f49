package handlers

import (
	"context"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
)

// RunStarter starts billing runs.
type RunStarter interface {
	BillingReader
	StartRun(ctx context.Context, institute string, o fees.RunOrder) (fees.Run, error)
}

// RunExecutor executes a started run in the background.
type RunExecutor interface {
	ExecuteRun(institute, run string)
}

// BillingRunStart starts a billing run.
type BillingRunStart struct {
	Ledger  RunStarter
	Workers RunExecutor
	NewID   func() string // ULIDs
}

// Post starts the run and leads to its page. The same run_id again leads to the
// same run. A script may leave run_id out: its run gets a new one, and is
// harmless twice, since a second run of a period bills nobody again.
func (h BillingRunStart) Post(c echo.Context) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	again := BillingShow{Ledger: h.Ledger}
	v := VisitorOf(c)
	order := fees.RunOrder{ID: form.Value("run_id"), By: v.Actor()}
	order.Period, order.Class = runScope(form)
	switch form.Value("reprice") {
	case "":
	case "yes":
		order.Reprice = true
	default:
		form.Fail("reprice", "The field reprice is yes, or left out")
	}
	if order.ID == "" {
		order.ID = h.NewID()
	} else if !fees.ValidID(order.ID) {
		form.Fail("run_id", "This form is damaged: choose the period again")
	}
	if refusal := form.refuses("No run was started.", nil); refusal != nil {
		return again.refuse(c, form, refusal)
	}
	ctx, cancel := ledgerWrite(c)
	defer cancel()
	run, err := h.Ledger.StartRun(ctx, v.Institute.Code, order)
	if err != nil {
		return again.refuse(c, form, err)
	}
	if run.State == fees.RunQueued {
		h.Workers.ExecuteRun(v.Institute.Code, fees.After(run.ID))
	}
	return SeeOther(c, "/billing/runs/"+fees.After(run.ID))
}
