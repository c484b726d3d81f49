package browsertest

import (
	"testing"
	"time"

	"raseed/store/fees"
	"raseed/web/webtest"
)

// An hour away from the counter: a login leads back to where one was, on a
// page, in a search and at a press on Record, which then is one receipt.
func TestExpiredSessionLeadsBack(t *testing.T) {
	t.Parallel()
	s := webtest.Start(t, webtest.Options{})
	p := open(t, s)
	login := s.AddUser(t, webtest.Own, fees.RoleCashier)
	again := func() {
		p.at("/login")
		p.sees(byTestID("alert"), "Log in to go on")
		p.fill("Login", login)
		p.fill("Password", webtest.Password)
		p.click("Log in")
	}

	p.visit("/collect/1001?x=1")
	p.inspect("the login page with a way back")
	again()
	p.at("/collect/1001")

	s.Clock.Advance(61 * time.Minute)
	p.fill("Find a student or receipt", "verma")
	again()
	p.at("/collect/1001")

	form := p.address()
	p.fill("Amount (₹)", "700")
	s.Clock.Advance(61 * time.Minute)
	p.click("Record payment")
	again()
	p.at("/collect/1001")
	if at := p.address(); at != form {
		t.Errorf("after the login the form is at %s, want the same one at %s", at, form)
	}
	if n := len(rows(t, s)); n != 0 {
		t.Errorf("an expired session recorded %d rows", n)
	}
	p.fill("Amount (₹)", "700")
	p.click("Record payment")
	p.onReceipt("DPS/26-27/00001")
	onlyRow(t, s, 70000)
}

// After logging out, Back shows nothing of what was there.
func TestLogoutThenBack(t *testing.T) {
	t.Parallel()
	s := webtest.Start(t, webtest.Options{})
	p := open(t, s)
	p.login(s, fees.RoleCashier)
	p.visit("/collect/1001")
	p.sees(".payer", "Asha Verma")
	p.click("Log out")
	p.at("/login")
	p.back()
	p.sees(byTestID("alert"), "Log in to go on")
	p.at("/login")
	if p.has(".payer") {
		t.Error("Back after a logout shows the student")
	}
}
