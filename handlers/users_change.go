package handlers

import (
	"context"
	"net/url"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/ui"
)

// UserChanger shuts people out, lets them in again and gives them passwords.
type UserChanger interface {
	UsersReader
	SetUserDisabled(ctx context.Context, institute, login string, disabled bool, by fees.Actor) error
	SetPassword(ctx context.Context, institute, login, password string, by fees.Actor) error
}

// UsersChange changes a user of the visitor's own institute.
type UsersChange struct {
	Ledger UserChanger
}

// Post does what the field action says, "disable", "enable" or "password" (with
// the field password), and leads to the list. A refusal shows the list with
// the reason.
func (h UsersChange) Post(c echo.Context) error {
	form, err := ReadForm(c)
	if err != nil {
		return err
	}
	action, password := form.Value("action"), form.Value("password")
	refusal := form.Err()
	if refusal == nil {
		if err = h.change(c, action, password); err == nil {
			return SeeOther(c, savedAt("/users"))
		}
		if refusal = refusalIn(c, err); refusal == nil {
			return err
		}
		form.FailAll(refusal)
	}
	view, unread := UsersList{Ledger: h.Ledger}.view(c, typedForm(url.Values{}))
	if unread != nil {
		if err == nil {
			err = refusal
		}
		return err // which says what became of the user
	}
	view.Notice = &ui.AlertView{Kind: "error", Title: refusal.Message}
	if action == "password" {
		view.Unfold(c.Param("login"), form.Problem("password"))
	}
	return renderPart(c, StatusOf(refusal.Code), "Users", views.UsersPart(view))
}

func (h UsersChange) change(c echo.Context, action, password string) error {
	ctx, cancel := ledgerWrite(c)
	defer cancel()
	v, login := VisitorOf(c), c.Param("login")
	switch action {
	case "disable":
		if login == v.User.Login {
			return fees.Errorf(fees.Invalid, "This is your own account. Another administrator can disable it.")
		}
		return h.Ledger.SetUserDisabled(ctx, v.Institute.Code, login, true, v.Actor())
	case "enable":
		return h.Ledger.SetUserDisabled(ctx, v.Institute.Code, login, false, v.Actor())
	case "password":
		return h.Ledger.SetPassword(ctx, v.Institute.Code, login, password, v.Actor())
	}
	return fees.Errorf(fees.Invalid, "Nothing was changed: a user is disabled, enabled or given a password.")
}
