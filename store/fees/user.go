package fees

import "time"

// User is a person who logs in. Logins are unique over all institutes, since
// the login page does not ask for one; a user belongs to exactly one.
type User struct {
	Login     string    `bson:"_id"` // lower case
	Institute string    `bson:"institute"`
	Name      string    `bson:"name"`
	Role      Role      `bson:"role"`
	Password  string    `bson:"password"` // argon2id, encoded
	Disabled  bool      `bson:"disabled,omitempty"`
	CreatedAt time.Time `bson:"createdAt"`
}

// Role is what a user does at the school.
type Role string

// The roles.
const (
	RoleCashier    Role = "cashier"
	RoleAccountant Role = "accountant"
	RoleAdmin      Role = "admin"
	RoleAuditor    Role = "auditor"
)
