package fees

import "time"

// The kinds of picture that a logo is kept as.
const (
	LogoPNG  = "image/png"
	LogoJPEG = "image/jpeg"
)

// MaxLogo bounds the file of a logo, in bytes.
const MaxLogo = 300 << 10

// Logo is a picture that stands at the head of an institute's receipts
// (collection logos). It never changes: another picture is another logo, and
// receipts keep the one they were written with.
type Logo struct {
	ID        string    `bson:"_id"` // INSTITUTE:HASH
	Institute string    `bson:"institute"`
	Type      string    `bson:"type"`
	Width     int64     `bson:"width"` // pixels
	Height    int64     `bson:"height"`
	Data      []byte    `bson:"data"` // the file, three colours of 8 bits
	AddedAt   time.Time `bson:"addedAt"`
	AddedBy   string    `bson:"addedBy"` // login
}

// Hash is the name of the logo: SHA-256 of its file, hex.
func (l Logo) Hash() string { return After(l.ID) }
