package fees_test

import (
	"strings"
	"testing"

	"raseed/store/fees"
)

func TestRoles(t *testing.T) {
	all := []fees.Permission{
		fees.PermCollect, fees.PermReceipts, fees.PermRegister, fees.PermReverse, fees.PermStudents, fees.PermStudentsEdit,
		fees.PermBill, fees.PermCheques, fees.PermRefunds, fees.PermTills, fees.PermTillsClose, fees.PermWaive, fees.PermSettings, fees.PermUsers, fees.PermAudit, fees.PermRepair,
	}
	may := map[fees.Role]string{
		fees.RoleCashier:    "collect receipts students",
		fees.RoleAccountant: "collect receipts register reverse students cheques refund_approve tills waive audit",
		fees.RoleAdmin:      "collect receipts register reverse students students_edit bill cheques refund_approve tills tills_close waive settings users audit repair",
		fees.RoleAuditor:    "receipts register students tills audit",
		"":                  "",
		"Admin":             "",
		"root":              "",
	}
	for role, list := range may {
		var got []string
		for _, p := range all {
			if role.May(p) {
				got = append(got, string(p))
			}
		}
		if strings.Join(got, " ") != list {
			t.Errorf("%q may %v, want %q", role, got, list)
		}
		if role.May("everything") || role.May("") {
			t.Errorf("%q may do what is no permission", role)
		}
		if role.Valid() != (list != "") {
			t.Errorf("%q counts as a role: %t", role, role.Valid())
		}
	}
	days := map[fees.Role]int{fees.RoleCashier: 7, fees.RoleAccountant: 366, fees.RoleAdmin: 366, fees.RoleAuditor: 0, "root": 0}
	for role, want := range days {
		if got := role.BackdateDays(); got != want {
			t.Errorf("%q may go back %d days, want %d", role, got, want)
		}
	}
	var titles []string
	for _, r := range fees.Roles() {
		titles = append(titles, r.Title())
	}
	if got := strings.Join(titles, ", "); got != "Cashier, Accountant, Administrator, Auditor" {
		t.Errorf("the roles are %s", got)
	}
}
