package web

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"raseed/handlers"
	"raseed/store/fees"
)

// Access is what a route asks of its visitor: Public, LoggedIn, or a
// permission (Access(fees.PermCollect)) that the visitor's role must have.
// The zero value is refused at start, so that no route is public by omission.
type Access string

// The accesses that are not permissions.
const (
	Public   Access = "public"
	LoggedIn Access = "logged-in"
)

// can is the access of those whose role has permission p.
func can(p fees.Permission) Access { return Access(p) }

// Route is one line of the table. Path is echo's pattern; a parameter reaches
// the handler decoded ("A%2F12-B" is "A/12-B").
type Route struct {
	Method, Path string
	Access       Access
	Handler      echo.HandlerFunc
}

// Routes is the one table of everything the server answers, save for the
// embedded files under /static.
func (s *Server) Routes() []Route {
	const get, post = http.MethodGet, http.MethodPost
	papers := handlers.Papers{Ledger: s.Store, Origin: s.originOf}
	files := handlers.ReceiptPDF{Papers: papers, Logos: s.Store, Fonts: s.fonts}
	return []Route{
		{get, "/healthz", Public, handlers.Healthz},
		{get, "/readyz", Public, handlers.Readyz{Store: s.Store}.Get},
		{get, "/setup/:token", Public, s.firstRun.Get},
		{post, "/setup/:token", Public, s.firstRun.Post},

		{get, "/login", Public, handlers.Login{Store: s.Store, Sessions: s.sessions, PageAt: s.pageAt}.Get},
		{post, "/login", Public, handlers.Login{Store: s.Store, Sessions: s.sessions, PageAt: s.pageAt}.Post},
		{post, "/logout", Public, handlers.Logout{Ledger: s.Store, Sessions: s.sessions}.Post},

		{get, "/", LoggedIn, handlers.HomeShow},
		{get, "/collect", can(fees.PermCollect), handlers.CollectSearch{Ledger: s.Store}.Get},
		{get, "/collect/:student", can(fees.PermCollect), handlers.CollectShow{Ledger: s.Store, NewID: s.NewID}.Get},
		{get, "/collect/*", can(fees.PermCollect), handlers.CollectShow{Ledger: s.Store, NewID: s.NewID}.Get}, // an admission number whose slashes are written as they are
		{post, "/collect/:student/hold", can(fees.PermCollect), handlers.HoldKeep{Ledger: s.Store}.Post},
		{post, "/collect/:student/hold/release", can(fees.PermCollect), handlers.HoldKeep{Ledger: s.Store}.Release},
		{get, "/collect/family/:student", can(fees.PermCollect), handlers.FamilyShow{Ledger: s.Store, NewID: s.NewID}.Get},
		{post, "/collect/family/:student/hold", can(fees.PermCollect), handlers.FamilyHold{Ledger: s.Store}.Post},
		{post, "/collect/family/:student/hold/release", can(fees.PermCollect), handlers.FamilyHold{Ledger: s.Store}.Release},
		{post, "/payments/family", can(fees.PermCollect), handlers.FamilyRecord{Ledger: s.Store, NewID: s.NewID}.Post},
		{get, "/receipts/family/:id", can(fees.PermReceipts), handlers.FamilyReceipts{Ledger: s.Store, PDF: files}.Get},
		{get, "/receipts/family/:id/print", can(fees.PermReceipts), handlers.FamilyReceipts{Ledger: s.Store, PDF: files}.Print},
		{get, "/collect/:student/upi.svg", can(fees.PermCollect), handlers.CollectUPI{Ledger: s.Store}.Get},
		{post, "/payments", can(fees.PermCollect), handlers.PaymentsRecord{Ledger: s.Store, NewID: s.NewID}.Post},
		{get, "/receipts/:id", can(fees.PermReceipts), handlers.ReceiptShow{Ledger: s.Store, PDF: files}.Get},
		{get, "/receipts/:id/print", can(fees.PermReceipts), handlers.ReceiptPrint{Papers: papers}.Get},

		{get, "/receipts", can(fees.PermReceipts), handlers.ReceiptsList{Ledger: s.Store}.Get},
		{get, "/receipts.csv", can(fees.PermReceipts), handlers.ReceiptsList{Ledger: s.Store}.CSV},
		{post, "/receipts/:id/reverse", can(fees.PermReverse), handlers.ReceiptReverse{Ledger: s.Store}.Post},
		{get, "/cheques", can(fees.PermRegister), handlers.Cheques{Ledger: s.Store, NewID: s.NewID}.Get},
		{post, "/cheques/deposit", can(fees.PermCheques), handlers.Cheques{Ledger: s.Store, NewID: s.NewID}.Deposit},
		{post, "/cheques/clear", can(fees.PermCheques), handlers.Cheques{Ledger: s.Store, NewID: s.NewID}.Clear},
		{get, "/cheques/deposits/:id", can(fees.PermRegister), handlers.ChequeShow{Ledger: s.Store}.Slip},
		{get, "/cheques/:id", can(fees.PermRegister), handlers.ChequeShow{Ledger: s.Store}.Get},
		{post, "/cheques/:id/bounce", can(fees.PermCheques), handlers.ChequeShow{Ledger: s.Store}.Bounce},
		{get, "/refunds", can(fees.PermReceipts), handlers.RefundsList{Ledger: s.Store}.Get},
		{get, "/refunds/new", can(fees.PermCollect), handlers.RefundsAsk{Ledger: s.Store, NewID: s.NewID}.Get},
		{post, "/refunds", can(fees.PermCollect), handlers.RefundsAsk{Ledger: s.Store, NewID: s.NewID}.Post},
		{get, "/refunds/:id", can(fees.PermReceipts), handlers.RefundShow{Ledger: s.Store}.Get},
		{post, "/refunds/:id/approve", can(fees.PermRefunds), handlers.RefundShow{Ledger: s.Store}.Approve},
		{post, "/refunds/:id/refuse", can(fees.PermRefunds), handlers.RefundShow{Ledger: s.Store}.Refuse},
		{get, "/reports/series", can(fees.PermAudit), handlers.AuditPage{Desk: s.audits}.Get},
		{post, "/reports/series/check", can(fees.PermAudit), handlers.AuditPage{Desk: s.audits}.Check},
		{post, "/reports/series/repair", can(fees.PermRepair), handlers.AuditPage{Desk: s.audits}.Repair},

		{get, "/till", can(fees.PermReceipts), handlers.Tills{Ledger: s.Store, NewID: s.NewID}.Own},
		{post, "/till/open", can(fees.PermCollect), handlers.Tills{Ledger: s.Store, NewID: s.NewID}.Open},
		{post, "/till/drops", can(fees.PermCollect), handlers.Tills{Ledger: s.Store, NewID: s.NewID}.Drop},
		{post, "/till/close", can(fees.PermCollect), handlers.Tills{Ledger: s.Store, NewID: s.NewID}.Close},
		{get, "/tills", can(fees.PermTills), handlers.Tills{Ledger: s.Store, NewID: s.NewID}.List},
		{get, "/tills/:id", can(fees.PermReceipts), handlers.Tills{Ledger: s.Store, NewID: s.NewID}.Show},
		{get, "/tills/:id/print", can(fees.PermReceipts), handlers.Tills{Ledger: s.Store, NewID: s.NewID}.Print},
		{post, "/tills/:id/close", can(fees.PermTillsClose), handlers.Tills{Ledger: s.Store, NewID: s.NewID}.CloseOther},

		{get, "/students", can(fees.PermStudents), handlers.StudentsList{Ledger: s.Store}.Get},
		{post, "/students", can(fees.PermStudentsEdit), handlers.StudentSave{Ledger: s.Store}.Post},
		{get, "/students/new", can(fees.PermStudentsEdit), handlers.StudentForm{Ledger: s.Store}.New},
		{get, "/students/:student", can(fees.PermStudents), handlers.StudentShow{Ledger: s.Store}.Get},
		{post, "/students/:student/bills/waive", can(fees.PermWaive), handlers.BillCorrect{Ledger: s.Store}.Waive},
		{post, "/students/:student/bills/cancel", can(fees.PermWaive), handlers.BillCorrect{Ledger: s.Store}.Cancel},
		{post, "/students/:student/bills/leave", can(fees.PermWaive), handlers.BillCorrect{Ledger: s.Store}.Leave},
		{get, "/students/:student/edit", can(fees.PermStudentsEdit), handlers.StudentForm{Ledger: s.Store}.Edit},

		{get, "/billing", can(fees.PermBill), handlers.BillingShow{Ledger: s.Store}.Get},
		{post, "/billing/preview", can(fees.PermBill), handlers.BillingPreview{Ledger: s.Store, NewID: s.NewID}.Post},
		{post, "/billing/runs", can(fees.PermBill), handlers.BillingRunStart{Ledger: s.Store, Workers: s.workers, NewID: s.NewID}.Post},
		{get, "/billing/runs/:id", can(fees.PermBill), handlers.BillingRunShow{Ledger: s.Store, Now: s.Now}.Get},
		{post, "/billing/runs/:id/cancel", can(fees.PermBill), handlers.BillingRunCancel{Ledger: s.Store}.Post},

		{get, "/billing/late-fees", can(fees.PermBill), handlers.LateFees{Ledger: s.Store}.Get},
		{post, "/billing/late-fees", can(fees.PermBill), handlers.LateFees{Ledger: s.Store}.Post},
		{get, "/billing/charges", can(fees.PermBill), handlers.Charges{Ledger: s.Store, NewID: s.NewID}.Get},
		{post, "/billing/charges", can(fees.PermBill), handlers.Charges{Ledger: s.Store, NewID: s.NewID}.Post},
		{post, "/billing/charges/preview", can(fees.PermBill), handlers.Charges{Ledger: s.Store, NewID: s.NewID}.Preview},

		{get, "/plan", can(fees.PermSettings), handlers.PlanShow{Ledger: s.Store}.Get},
		{post, "/plan", can(fees.PermSettings), handlers.PlanSave{Ledger: s.Store}.Post},
		{post, "/plan/split", can(fees.PermSettings), handlers.PlanSplit{Ledger: s.Store}.Post},
		{get, "/plan/periods", can(fees.PermSettings), handlers.PlanPeriods{Ledger: s.Store}.Get},
		{post, "/plan/periods", can(fees.PermSettings), handlers.PlanPeriods{Ledger: s.Store}.Add},
		{post, "/plan/periods/due", can(fees.PermSettings), handlers.PlanPeriods{Ledger: s.Store}.Move},
		{post, "/plan/periods/remove", can(fees.PermSettings), handlers.PlanPeriods{Ledger: s.Store}.Remove},
		{get, "/plan/heads", can(fees.PermSettings), handlers.PlanHeads{Ledger: s.Store}.Get},
		{post, "/plan/heads", can(fees.PermSettings), handlers.PlanHeads{Ledger: s.Store}.Save},
		{post, "/plan/heads/new", can(fees.PermSettings), handlers.PlanHeads{Ledger: s.Store}.Add},
		{get, "/plan/rules", can(fees.PermSettings), handlers.PlanRules{Ledger: s.Store}.Get},
		{post, "/plan/rules", can(fees.PermSettings), handlers.PlanRules{Ledger: s.Store}.Post},
		{get, "/plan/copy", can(fees.PermSettings), handlers.PlanCopy{Ledger: s.Store}.Get},
		{post, "/plan/copy/preview", can(fees.PermSettings), handlers.PlanCopy{Ledger: s.Store}.Preview},
		{post, "/plan/copy", can(fees.PermSettings), handlers.PlanCopy{Ledger: s.Store}.Post},
		{get, "/imports/:kind", can(fees.PermSettings), handlers.Imports{Ledger: s.Store}.Get},
		{post, "/imports/:kind", can(fees.PermSettings), handlers.Imports{Ledger: s.Store}.Check},
		{post, "/imports/:kind/commit", can(fees.PermSettings), handlers.Imports{Ledger: s.Store}.Commit},
		{get, "/concessions", can(fees.PermRegister), handlers.ConcessionsList{Ledger: s.Store}.Get},
		{get, "/students/:student/concessions", can(fees.PermRegister), handlers.ConcessionShow{Ledger: s.Store}.Get},
		{post, "/students/:student/concessions", can(fees.PermSettings), handlers.ConcessionSave{Ledger: s.Store}.Post},
		{post, "/students/:student/concessions/end", can(fees.PermSettings), handlers.ConcessionSave{Ledger: s.Store}.End},

		{get, "/users", can(fees.PermUsers), handlers.UsersList{Ledger: s.Store}.Get},
		{post, "/users", can(fees.PermUsers), handlers.UsersAdd{Ledger: s.Store}.Post},
		{post, "/users/:login", can(fees.PermUsers), handlers.UsersChange{Ledger: s.Store}.Post},
		{get, "/settings", can(fees.PermSettings), handlers.SettingsShow},
		{post, "/settings", can(fees.PermSettings), handlers.SettingsSave{Ledger: s.Store}.Post},
		{post, "/settings/receipts", can(fees.PermSettings), handlers.SettingsReceipts{Ledger: s.Store}.Post},
		{post, "/settings/logo", can(fees.PermSettings), handlers.SettingsLogo{Ledger: s.Store}.Post},
		{post, "/settings/logo/remove", can(fees.PermSettings), handlers.SettingsLogo{Ledger: s.Store}.Remove},
		{get, "/logo/:hash", can(fees.PermReceipts), handlers.LogoShow{Ledger: s.Store}.Get},
		{get, "/verify/:code", Public, handlers.VerifyShow{Ledger: s.Store}.Get},
		{post, "/settings/close", can(fees.PermSettings), handlers.SettingsClose{Ledger: s.Store}.Post},
	}
}
