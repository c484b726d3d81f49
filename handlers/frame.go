package handlers

import (
	"strings"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
)

// place is somewhere in the rail, for those who may go there.
type place struct {
	href, label, icon string
	needs             fees.Permission
}

// places are all there are, in the order of the rail.
func places() []place {
	return []place{
		{"/collect", "Collect", "collect", fees.PermCollect},
		{"/receipts", "Receipts", "receipts", fees.PermReceipts},
		{"/till", "Till", "till", fees.PermReceipts},
		{"/cheques", "Cheques", "cheques", fees.PermRegister},
		{"/refunds", "Refunds", "refunds", fees.PermReceipts},
		{"/students", "Students", "students", fees.PermStudents},
		{"/billing", "Billing", "billing", fees.PermBill},
		{"/plan", "Fee plan", "plan", fees.PermSettings},
		{"/reports/series", "Audit", "audit", fees.PermAudit},
		{"/users", "Users", "users", fees.PermUsers},
		{"/settings", "Settings", "settings", fees.PermSettings},
	}
}

// FrameOf is the frame of a page for whoever sends the request: their
// institute and the places of their role. Without a visitor it is the bare
// frame of a public page.
func FrameOf(c echo.Context, title string) views.Frame {
	v := VisitorOf(c)
	if v.User.Login == "" {
		return views.Frame{Title: title, Public: true}
	}
	f := views.Frame{
		Title:     title,
		Institute: v.Institute.Name,
		User:      v.User.Name,
		Login:     v.User.Login,
		Role:      v.User.Role.Title(),
		Search:    "/students",
		SearchFor: "Find a student",
	}
	if v.Today != "" {
		f.FY = v.Institute.FY(v.Today)
	}
	if strings.HasPrefix(v.Institute.Locale, "en-") { // the words are English
		f.Lang = v.Institute.Locale
	}
	if v.User.Role.May(fees.PermCollect) {
		f.Search, f.SearchFor = "/collect", "Find a student or receipt"
	}
	path := c.Request().URL.Path
	for _, p := range places() {
		if v.User.Role.May(p.needs) {
			f.Nav = append(f.Nav, views.NavItem{Href: p.href, Label: p.label, Icon: p.icon, Current: within(path, p.href)})
		}
	}
	return f
}

// within says whether path is place or below it; recording a payment belongs
// to the counter, an import to the plan, tills to the till, and concessions to
// the students.
func within(path, place string) bool {
	switch {
	case path == "/payments", path == "/payments/family":
		path = "/collect"
	case strings.HasPrefix(path, "/imports/"):
		path = "/plan"
	case path == "/tills" || strings.HasPrefix(path, "/tills/"):
		path = "/till"
	case path == "/concessions":
		path = "/students"
	}
	return path == place || strings.HasPrefix(path, place+"/")
}
