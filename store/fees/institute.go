package fees

import "time"

// Institute is a school or college: the tenant. Every other document belongs
// to exactly one, and its code leads every key.
type Institute struct {
	Code      string    `bson:"_id"` // upper case letters and digits, 1 to 8
	Name      string    `bson:"name"`
	Address   string    `bson:"address,omitempty"` // one line, at most 200 characters
	TimeZone  string    `bson:"tz"`                // IANA name, Asia/Kolkata
	FYStart   int64     `bson:"fyStart"`           // month, 1 to 12, in which the financial year begins
	Currency  string    `bson:"currency"`          // ISO 4217
	Decimals  int64     `bson:"decimals"`          // of the currency: 2 for INR, 3 for KWD, 0 for JPY
	Locale    string    `bson:"locale"`            // how figures are grouped and worded: en-IN, en-US …
	Formats   Formats   `bson:"formats"`
	Footer    string    `bson:"footer,omitempty"`   // what receipts end with, at most 200 characters
	Logo      string    `bson:"logo,omitempty"`     // of its logo: SHA-256, hex
	UPI       string    `bson:"upi,omitempty"`      // the address that UPI payments go to: school@bank
	ClosedTo  Date      `bson:"closedTo,omitempty"` // the books are closed up to and including this day
	CreatedAt time.Time `bson:"createdAt"`
}

// Formats are the number formats of an institute's series, for example
// "{code}/{fy}/{seq:5}" for receipts.
type Formats struct {
	Receipt    string `bson:"receipt"`
	Reversal   string `bson:"reversal"`
	Refund     string `bson:"refund"`
	Adjustment string `bson:"adjustment"`
}
