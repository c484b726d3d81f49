package handlers

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
)

// Searcher finds students and receipts.
type Searcher interface {
	SearchStudents(ctx context.Context, institute, q string, limit int64) ([]fees.Student, error)
	RowsByNumber(ctx context.Context, institute, text string, limit int64) ([]fees.Row, error)
	Balances(ctx context.Context, institute string, students []string) (map[string]fees.Amount, error)
}

// CollectSearch is the counter before a student is on it.
type CollectSearch struct {
	Ledger interface {
		Searcher
		ShiftReader
	}
}

// How much a search shows. Receipts are found by their exact number, which
// repeats only where the number format leaves the year out.
const (
	searchStudents = 12
	searchReceipts = 5
	searchLength   = 100
)

// Get shows the search and what it found; htmx gets only the latter. A query
// with "go" (Enter in the search box) that means exactly one student or
// receipt leads straight there.
func (h CollectSearch) Get(c echo.Context) error {
	query, err := ReadQuery(c)
	if err != nil {
		return err
	}
	q, wrong := fees.CleanText(query.Value("q"), searchLength)
	if wrong != nil {
		query.Fail("q", wrong.Message)
	}
	if refusal := query.Err(); refusal != nil {
		return fees.Errorf(fees.Invalid, "This cannot be searched for: %s", refusal.Fields["q"])
	}
	found := views.Search{Query: q, Symbol: views.Symbol(VisitorOf(c).Institute.Money())}
	if q != "" {
		only, err := h.find(c.Request().Context(), VisitorOf(c).Institute, &found)
		if err != nil {
			return err
		}
		if only != "" && query.Value("go") != "" {
			return SeeOther(c, only)
		}
	}
	if IsHTMX(c) && c.Request().Header.Get("HX-Target") == "results" {
		return Render(c, http.StatusOK, views.Results(found))
	}
	page := views.Collect{Frame: counterFrame(c, "Collect"), Search: found}
	page.Shift = readStrip(c.Request().Context(), h.Ledger, VisitorOf(c))
	return Render(c, http.StatusOK, views.CollectPage(page))
}

// find fills in what was found. only is the address of the one thing that was
// meant: a student whose admission number it is, or whatever is the only hit.
func (h CollectSearch) find(ctx context.Context, inst fees.Institute, s *views.Search) (only string, err error) {
	students, err := h.Ledger.SearchStudents(ctx, inst.Code, s.Query, searchStudents+1)
	if err != nil {
		return "", err
	}
	rows, err := h.Ledger.RowsByNumber(ctx, inst.Code, s.Query, searchReceipts)
	if err != nil {
		return "", err
	}
	if len(students) > searchStudents {
		students, s.More = students[:searchStudents], true
	}
	numbers := make([]string, len(students))
	for i, st := range students {
		numbers[i] = st.AdmissionNo
	}
	balances, err := h.Ledger.Balances(ctx, inst.Code, numbers)
	if err != nil {
		return "", err
	}
	exact, _ := fees.NormalAdmissionNo(s.Query)
	for _, st := range students {
		s.Students = append(s.Students, views.SearchStudentOf(inst, st, balances[st.AdmissionNo]))
		if st.AdmissionNo == exact {
			only = views.CollectHref(st.AdmissionNo)
		}
	}
	for _, row := range rows {
		s.Receipts = append(s.Receipts, views.SearchReceiptOf(inst, row))
	}
	switch {
	case only != "":
	case len(rows) == 1 && len(students) == 0:
		only = s.Receipts[0].Href
	case len(students) == 1 && len(rows) == 0:
		only = s.Students[0].Href
	}
	return only, nil
}
