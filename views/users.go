package views

import (
	"raseed/store/fees"
	"raseed/views/ui"
)

// Users is who logs in, with the form that adds one.
type Users struct {
	Rows                  []UsersRow
	Alert                 *ui.AlertView // why one was not added
	Name, Login, Password ui.FieldView
	Role                  ui.SelectView
}

// UsersRow is one person.
type UsersRow struct {
	Name, Login, Role, Since string
	State                    ui.StatusView
}

// UsersOf is the page with the form as typed; a password is never shown again.
func UsersOf(inst fees.Institute, people []fees.User, t Typed) Users {
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
	for _, u := range people {
		row := UsersRow{Name: u.Name, Login: u.Login, Role: u.Role.Title(), Since: Moment(inst, u.CreatedAt), State: ui.StatusView{Kind: "success", Word: "Active"}}
		if u.Disabled {
			row.State = ui.StatusView{Kind: "neutral", Word: "Disabled"}
		}
		v.Rows = append(v.Rows, row)
	}
	return v
}
