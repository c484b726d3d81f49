package handlers

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
)

// ConcessionsReader lists concessions.
type ConcessionsReader interface {
	Heads(ctx context.Context, institute string) ([]fees.Head, error)
	Classes(ctx context.Context, institute string) ([]string, error)
	Concessions(ctx context.Context, institute string, f fees.ConcessionFilter, after string, limit int64) (fees.Page[fees.ConcessionEntry], error)
}

// ConcessionsList lists the concessions of an institute.
type ConcessionsList struct {
	Ledger ConcessionsReader
}

const concessionsPage = 50

// Get shows a page of the concessions that the filter selects.
func (h ConcessionsList) Get(c echo.Context) error {
	form, err := ReadQuery(c)
	if err != nil {
		return err
	}
	ctx, v := c.Request().Context(), VisitorOf(c)
	filter := fees.ConcessionFilter{Head: form.Value("head"), Reason: strings.TrimSpace(form.Value("reason")), Class: form.Value("class")}
	after := form.Value("after")
	if refusal := form.Err(); refusal != nil {
		return refusal
	}
	heads, err := h.Ledger.Heads(ctx, v.Institute.Code)
	if err != nil {
		return err
	}
	classes, err := h.Ledger.Classes(ctx, v.Institute.Code)
	if err != nil {
		return err
	}
	page, err := h.Ledger.Concessions(ctx, v.Institute.Code, filter, after, concessionsPage)
	if err != nil {
		return err
	}
	view := views.ConcessionsOf(v.Institute, form, heads, classes, page.Items)
	view.Import = v.User.Role.May(fees.PermSettings)
	if after != "" {
		view.Pager.First = concessionsHref(filter, "")
	}
	if page.Next != "" {
		view.Pager.Next = concessionsHref(filter, page.Next)
	}
	return renderPart(c, http.StatusOK, "Concessions", views.ConcessionsPart(view))
}

func concessionsHref(f fees.ConcessionFilter, after string) string {
	query := url.Values{}
	for name, value := range map[string]string{"head": f.Head, "reason": f.Reason, "class": f.Class, "after": after} {
		if value != "" {
			query.Set(name, value)
		}
	}
	return "/concessions?" + query.Encode()
}
