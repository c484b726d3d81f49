package store

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"strings"
	"time"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// sealKey is the secret with which an institute's codes are made (collection
// keys). It is made once, and never leaves the store: who has it could make codes
// for receipts that do not exist, though not the receipts.
type sealKey struct {
	ID        string    `bson:"_id"` // INSTITUTE:verify
	Institute string    `bson:"institute"`
	Secret    []byte    `bson:"secret"` // 32 random bytes
	MadeAt    time.Time `bson:"madeAt"`
}

// sealBytes is how much of the HMAC is in a code: half of it, as RFC 2104 has it,
// is not to be guessed and keeps the picture small.
const sealBytes = 16

// VerifyCode is what a row's paper says so that anybody can ask whether it is
// genuine: its key and the seal over it. id is the row's key after the
// institute. Codes: Unavailable.
func (s *Store) VerifyCode(ctx context.Context, institute, id string) (string, error) {
	secret, err := s.secret(ctx, institute)
	if errors.Is(err, docdb.ErrNotFound) {
		secret, err = s.makeSecret(ctx, institute)
	}
	if err != nil {
		return "", outage("seal receipt", err)
	}
	key := fees.Key(institute, id)
	return key + ":" + seal(secret, key), nil
}

func seal(secret []byte, key string) string {
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(key))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:sealBytes])
}

// secret is the institute's; docdb.ErrNotFound before the first paper.
func (s *Store) secret(ctx context.Context, institute string) ([]byte, error) {
	if known, ok := s.secrets.Load(institute); ok {
		return known.([]byte), nil
	}
	var k sealKey
	if err := s.DB.FindOne(ctx, keys, one(institute, fees.Key(institute, "verify")), docdb.Find{}, &k); err != nil {
		return nil, err
	}
	s.secrets.Store(institute, k.Secret)
	return k.Secret, nil
}

// makeSecret makes it; of several at once one is kept.
func (s *Store) makeSecret(ctx context.Context, institute string) ([]byte, error) {
	k := sealKey{ID: fees.Key(institute, "verify"), Institute: institute, Secret: make([]byte, sha256.Size), MadeAt: s.instant()}
	_, _ = rand.Read(k.Secret) // never fails, says its documentation
	if err := s.DB.InsertOne(ctx, keys, k); err != nil && !docdb.IsDuplicate(err) && !errors.Is(err, docdb.ErrUnknownOutcome) {
		return nil, err
	}
	return s.secret(ctx, institute)
}

// wrongCodes is how many codes that are none may be asked for from one address
// within attemptWindow.
const wrongCodes = 30

// Verify is the row that a code on paper names, the row that took it back where
// there is one, and their institute. A code that is none of ours is NotFound, and
// Throttled after 30 from one address within 15 minutes; from is that address. A
// good code is always answered.
func (s *Store) Verify(ctx context.Context, code, from string) (inst fees.Institute, row fees.Row, reversal *fees.Row, err error) {
	key, ok, err := s.openCode(ctx, code)
	if err != nil {
		return inst, row, nil, outage("verify receipt", err)
	}
	if !ok {
		if err := s.countAttempt(ctx, "verify:"+attemptAddress(from), wrongCodes, "codes"); err != nil {
			return inst, row, nil, err
		}
		return inst, row, nil, errNotOurs()
	}
	institute, id, _ := strings.Cut(key, ":")
	if inst, err = s.Institute(ctx, institute); err != nil {
		return inst, row, nil, err
	}
	row, err = s.Row(ctx, institute, id)
	if fees.CodeOf(err) == fees.NotFound {
		return inst, row, nil, errNotOurs()
	}
	if err != nil || row.ReversedBy == "" {
		return inst, row, nil, err
	}
	by, err := s.Row(ctx, institute, fees.After(row.ReversedBy))
	return inst, row, &by, err
}

// openCode is the key in a code; ok is false where its seal is not ours.
func (s *Store) openCode(ctx context.Context, code string) (key string, ok bool, err error) {
	at := strings.LastIndexByte(code, ':')
	if at < 0 {
		return "", false, nil
	}
	key, sealed := code[:at], code[at+1:]
	institute, id, _ := strings.Cut(key, ":")
	if !fees.ValidCode(institute) || !fees.ValidRowID(id) {
		return "", false, nil
	}
	secret, err := s.secret(ctx, institute)
	if errors.Is(err, docdb.ErrNotFound) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	return key, hmac.Equal([]byte(sealed), []byte(seal(secret, key))), nil
}

func errNotOurs() error {
	return fees.Errorf(fees.NotFound, "This code is not one of ours: no receipt was issued with it. If it was typed, scan the paper instead; if it was scanned, ask at the school's office.")
}
