package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
)

// AuditPage shows each series of numbers and whether it is whole, and what else
// the audit found.
type AuditPage struct {
	Desk *AuditDesk
}

// Get shows the ledger as it is now where it can be read while the page loads,
// else as it was last checked, and how far the check is. htmx, which asks again
// until the check is over, gets what is known.
func (h AuditPage) Get(c echo.Context) error {
	ctx, inst := c.Request().Context(), VisitorOf(c).Institute
	var state auditState
	if IsHTMX(c) {
		if state = h.Desk.state(inst.Code); state.last == nil && !state.running && state.failed == "" {
			state = h.Desk.fresh(ctx, inst.Code, 0) // the server began anew meanwhile
		}
		return Render(c, http.StatusOK, views.AuditPart(h.view(c, state)))
	}
	state = h.Desk.fresh(ctx, inst.Code, auditPatience)
	return Render(c, http.StatusOK, views.AuditPage(FrameOf(c, "Audit"), h.view(c, state)))
}

func (h AuditPage) view(c echo.Context, s auditState) views.Audit {
	v := VisitorOf(c)
	view := views.AuditOf(v.Institute, s.last)
	view.Checked = views.AuditChecked(v.Institute, s.lastAt, s.took)
	view.MayRepair = v.User.Role.May(fees.PermRepair)
	view.Failed = s.failed
	if s.running {
		view.Progress = views.AuditProgress(v.Institute, s.rows, s.repairing)
	}
	if s.repair != nil {
		view.Repair = views.RepairOf(v.Institute, s.repair.by, s.repair.at, s.repair.done)
	}
	return view
}

// Check has the ledger checked anew and leads to the page.
func (h AuditPage) Check(c echo.Context) error {
	h.Desk.start(c.Request().Context(), VisitorOf(c).Institute.Code, &audit{}, 0)
	return SeeOther(c, "/reports/series")
}

// Repair has what can be derived put right and leads to the page, which says
// what was done.
func (h AuditPage) Repair(c echo.Context) error {
	v := VisitorOf(c)
	by := v.Actor()
	h.Desk.start(c.Request().Context(), v.Institute.Code, &audit{by: &by}, auditPatience)
	return SeeOther(c, "/reports/series")
}
