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
	// When and by whose login the user was last disabled, enabled or given
	// another password; empty for one who never was.
	ChangedAt time.Time `bson:"changedAt,omitempty"`
	ChangedBy string    `bson:"changedBy,omitempty"`
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
