package wiretest

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
)

// refusal is a command's answer that is an error. Codes and names are those of
// mongod's error_codes.yml.
type refusal struct {
	code   int32
	name   string
	text   string
	labels bson.A
	more   bson.D // fields that go with the code
}

func (r *refusal) Error() string { return fmt.Sprintf("%s (%d): %s", r.name, r.code, r.text) }

func refuse(code int32, name, text string) *refusal {
	return &refusal{code: code, name: name, text: text}
}

// notPrimary is the answer of a server that cannot carry on. A write that the
// driver numbered it may send again.
func notPrimary(command bson.Raw, code int32, name, text string) *refusal {
	r := refuse(code, name, text)
	if !command.Lookup("txnNumber").IsZero() {
		r.labels = bson.A{"RetryableWriteError"}
	}
	return r
}

// reply completes an answer.
func (s *Server) reply(answer bson.D, err error) bson.D {
	if err == nil {
		return append(answer, bson.E{Key: "ok", Value: 1.0})
	}
	r := refusalOf(err)
	out := bson.D{{Key: "ok", Value: 0.0}, {Key: "errmsg", Value: r.text}, {Key: "code", Value: r.code}, {Key: "codeName", Value: r.name}}
	out = append(out, r.more...)
	if r.labels != nil {
		out = append(out, bson.E{Key: "errorLabels", Value: r.labels})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return append(out, bson.E{Key: "topologyVersion", Value: s.topologyVersion()})
}

// refusalOf is an engine's error in mongod's words.
func refusalOf(err error) *refusal {
	var r *refusal
	switch {
	case errors.As(err, &r):
		return r
	case errors.Is(err, context.DeadlineExceeded):
		return refuse(50, "MaxTimeMSExpired", "operation exceeded time limit")
	case errors.Is(err, docdb.ErrUnknownOutcome), errors.Is(err, context.Canceled):
		return refuse(11601, "Interrupted", err.Error())
	case errors.Is(err, docdb.ErrUnavailable):
		return refuse(91, "ShutdownInProgress", err.Error())
	}
	return refuse(2, "BadValue", err.Error())
}

// duplicateOf is E11000 as mongod words it. sources are where the values of the
// index's fields are looked for, first one first.
func (d *database) duplicateOf(coll string, dup *docdb.DuplicateKeyError, sources ...bson.Raw) *refusal {
	paths := []docdb.Key{{Path: "_id"}}
	if k := d.collections[coll]; k != nil {
		for _, x := range k.indexes {
			if x.name == dup.Index {
				paths = x.keys()
			}
		}
	}
	pattern, values := bson.D{}, bson.D{}
	for _, key := range paths {
		direction := int32(1)
		if key.Desc {
			direction = -1
		}
		pattern = append(pattern, bson.E{Key: key.Path, Value: direction})
		for _, doc := range sources {
			if v := lookup(doc, key.Path); !v.IsZero() {
				values = append(values, bson.E{Key: key.Path, Value: v})
				break
			}
		}
	}
	text, err := bson.MarshalExtJSON(values, false, false)
	if err != nil {
		text = nil
	}
	r := refuse(11000, "DuplicateKey", fmt.Sprintf("E11000 duplicate key error collection: %s.%s index: %s dup key: %s", d.name, coll, dup.Index, text))
	r.more = bson.D{{Key: "keyPattern", Value: pattern}, {Key: "keyValue", Value: values}}
	return r
}

// lookup is the value at a dotted path; also of an update, whose fields are
// written with their dots.
func lookup(doc bson.Raw, path string) bson.RawValue {
	if v := doc.Lookup(path); !v.IsZero() {
		return v
	}
	return doc.Lookup(strings.Split(path, ".")...)
}
