package mongodb

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/topology"

	"raseed/store/docdb"
)

// meaning names what an error means to the store.
func meaning(err error) string {
	var dup *docdb.DuplicateKeyError
	switch {
	case err == nil:
		return "nil"
	case errors.As(err, &dup):
		return "duplicate in " + dup.Index
	case errors.Is(err, docdb.ErrNotFound):
		return "not found"
	case errors.Is(err, docdb.ErrUnavailable):
		return "unavailable"
	case errors.Is(err, docdb.ErrUnknownOutcome):
		return "unknown outcome"
	default:
		return "fault"
	}
}

const numberTaken = `E11000 duplicate key error collection: ledger.payments index: number dup key: { number: 7, remark: " index: x dup key" }`

func TestWriteErrorsMeanWhatTheStoreActsOn(t *testing.T) {
	dup := mongo.WriteError{Code: 11000, Message: numberTaken}
	onUpdate := mongo.WriteError{Code: 11001, Message: numberTaken}
	invalid := mongo.WriteError{Code: 121, Message: "Document failed validation"}
	lag := &mongo.WriteConcernError{Code: 64, Message: "waiting for replication timed out"}
	keyPattern, err := bson.Marshal(bson.D{{Key: "keyPattern", Value: bson.D{{Key: "_id", Value: 1}}}})
	if err != nil {
		t.Fatal(err)
	}
	unnamed := mongo.WriteError{Code: 11000, Message: "E11000 duplicate key error collection: ledger.payments"}
	bulk := func(wc *mongo.WriteConcernError, errs ...mongo.BulkWriteError) error {
		return mongo.BulkWriteException{WriteErrors: errs, WriteConcernError: wc}
	}
	at := func(i int, e mongo.WriteError) mongo.BulkWriteError {
		e.Index = i
		return mongo.BulkWriteError{WriteError: e}
	}
	for _, c := range []struct {
		name string
		err  error
		sent bool
		want string
	}{
		{"no error", nil, true, "nil"},
		{"no document", mongo.ErrNoDocuments, true, "not found"},

		{"no server", topology.ServerSelectionError{}, false, "unavailable"},
		{"no connection to be had", topology.WaitQueueTimeoutError{}, false, "unavailable"},
		{"connection refused", topology.ConnectionError{Wrapped: &net.OpError{Op: "dial", Err: errors.New("refused")}}, false, "unavailable"},
		{"pool closed", topology.ErrPoolClosed, false, "unavailable"},
		{"client closed", mongo.ErrClientDisconnected, false, "unavailable"},
		{"cancelled before", context.Canceled, false, "unavailable"},
		{"too late before", context.DeadlineExceeded, false, "unavailable"},
		{"a document that cannot be written", mongo.MarshalError{Err: errors.New("no encoder")}, false, "fault"},

		{"no server on the second try", topology.ServerSelectionError{}, true, "unknown outcome"},
		{"cancelled", context.Canceled, true, "unknown outcome"},
		{"too late", fmt.Errorf("operation timed out: %w", context.DeadlineExceeded), true, "unknown outcome"},
		{"connection lost", mongo.CommandError{Labels: []string{"NetworkError"}, Message: "EOF"}, true, "unknown outcome"},
		{"connection lost, with a code", mongo.CommandError{Code: 9, Labels: []string{"NetworkError"}}, true, "unknown outcome"},
		{"stepped down", mongo.CommandError{Code: 189, Message: "PrimarySteppedDown"}, true, "unknown outcome"},
		{"not primary", mongo.CommandError{Code: 10107, Message: "not primary"}, true, "unknown outcome"},
		{"ran out of time", mongo.CommandError{Code: 50, Message: "operation exceeded time limit"}, true, "unknown outcome"},
		{"shut down inside a write", mongo.WriteException{WriteErrors: mongo.WriteErrors{{Code: 11600}}}, true, "unknown outcome"},
		{"labelled retryable", mongo.WriteException{Labels: []string{"RetryableWriteError"}, WriteErrors: mongo.WriteErrors{invalid}}, true, "unknown outcome"},
		{"not on a majority", mongo.WriteException{WriteConcernError: lag}, true, "unknown outcome"},
		{"duplicate, not on a majority", mongo.WriteException{WriteConcernError: lag, WriteErrors: mongo.WriteErrors{dup}}, true, "unknown outcome"},
		{"bulk not on a majority", bulk(lag, at(0, dup)), true, "unknown outcome"},
		{"an exception that says nothing", mongo.WriteException{}, true, "unknown outcome"},

		{"duplicate on insert", mongo.WriteException{WriteErrors: mongo.WriteErrors{dup}}, true, "duplicate in number"},
		{"duplicate on update", mongo.WriteException{WriteErrors: mongo.WriteErrors{onUpdate}}, true, "duplicate in number"},
		{"duplicate in find and modify", mongo.CommandError{Code: 11000, Message: numberTaken}, true, "duplicate in number"},
		{"duplicate of no named index", mongo.WriteException{WriteErrors: mongo.WriteErrors{unnamed}}, true, "duplicate in "},
		{"duplicate of a key pattern", mongo.CommandError{Code: 11000, Raw: keyPattern}, true, "duplicate in _id_"},
		{"first in a bulk is a duplicate", bulk(nil, at(9, invalid), at(3, dup)), true, "duplicate in number"},
		{"first in a bulk is not", bulk(nil, at(9, dup), at(3, invalid)), true, "fault"},
		{"others were at the document", mongo.WriteException{WriteErrors: mongo.WriteErrors{{Code: 112, Message: "WriteConflict"}}}, true, "unavailable"},
		{"too many requests", mongo.CommandError{Code: 16500, Message: "Request rate is large"}, true, "unavailable"},
		{"overloaded", mongo.CommandError{Code: 462, Labels: []string{"SystemOverloadedError", "RetryableError"}}, true, "unavailable"},
		{"busy in the middle of a bulk", bulk(nil, at(3, mongo.WriteError{Code: 16500})), true, "unknown outcome"},
		{"refused", mongo.CommandError{Code: 13, Message: "not authorized"}, true, "fault"},
		{"document refused", mongo.WriteException{WriteErrors: mongo.WriteErrors{invalid}}, true, "fault"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := writeError("insert into", "payments", c.err, c.sent)
			if meaning(got) != c.want {
				t.Fatalf("%#v, sent %v: means %q, want %q (%v)", c.err, c.sent, meaning(got), c.want, got)
			}
			if c.err == nil || c.want == "not found" {
				return
			}
			if !strings.Contains(got.Error(), c.err.Error()) || !strings.Contains(got.Error(), "insert into payments") {
				t.Errorf("%q lost its cause %q or what was done", got, c.err)
			}
		})
	}
}

