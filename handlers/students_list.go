package handlers

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/ui"
)

// StudentsReader lists students and what they owe.
type StudentsReader interface {
	Students(ctx context.Context, institute, q, after string, limit int64) (fees.Page[fees.Student], error)
	Balances(ctx context.Context, institute string, students []string) (map[string]fees.Amount, error)
}

// StudentsList lists an institute's students, or those that a search finds.
type StudentsList struct {
	Ledger StudentsReader
}

const studentsPage = 50

// Get shows a page of the list. htmx gets the part below the search.
func (h StudentsList) Get(c echo.Context) error {
	form, err := ReadQuery(c)
	if err != nil {
		return err
	}
	ctx, v := c.Request().Context(), VisitorOf(c)
	q, after := strings.TrimSpace(form.Value("q")), form.Value("after")
	if refusal := form.Err(); refusal != nil {
		return refusal
	}
	if after != "" {
		if _, wrong := fees.NormalAdmissionNo(after); wrong != nil {
			return fees.Errorf(fees.Invalid, "That is not a page of this list. Open the list again.")
		}
	}
	page, err := h.Ledger.Students(ctx, v.Institute.Code, q, after, studentsPage)
	if err != nil {
		return err
	}
	numbers := make([]string, len(page.Items))
	for i, s := range page.Items {
		numbers[i] = s.AdmissionNo
	}
	balances, err := h.Ledger.Balances(ctx, v.Institute.Code, numbers)
	if err != nil {
		return err
	}
	view := views.Students{
		Frame:  FrameOf(c, "Students"),
		Search: views.StudentsSearch(q),
		Add:    v.User.Role.May(fees.PermStudentsEdit),
		Import: v.User.Role.May(fees.PermSettings),
		Grants: v.User.Role.May(fees.PermRegister),
		Symbol: views.Symbol(v.Institute.Money()),
		Empty:  emptyStudents(v, q),
	}
	for _, s := range page.Items {
		view.Rows = append(view.Rows, views.StudentsRowOf(v.Institute, s, balances[s.AdmissionNo]))
	}
	if after != "" {
		view.Pager.First = studentsHref(q, "")
	}
	if page.Next != "" {
		view.Pager.Next = studentsHref(q, page.Next)
	}
	if IsHTMX(c) {
		return Render(c, http.StatusOK, views.StudentsPart(view))
	}
	return Render(c, http.StatusOK, views.StudentsPage(view))
}

func studentsHref(q, after string) string {
	query := url.Values{}
	if q != "" {
		query.Set("q", q)
	}
	if after != "" {
		query.Set("after", after)
	}
	if len(query) == 0 {
		return "/students"
	}
	return "/students?" + query.Encode()
}

func emptyStudents(v Visitor, q string) ui.EmptyView {
	switch {
	case q != "":
		return ui.EmptyView{Title: "Nobody found", Hint: "Search by admission number, a part of the name, phone, guardian or family."}
	case v.User.Role.May(fees.PermStudentsEdit):
		return ui.EmptyView{Title: "No students yet", Hint: "Add them one by one here, or import a list from a file."}
	}
	return ui.EmptyView{Title: "No students yet", Hint: "An administrator adds them."}
}
