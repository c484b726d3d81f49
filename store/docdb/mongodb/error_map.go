package mongodb

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/topology"

	"raseed/store/docdb"
)

// writeError maps the error of a write. What was sent and not definitely
// refused may have been applied.
func writeError(op, coll string, err error, sent bool) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, mongo.ErrNoDocuments):
		return fmt.Errorf("%s %s: %w", op, coll, docdb.ErrNotFound)
	case !sent && unreachable(err):
		return fmt.Errorf("%s %s: %w: %w", op, coll, docdb.ErrUnavailable, err)
	case !sent:
		return fmt.Errorf("%s %s: %w", op, coll, err)
	}
	r, refused := refusalOf(err)
	switch {
	case !refused:
		return fmt.Errorf("%s %s: %w: %w", op, coll, docdb.ErrUnknownOutcome, err)
	case slices.Contains(duplicateCodes, r.code):
		return fmt.Errorf("%s %s: %w: %w", op, coll, &docdb.DuplicateKeyError{Index: r.index()}, err)
	case busy(err) && r.part: // those before it were written
		return fmt.Errorf("%s %s: %w: %w", op, coll, docdb.ErrUnknownOutcome, err)
	case busy(err):
		return fmt.Errorf("%s %s: %w: %w", op, coll, docdb.ErrUnavailable, err)
	default:
		return fmt.Errorf("%s %s: %w", op, coll, err)
	}
}

// readError maps the error of a read, which may simply be asked again.
func readError(op, coll string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, mongo.ErrNoDocuments):
		return fmt.Errorf("%s %s: %w", op, coll, docdb.ErrNotFound)
	case unreachable(err) || interrupted(err) || busy(err):
		return fmt.Errorf("%s %s: %w: %w", op, coll, docdb.ErrUnavailable, err)
	default:
		return fmt.Errorf("%s %s: %w", op, coll, err)
	}
}

// duplicateCodes: on insert, on update, in a capped collection.
var duplicateCodes = []int{11000, 11001, 12582}

// interruptedCodes are answers that leave open what became of the command: the
// server, or the one behind it, stopped, stepped down, lost the network or ran
// out of time. From error_codes.yml of the server.
var interruptedCodes = []int{
	6,     // HostUnreachable
	7,     // HostNotFound
	50,    // MaxTimeMSExpired
	64,    // WriteConcernFailed
	89,    // NetworkTimeout
	91,    // ShutdownInProgress
	134,   // ReadConcernMajorityNotAvailableYet
	189,   // PrimarySteppedDown
	202,   // NetworkInterfaceExceededTimeLimit
	262,   // ExceededTimeLimit
	9001,  // SocketException
	10058, // NotPrimary, as older servers say it
	10107, // NotWritablePrimary
	11600, // InterruptedAtShutdown
	11601, // Interrupted
	11602, // InterruptedDueToReplStateChange
	13435, // NotPrimaryNoSecondaryOk
	13436, // NotPrimaryOrSecondary
}

// busyCodes are answers of a server that did not carry the command out because
// it had too much to do, or others were at the same document.
var busyCodes = []int{
	24,    // LockTimeout
	112,   // WriteConflict
	462,   // IngressRequestRateLimitExceeded
	16500, // a service's limit of requests
}

// busy says that the server answered that it was too busy to begin.
func busy(err error) bool {
	var server mongo.ServerError
	return errors.As(err, &server) &&
		(slices.ContainsFunc(busyCodes, server.HasErrorCode) || server.HasErrorLabel(driver.ErrSystemOverloadedError))
}

// unreachable says that the driver found no server to talk to, no connection,
// or no time, before it had an answer.
func unreachable(err error) bool {
	var (
		selection topology.ServerSelectionError
		queue     topology.WaitQueueTimeoutError
		conn      topology.ConnectionError
		pool      topology.PoolError
		cleared   driver.RetryablePoolError
		network   net.Error
	)
	return errors.As(err, &selection) || errors.As(err, &queue) || errors.As(err, &conn) ||
		errors.As(err, &pool) || errors.As(err, &cleared) || errors.As(err, &network) ||
		errors.Is(err, mongo.ErrClientDisconnected) ||
		errors.Is(err, context.Canceled) || mongo.IsTimeout(err) || mongo.IsNetworkError(err)
}

// interrupted says that the server answered that it could not go on.
func interrupted(err error) bool {
	var server mongo.ServerError
	return errors.As(err, &server) && slices.ContainsFunc(interruptedCodes, server.HasErrorCode)
}

// refusal is a server's definite no to one operation.
type refusal struct {
	code    int
	message string
	raw     bson.Raw
	part    bool // of a write of several documents
}

// refusalOf is the answer by which the server did not carry out a write, the
// first in the order of the operations where there are several.
func refusalOf(err error) (refusal, bool) {
	var (
		command mongo.CommandError
		single  mongo.WriteException
		bulk    mongo.BulkWriteException
		labeled mongo.LabeledError
	)
	if interrupted(err) || (errors.As(err, &labeled) &&
		(labeled.HasErrorLabel(driver.NetworkError) || labeled.HasErrorLabel(driver.RetryableWriteError))) {
		return refusal{}, false
	}
	switch {
	case errors.As(err, &bulk):
		if bulk.WriteConcernError != nil || len(bulk.WriteErrors) == 0 {
			return refusal{}, false
		}
		first := slices.MinFunc(bulk.WriteErrors, func(a, b mongo.BulkWriteError) int { return cmp.Compare(a.Index, b.Index) })
		return refusal{first.Code, first.Message, first.Raw, true}, true
	case errors.As(err, &single):
		if single.WriteConcernError != nil || len(single.WriteErrors) == 0 {
			return refusal{}, false
		}
		first := single.WriteErrors[0]
		return refusal{first.Code, first.Message, first.Raw, false}, true
	case errors.As(err, &command) && command.Code != 0:
		return refusal{int(command.Code), command.Message, command.Raw, false}, true
	default:
		return refusal{}, false
	}
}

// index is the name of the unique index that a duplicate was refused by, ""
// where the server does not tell. The message is the only place that has it:
// "E11000 duplicate key error collection: db.coll index: NAME dup key: {…}".
func (r refusal) index() string {
	if _, after, ok := strings.Cut(r.message, " index: "); ok {
		if name, _, ok := strings.Cut(after, " dup key"); ok {
			return name
		}
	}
	if keys, ok := r.raw.Lookup("keyPattern").DocumentOK(); ok {
		if elements, err := keys.Elements(); err == nil && len(elements) == 1 && elements[0].Key() == "_id" {
			return "_id_"
		}
	}
	return ""
}
