package browsertest

import (
	"net/url"
	"testing"

	"raseed/store/fees"
)

// place is a page to look at: where it is, and what must be on it.
type place struct{ path, shows string }

// Every page of every role, with a week of a school's life on it and with what
// fits least, by day and by night, on a desk and on a phone.
func TestPages(t *testing.T) {
	if testing.Short() {
		t.Skip("looks at every page, which the flows do in part")
	}
	t.Parallel()
	s := startDemo(t)
	long := awkward(t, s)
	reversed := demoRow(t, s, func(r fees.Row) bool { return r.ReversedBy != "" })
	split := demoRow(t, s, func(r fees.Row) bool { return len(r.Tenders) > 1 && r.ReversedBy == "" && r.ID != long.ID })
	owing := demoPayingInParts(t, s)
	code, err := s.Store.VerifyCode(t.Context(), long.Institute, long.ShortID())
	if err != nil {
		t.Fatal(err)
	}
	receipt := func(r fees.Row) string { return "/receipts/" + r.ShortID() }
	student := func(no string) string { return "/students/" + url.PathEscape(no) }
	collect := func(no string) string { return "/collect/" + url.PathEscape(no) }

	for _, tt := range []struct {
		role   fees.Role
		places []place
	}{
		{"", []place{
			{"/login", "Log in"},
			{"/login?next=%2Freceipts", "You will come back"},
			{"/no/such/page", "no such page"},
			{"/verify/" + url.PathEscape(code), long.NumberText},
			{"/verify/no-such-code", "not one of ours"},
		}},
		{fees.RoleCashier, []place{
			{"/collect", "Who is paying?"},
			{"/collect?q=sharma", "Sharma"},
			{"/collect?q=" + url.QueryEscape(split.NumberText), split.NumberText},
			{"/collect?q=nobody+at+all", "Nobody found"},
			{collect(owing), "Total due"},
			{collect(long.Student), "Nothing is due"},
			{"/collect/family/1002", "All children"},
			{"/collect/family/" + url.PathEscape(long.Student), "family"},
			{"/till", "Open till"},
			{"/refunds", "Refunds"},
			{"/refunds/new?student=" + url.QueryEscape(long.Student), "Ask for the refund"},
			{"/refunds/new?receipt=" + split.ShortID(), "Refund"},
			{receipt(split), split.NumberText},
			{receipt(long), long.NumberText},
			{receipt(long) + "/print", long.NumberText},
			{receipt(long) + "/print?format=a4", long.NumberText},
			{receipt(long) + "/print?format=thermal", long.NumberText},
			{"/receipts", "My receipts"},
			{"/students", "Students"},
			{"/billing", "not open to the role"},
			{"/no/such/page", "no such page"},
		}},
		{fees.RoleAccountant, []place{
			{"/receipts", long.NumberText},
			{"/receipts?status=reversed", "Reversed"},
			{"/receipts?from=2026-12-24", "No receipts match"},
			{"/receipts?from=2026-12-24&to=2026-01-01", "before"},
			{receipt(split), "Reverse receipt"},
			{receipt(reversed), "Reversed by"},
			{receipt(reversed) + ":reversal", "Reverses"},
			{receipt(reversed) + "/print", "Reversed by"},
			{"/students?q=wolfe", long.Student},
			{student(long.Student), "in credit"},
			{student(reversed.Student), reversed.NumberText},
			{"/reports/series", "Every number is there"},
			{"/cheques", "Cheques"},
			{"/cheques?state=deposited", "Cheques"},
			{"/cheques?state=cleared", "Cheques"},
			{"/cheques?state=bounced", "Cheques"},
			{"/cheques?from=2026-12-24&to=2026-01-01", "Cheques"},
			{"/refunds?state=paid", "Refunds"},
			{"/tills", "Tills"},
		}},
		{fees.RoleAdmin, []place{
			{"/billing", "2026-27/T1"},
			{"/students", "Add student"},
			{"/students?q=nobody+at+all", ""},
			{"/students/new", "Save student"},
			{student(long.Student) + "/edit", "Save student"},
			{"/users", "Add user"},
			{"/settings", "Close the books"},
		}},
		{fees.RoleAuditor, []place{
			{"/receipts", long.NumberText},
			{receipt(split), split.NumberText},
			{student(long.Student), "in credit"},
			{"/reports/series", "Every number is there"},
		}},
	} {
		name := string(tt.role)
		if tt.role == "" {
			name = "nobody"
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := open(t, s)
			if tt.role != "" {
				p.loginDemo(tt.role)
			}
			p.expect("status of 404", "status of 403", "status of 422")
			for _, at := range tt.places {
				p.visit(at.path)
				p.sees("#main, .desk", at.shows)
				p.inspect(at.path)
			}
		})
	}
}
