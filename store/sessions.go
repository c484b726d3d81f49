package store

import (
	"bytes"
	"context"
	"errors"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
)

// Sessions keeps the web's sessions in the store. It is an scs.CtxStore; tokens
// are hashed before they get here (scs's HashTokenInStore).
type Sessions struct{ s *Store }

// Sessions is where the web keeps its sessions.
func (s *Store) Sessions() Sessions { return Sessions{s} }

// session is a document of the sessions collection.
type session struct {
	Token     string    `bson:"_id"`
	Data      []byte    `bson:"data"`
	ExpiresAt time.Time `bson:"expiresAt"`
	Ended     bool      `bson:"ended,omitempty"`
}

// sessionGrain is how much an expiry may move without being written: a page
// that only looks at its session then costs no durable write.
const sessionGrain = time.Minute

// FindCtx is the data of a session; one that has expired or ended is not found.
func (ss Sessions) FindCtx(ctx context.Context, token string) ([]byte, bool, error) {
	found, err := ss.read(ctx, token)
	if err != nil || found.Ended || !found.ExpiresAt.After(ss.s.instant()) {
		return nil, false, err
	}
	return found.Data, true, nil
}

func (ss Sessions) read(ctx context.Context, token string) (session, error) {
	var found session
	err := ss.s.DB.FindOne(ctx, sessions, bson.D{{Key: "_id", Value: token}}, docdb.Find{}, &found)
	if errors.Is(err, docdb.ErrNotFound) {
		return session{}, nil
	}
	return found, outageOrNil("read session", err)
}

// CommitCtx writes a session. One that ended meanwhile stays ended; and an
// expiry that moved by less than a minute, and nothing else, is let be.
func (ss Sessions) CommitCtx(ctx context.Context, token string, data []byte, expiry time.Time) error {
	var err error
	for range writeAttempts {
		kept, unread := ss.read(ctx, token)
		if unread != nil || kept.Ended {
			return unread
		}
		moved := expiry.Sub(kept.ExpiresAt).Abs()
		if bytes.Equal(kept.Data, data) && moved < sessionGrain && kept.ExpiresAt.After(ss.s.instant()) {
			return nil
		}
		if err = ss.write(ctx, token, data, expiry); err == nil {
			return nil
		}
		// A duplicate is a session that ended or began just now: look again.
		if !docdb.IsDuplicate(err) && !errors.Is(err, docdb.ErrUnknownOutcome) {
			return outage("write session", err)
		}
	}
	return outageOrNil("write session", err)
}

// write is an upsert because the last writer wins: to run twice or at once
// cannot matter.
func (ss Sessions) write(ctx context.Context, token string, data []byte, expiry time.Time) error {
	_, err := ss.s.DB.UpdateOne(ctx, sessions,
		bson.D{{Key: "_id", Value: token}, {Key: "ended", Value: bson.D{{Key: "$exists", Value: false}}}},
		bson.D{{Key: "$set", Value: bson.D{
			{Key: "data", Value: data},
			{Key: "expiresAt", Value: expiry.UTC().Truncate(time.Millisecond)},
		}}}, docdb.Update{Upsert: true})
	return err
}

// DeleteCtx ends a session; one that is not there is ended already. Its token
// stays until it would have expired: a request that was under way when somebody
// logged out writes its session afterwards, and must not revive it.
func (ss Sessions) DeleteCtx(ctx context.Context, token string) error {
	_, err := ss.s.DB.UpdateOne(ctx, sessions, bson.D{{Key: "_id", Value: token}},
		bson.D{
			{Key: "$set", Value: bson.D{{Key: "ended", Value: true}}},
			{Key: "$unset", Value: bson.D{{Key: "data", Value: ""}}},
		}, docdb.Update{})
	return outageOrNil("end session", err)
}

// Find is FindCtx without a context.
func (ss Sessions) Find(token string) ([]byte, bool, error) {
	return ss.FindCtx(context.Background(), token)
}

// Commit is CommitCtx without a context.
func (ss Sessions) Commit(token string, data []byte, expiry time.Time) error {
	return ss.CommitCtx(context.Background(), token, data, expiry)
}

// Delete is DeleteCtx without a context.
func (ss Sessions) Delete(token string) error { return ss.DeleteCtx(context.Background(), token) }
