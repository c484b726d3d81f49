package handlers

import (
	"context"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views/ui"
)

// UserAdder adds people who log in.
type UserAdder interface {
	UsersReader
	AddUser(ctx context.Context, institute, login, name string, role fees.Role, password string) (fees.User, error)
}

// UsersAdd adds a user to the visitor's own institute.
type UsersAdd struct {
	Ledger UserAdder
}

// Post adds a user and leads to the list. A refusal shows the form again with
// what was typed, save for the password.
func (h UsersAdd) Post(c echo.Context) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	login, name, role, password := form.Value("login"), form.Value("name"), form.Value("role"), form.Value("password")
	refusal := form.Err()
	if refusal == nil {
		ctx, cancel := ledgerWrite(c)
		defer cancel()
		_, err = h.Ledger.AddUser(ctx, VisitorOf(c).Institute.Code, login, name, fees.Role(role), password)
		if err == nil {
			return SeeOther(c, savedAt("/users"))
		}
		if refusal = refusalIn(c, err); refusal == nil {
			return err
		}
		form.FailAll(refusal)
	}
	if unshown := (UsersList{Ledger: h.Ledger}).show(c, StatusOf(refusal.Code), form, &ui.AlertView{Kind: "error", Title: refusal.Message}); unshown != nil {
		if err == nil {
			err = refusal
		}
		return err // which says what became of the user
	}
	return nil
}
