package wiretest

import (
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// Command is one command on its way to the server.
type Command struct {
	Name string // "insert", "update" …
	Coll string // "" where it is about none
	N    int    // the how-many-th of that name and collection since the plan was made, from 1
	Doc  bson.Raw
}

// Write says whether the command changes a document.
func (c Command) Write() bool {
	switch c.Name {
	case "insert", "update", "delete", "findAndModify":
		return true
	}
	return false
}

// Fault is what happens to a command. The zero Fault passes it.
type Fault struct {
	Kind Kind
	For  time.Duration // of the delays
}

// Kind is a kind of Fault.
type Kind int

// The kinds of faults.
const (
	Pass         Kind = iota
	CutBefore         // the connection ends; the server never sees the command
	DropAnswer        // the server carries it out; then the connection ends
	CutAnswer         // … after half of the answer
	Swallow           // the server carries it out; no answer comes, the connection stays
	DelayAnswer       // the answer comes late
	DelayCommand      // the command comes late, even if the driver has gone by then
)

func (k Kind) String() string {
	return [...]string{"pass", "cut before", "drop answer", "cut answer", "swallow", "delay answer", "delay command"}[k]
}
