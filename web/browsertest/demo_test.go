package browsertest

import (
	"strings"
	"testing"

	"raseed/store/demo"
	"raseed/store/fees"
	"raseed/web/webtest"
)

// startDemo serves the demo school.
func startDemo(t *testing.T) *webtest.Server {
	t.Helper()
	s := webtest.Start(t, webtest.Options{Empty: true})
	if err := demo.Fill(t.Context(), s.Store, s.Clock.Now()); err != nil {
		t.Fatal(err)
	}
	return s
}

// loginDemo logs in as the first of the demo's users of a role.
func (p *tab) loginDemo(r fees.Role) {
	p.t.Helper()
	for _, l := range demo.Logins() {
		if l.Role == r {
			p.loginAs(l.Login, l.Password)
			return
		}
	}
	p.t.Fatalf("the demo has no %s", r)
}

// demoRow is the newest receipt of the demo of which so holds.
func demoRow(t *testing.T, s *webtest.Server, so func(fees.Row) bool) fees.Row {
	t.Helper()
	for row, err := range s.Store.RegisterRows(t.Context(), "DPS", fees.RegisterFilter{}) {
		if err != nil {
			t.Fatal(err)
		}
		if so(row) {
			return row
		}
	}
	t.Fatal("the demo has no such receipt")
	return fees.Row{}
}

// demoPayingInParts is the admission number of a student of the demo who paid
// something and still owes for several heads.
func demoPayingInParts(t *testing.T, s *webtest.Server) string {
	t.Helper()
	return demoRow(t, s, func(r fees.Row) bool {
		d, err := s.Store.Dues(t.Context(), r.Institute, r.Student)
		if err != nil {
			t.Fatal(err)
		}
		return r.Kind == fees.KindPayment && r.ReversedBy == "" && len(d.Lines) > 2
	}).Student
}

// awkward adds to the demo what fits least: the longest names, two scripts and
// a huge advance. It returns the receipt.
func awkward(t *testing.T, s *webtest.Server) fees.Row {
	t.Helper()
	st, err := s.Store.SaveStudent(t.Context(), "DPS", fees.Student{
		AdmissionNo: "ADM/2026-27/0000001", Name: strings.Repeat("Wolfeschlegelsteinhausenberger", 4), Class: "Nursery", Section: "Morning",
		Category: "general", Guardian: "محمد عبد الرحمن بن عبد الله, श्रीमती लक्ष्मीनारायण वेंकटेश्वरन",
	}, fees.Actor{Login: "meera", Role: fees.RoleAdmin})
	if err != nil {
		t.Fatal(err)
	}
	row, err := s.Store.RecordPayment(t.Context(), "DPS", fees.PaymentOrder{
		ID: s.Store.NewID(), Student: st.AdmissionNo, Remark: strings.Repeat("x", 200),
		Tenders: []fees.Tender{
			{Mode: fees.ModeCash, Amount: 87_65_43_210_99},
			{Mode: fees.ModeTransfer, Amount: 12_34_567_89, Ref: strings.Repeat("N1", 10)},
		},
		By: fees.Actor{Login: "asha", Name: "Asha Rao", Role: fees.RoleCashier},
	})
	if err != nil {
		t.Fatal(err)
	}
	return row
}