func TestReadErrorsMeanWhatTheStoreActsOn(t *testing.T) {
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"no error", nil, "nil"},
		{"no document", mongo.ErrNoDocuments, "not found"},
		{"no server", topology.ServerSelectionError{}, "unavailable"},
		{"connection lost", mongo.CommandError{Labels: []string{"NetworkError"}}, "unavailable"},
		{"cancelled", context.Canceled, "unavailable"},
		{"too late", context.DeadlineExceeded, "unavailable"},
		{"stepped down", mongo.CommandError{Code: 189}, "unavailable"},
		{"no majority yet", mongo.CommandError{Code: 134}, "unavailable"},
		{"too many requests", mongo.CommandError{Code: 16500}, "unavailable"},
		{"refused", mongo.CommandError{Code: 2, Message: "unknown operator: $foo"}, "fault"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := readError("find in", "payments", c.err); meaning(got) != c.want {
				t.Fatalf("%#v means %q, want %q", c.err, meaning(got), c.want)
			}
		})
	}
}

func TestNobodyListeningIsUnavailable(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	_, err = Open(t.Context(), "mongodb://asha:s3cret@"+addr+"/ledger?serverSelectionTimeoutMS=300", Options{})
	if meaning(err) != "unavailable" {
		t.Fatalf("open on a closed port: %v, want ErrUnavailable", err)
	}
	if took := time.Since(start); took > 3*time.Second {
		t.Errorf("it took %v to say so, the selection timeout is 300ms", took)
	}
	if strings.Contains(err.Error(), "s3cret") {
		t.Errorf("the password is in the error: %v", err)
	}
}
