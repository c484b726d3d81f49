package store

import (
	"context"
	"errors"
	"net/netip"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// How many logins may fail within attemptWindow of the first before more are
// refused unseen. The limit of an account stops guesses at its password; that of
// an address stops guesses over many accounts. An address is a whole school's,
// so it has more, and a try that was refused unseen is not counted against it:
// one person who has forgotten a password takes 5 from it at most.
const (
	attemptWindow     = 15 * time.Minute
	attemptsOfLogin   = 5
	attemptsOfAddress = 50
)

// attempt counts the failed logins of one account or address. It is counted up
// before the password is looked at, so guesses made at once cannot all pass.
type attempt struct {
	ID        string    `bson:"_id"` // login:asha, addr:192.0.2.7
	Count     int64     `bson:"count"`
	ExpiresAt time.Time `bson:"expiresAt"` // the count starts anew then
}

// countAttempt adds an attempt to the key's count and refuses it, Throttled,
// when there are more than limit; what says of what there were too many.
func (s *Store) countAttempt(ctx context.Context, key string, limit int64, what string) error {
	now := s.instant()
	a, err := s.addAttempt(ctx, key, now)
	if err != nil {
		return outage("count attempt", err)
	}
	if a.Count <= limit {
		return nil
	}
	minutes := int64((a.ExpiresAt.Sub(now) + time.Minute - 1) / time.Minute)
	if minutes == 1 {
		return fees.Errorf(fees.Throttled, "Too many wrong %s. Wait 1 minute, then try again.", what)
	}
	return fees.Errorf(fees.Throttled, "Too many wrong %s. Wait %d minutes, then try again.", what, minutes)
}

// addAttempt creates the count by an insert, "already there" being the sign to
// add to it: an upsert that races may answer two callers with one count. A count
// that has longer to go than any can, of a clock that was wrong, has run out too:
// nobody is kept out until that comes true.
func (s *Store) addAttempt(ctx context.Context, key string, now time.Time) (a attempt, err error) {
	longest := now.Add(2 * attemptWindow) // the clocks of two processes differ
	for range 8 {
		err = s.DB.FindOneAndUpdate(ctx, attempts,
			bson.D{{Key: "_id", Value: key}, {Key: "expiresAt", Value: bson.D{{Key: "$gt", Value: now}, {Key: "$lte", Value: longest}}}},
			bson.D{{Key: "$inc", Value: bson.D{{Key: "count", Value: int64(1)}}}},
			docdb.Update{After: true}, &a)
		if !errors.Is(err, docdb.ErrNotFound) {
			return a, err
		}
		// What has run out is still there until the sweeper comes.
		if _, err = s.DB.DeleteOne(ctx, attempts,
			bson.D{{Key: "_id", Value: key}, {Key: "$or", Value: bson.A{
				bson.D{{Key: "expiresAt", Value: bson.D{{Key: "$lte", Value: now}}}},
				bson.D{{Key: "expiresAt", Value: bson.D{{Key: "$gt", Value: longest}}}},
			}}}); err != nil {
			return a, err
		}
		a = attempt{ID: key, Count: 1, ExpiresAt: now.Add(attemptWindow)}
		if err = s.DB.InsertOne(ctx, attempts, a); !docdb.IsDuplicate(err) {
			return a, err
		}
	}
	return a, err
}

// forgiveAttempts is called when the password was right: the account's count
// is cleared, and the address gets back the one that was counted ahead.
func (s *Store) forgiveAttempts(ctx context.Context, login, address string) error {
	if _, err := s.DB.DeleteOne(ctx, attempts, bson.D{{Key: "_id", Value: login}}); err != nil {
		return outage("clear login count", err)
	}
	return s.uncountAttempt(ctx, address)
}

// uncountAttempt gives back one that was counted ahead.
func (s *Store) uncountAttempt(ctx context.Context, key string) error {
	_, err := s.DB.UpdateOne(ctx, attempts,
		bson.D{{Key: "_id", Value: key}, {Key: "count", Value: bson.D{{Key: "$gt", Value: int64(0)}}}},
		bson.D{{Key: "$inc", Value: bson.D{{Key: "count", Value: int64(-1)}}}}, docdb.Update{})
	return outageOrNil("take back login count", err)
}

// attemptAccount is the key of the account's count.
func attemptAccount(login string) string { return "login:" + login }

// attemptAddress is the key of the address's count. An IPv6 customer has a
// whole /64 to guess from.
func attemptAddress(from string) string {
	if ip, err := netip.ParseAddr(from); err == nil {
		ip = ip.Unmap().WithZone("")
		if ip.Is6() {
			if net, err := ip.Prefix(64); err == nil {
				return "addr:" + net.Masked().String()
			}
		}
		return "addr:" + ip.String()
	}
	return "addr:" + from
}
