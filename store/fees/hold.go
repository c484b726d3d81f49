package fees

import "time"

// HoldTime is how long a hold lasts. The page that has it renews it.
const HoldTime = 2 * time.Minute

// HoldIdle is for how long a page goes on renewing its hold when nobody works at
// it, and HoldRenewal how often it does.
const (
	HoldIdle    = 5 * time.Minute
	HoldRenewal = 45 * time.Second
)

// MaxHold is how long a hold can have to go where the clocks of two processes
// differ.
const MaxHold = 2 * HoldTime

// Hold says who collects from a student at the moment (collection holds). It
// runs out by itself, so that nothing depends on a browser that closes nicely;
// one that has run out is as good as none.
type Hold struct {
	ID        string    `bson:"_id"` // INSTITUTE:ADMISSIONNO
	Institute string    `bson:"institute"`
	Student   string    `bson:"student"`        // admission number
	Holder    string    `bson:"holder"`         // login
	Name      string    `bson:"name"`           // the holder's
	Token     string    `bson:"token"`          // a ULID, of the page that has it
	Form      string    `bson:"form,omitempty"` // the payment's id on the form of that page, a ULID
	Since     time.Time `bson:"since"`          // when that page was opened
	ExpiresAt time.Time `bson:"expiresAt"`

	// TakenFrom is when another page of the same holder, which had the student
	// until this one took over, was opened; zero where there was none.
	TakenFrom time.Time `bson:"-"`
}

// Latest is when the hold has run out at the latest if nobody works at its page
// any more, in whole minutes.
func (h Hold) Latest() time.Time {
	return h.ExpiresAt.Add(HoldRenewal + HoldIdle + time.Minute - 1).Truncate(time.Minute)
}

// Live says whether the hold has not run out at the given instant. One that has
// longer to go than MaxHold is of a clock that was wrong, and would keep the
// student until that comes true.
func (h Hold) Live(at time.Time) bool {
	return h.ExpiresAt.After(at) && !h.ExpiresAt.After(at.Add(MaxHold))
}
