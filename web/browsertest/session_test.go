package browsertest

import (
	"testing"
	"time"

	"raseed/store/fees"
	"raseed/web/webtest"
)

// An hour away from the counter: a login leads back to where one was, and over
// a page that is open nothing is lost; a press on Record then is one receipt.
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

	// The hour runs out while a form is open: the password is asked for over the
	// page, and everything on it stays.
	p.expect("status of 401", "status of 422")
	over := func(password string) {
		p.sees("#login-over", "Log in again")
		p.focused("over-password")
		if got := p.value("#over-login"); got != login {
			t.Errorf("the login over the page is for %q, want %q", got, login)
		}
		p.keys(password + "\r")
	}
	form := p.address()
	p.fill("Amount (₹)", "700")
	s.Clock.Advance(61 * time.Minute)
	p.click("Record payment")
	p.sees("#login-over", "What you typed is kept")
	p.inspect("a login over the counter")
	p.shoot("login-over")
	over("not the password")
	p.sees("#login-over "+byTestID("alert"), "Not logged in")
	over(webtest.Password)
	p.sees("#alerts", "You are logged in again")
	p.gone("#login-over")
	if at := p.address(); at != form {
		t.Errorf("after the login the form is at %s, want the same one at %s", at, form)
	}
	if got := p.value("Amount (₹)"); got != "700" {
		t.Errorf("after the login the amount is %q, want it as it was typed", got)
	}
	if n := len(rows(t, s)); n != 0 {
		t.Errorf("an expired session recorded %d rows", n)
	}
	p.keys("\r") // the cursor is on Record
	p.onReceipt("DPS/26-27/00001")
	onlyRow(t, s, 70000)

	// A search asks as well, once, however much is typed on.
	p.visit("/collect")
	s.Clock.Advance(61 * time.Minute)
	p.fill("Find a student or receipt", "verma")
	over(webtest.Password)
	p.gone("#login-over")
	p.fill("Find a student or receipt", "khan")
	p.sees("table.hits", "Zoya Khan")

	// Who logs in as somebody else begins with a page of their own.
	p.visit("/collect/1001")
	s.Clock.Advance(61 * time.Minute)
	p.fill("Find a student or receipt", "verma")
	p.sees("#login-over", "somebody else begins a new page")
	p.fill("#over-login", s.AddUser(t, webtest.Own, fees.RoleAdmin))
	p.fill("#over-password", webtest.Password)
	p.click("#login-over button")
	p.sees(".who", "Administrator")
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
