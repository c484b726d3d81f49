package views

import (
	"fmt"
	"net/url"

	"raseed/store/fees"
	"raseed/views/ui"
)

// Users is who logs in, with the form that adds one.
type Users struct {
	Rows                  []UsersRow
	Notice                *ui.AlertView // that one was saved, or why one was not changed
	Alert                 *ui.AlertView // why one was not added
	Name, Login, Password ui.FieldView
	Role                  ui.SelectView
}

// UsersRow is one person and what can be done with their account.
type UsersRow struct {
	Name, Login, Role, Since string
	State                    ui.StatusView
	Changed                  string // when and by whom, "" for never
	Action                   string // where changes are posted
	Own                      bool   // the visitor's own account
	Disabled                 bool
	Open                     bool // the password's form is unfolded
	Password                 ui.FieldView
}

// UsersOf is the page with the form as typed; a password is never shown again.
// own is the visitor's login.
func UsersOf(inst fees.Institute, own string, people []fees.User, t Typed) Users {
	v := Users{
		Name:  ui.FieldView{Name: "name", Label: "Name", Value: t.Value("name"), Error: t.Problem("name"), Required: true, Autocomplete: "off"},
		Login: ui.FieldView{Name: "login", Label: "Login", Value: t.Value("login"), Error: t.Problem("login"), Required: true, Autocomplete: "off"},
		Password: ui.FieldView{
			Name: "password", Label: "Password", Type: "password", Error: t.Problem("password"), Hint: "At least 8 characters",
			Required: true, Autocomplete: "new-password",
		},
	}
	roles := []ui.Option{}
	for _, r := range fees.Roles() {
		roles = append(roles, ui.Option{Value: string(r), Label: r.Title()})
	}
	v.Role = selectOf(t, "role", "Role", roles)
	for i, u := range people {
		row := UsersRow{
			Name: u.Name, Login: u.Login, Role: u.Role.Title(), Since: Moment(inst, u.CreatedAt), State: ui.StatusView{Kind: "success", Word: "Active"},
			Action: "/users/" + url.PathEscape(u.Login), Own: u.Login == own, Disabled: u.Disabled,
			Password: ui.FieldView{
				ID: fmt.Sprintf("password-%d", i+1), Name: "password", Label: "New password", Type: "password",
				Hint: "At least 8 characters. Ends their sessions.", Required: true, Autocomplete: "new-password",
			},
		}
		if row.Own {
			row.Password.Hint = "At least 8 characters. You log in again with it."
		}
		if u.Disabled {
			row.State = ui.StatusView{Kind: "neutral", Word: "Disabled"}
		}
		if u.ChangedBy != "" {
			row.Changed = Moment(inst, u.ChangedAt) + " by " + u.ChangedBy
		}
		v.Rows = append(v.Rows, row)
	}
	return v
}

// Unfold shows a user's password form open, with what was wrong in it.
func (v *Users) Unfold(login, problem string) {
	for i := range v.Rows {
		if v.Rows[i].Login == login {
			v.Rows[i].Open = true
			v.Rows[i].Password.Error = problem
		}
	}
}
