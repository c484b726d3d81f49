package fees

import "time"

// Print is one time that a receipt went onto paper, or into a file.
type Print struct {
	ID     string    `bson:"id"` // ULID
	At     time.Time `bson:"at"`
	By     string    `bson:"by"` // login
	Name   string    `bson:"name"`
	Format string    `bson:"format"` // a4, a5, thermal; with " pdf" for a file

	N     int64     `bson:"-"` // which print it is, from 1: all but the first are duplicates
	First time.Time `bson:"-"` // when the first was
}

// Prints is the log of a receipt's prints (collection prints). Its key is the
// row's.
type Prints struct {
	ID        string  `bson:"_id"`
	Institute string  `bson:"institute"`
	Count     int64   `bson:"count"`
	Log       []Print `bson:"log"`            // the first MaxPrintLog of them
	Last      *Print  `bson:"last,omitempty"` // the latest after these
}

// MaxPrintLog is how many prints of one receipt are logged one by one.
const MaxPrintLog = 200

// All are the prints that are logged, each with its N.
func (p Prints) All() []Print {
	all := make([]Print, 0, len(p.Log)+1)
	for i, one := range p.Log {
		one.N, one.First = int64(i)+1, p.Log[0].At
		all = append(all, one)
	}
	if p.Last != nil {
		last := *p.Last
		last.N, last.First = p.Count, p.Log[0].At
		all = append(all, last)
	}
	return all
}
