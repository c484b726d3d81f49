package fees

// Permission is something a role may do.
type Permission string

// The permissions.
const (
	PermCollect      Permission = "collect"        // record payments
	PermReceipts     Permission = "receipts"       // see and print any receipt
	PermRegister     Permission = "register"       // see the whole register and the reports
	PermReverse      Permission = "reverse"        // take receipts back
	PermStudents     Permission = "students"       // see students and what they owe
	PermStudentsEdit Permission = "students_edit"  // add, change and import students
	PermBill         Permission = "bill"           // run billing
	PermCheques      Permission = "cheques"        // deposit, clear and bounce cheques
	PermRefunds      Permission = "refund_approve" // approve refunds and refuse them
	PermTills        Permission = "tills"          // see everybody's tills
	PermTillsClose   Permission = "tills_close"    // close somebody else's till
	PermWaive        Permission = "waive"          // waive late fees and cancel bills that are not paid
	PermSettings     Permission = "settings"       // the institute, plans, number formats, closing the books
	PermUsers        Permission = "users"          // users and their roles
	PermAudit        Permission = "audit"          // the audit log and the integrity check
	PermRepair       Permission = "repair"         // put right what the check found, where it can be derived
)

// Roles are the roles in order of what they may do, the auditor last.
func Roles() []Role { return []Role{RoleCashier, RoleAccountant, RoleAdmin, RoleAuditor} }

// Valid says whether r is a role.
func (r Role) Valid() bool { return r.Title() != "" }

// Title is what people call the role, "" for what is no role.
func (r Role) Title() string {
	switch r {
	case RoleCashier:
		return "Cashier"
	case RoleAccountant:
		return "Accountant"
	case RoleAdmin:
		return "Administrator"
	case RoleAuditor:
		return "Auditor"
	}
	return ""
}

// May says whether r may do p. A cashier collects; an accountant also keeps
// the registers and takes receipts back; an admin does everything; an auditor
// sees everything that was collected and changes nothing.
func (r Role) May(p Permission) bool {
	switch p {
	case PermReceipts, PermStudents:
		return r.Valid()
	case PermCollect:
		return r == RoleCashier || r == RoleAccountant || r == RoleAdmin
	case PermReverse, PermWaive, PermCheques, PermRefunds:
		return r == RoleAccountant || r == RoleAdmin
	case PermRegister, PermAudit, PermTills:
		return r == RoleAccountant || r == RoleAdmin || r == RoleAuditor
	case PermStudentsEdit, PermBill, PermSettings, PermUsers, PermRepair, PermTillsClose:
		return r == RoleAdmin
	}
	return false
}

// BackdateDays is how many days before today r may date a payment.
func (r Role) BackdateDays() int {
	switch r {
	case RoleCashier:
		return 7
	case RoleAccountant, RoleAdmin:
		return 366
	}
	return 0
}
