// Package handlers holds one file per action: decode the form, call the store,
// show a view. Each handler declares the few methods of the store it needs.
package handlers

import (
	"github.com/labstack/echo/v4"

	"raseed/store/fees"
)

// Visitor is who sends a request, taken from the session, never from the
// request itself. Institute is the only tenant the request may touch.
type Visitor struct {
	Institute fees.Institute
	User      fees.User
	From      string    // network address
	Today     fees.Date // at the institute, when the request arrived
}

// Actor is the visitor as the ledger records them.
func (v Visitor) Actor() fees.Actor {
	return fees.Actor{Login: v.User.Login, Name: v.User.Name, Role: v.User.Role, From: v.From}
}

// dates are those that the visitor may date a payment: all from the first to
// the last.
func (v Visitor) dates() (first, last fees.Date) {
	return v.Institute.EarliestDate(v.User.Role, v.Today), v.Today
}

const visitorKey = "raseed.visitor"

// SetVisitor notes who sends the request.
func SetVisitor(c echo.Context, v Visitor) { c.Set(visitorKey, v) }

// VisitorOf is who sends the request; the zero Visitor on public pages.
func VisitorOf(c echo.Context) Visitor {
	v, _ := c.Get(visitorKey).(Visitor)
	return v
}
