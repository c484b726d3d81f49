package store

import (
	"context"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"
	"golang.org/x/text/unicode/norm"

	"raseed/store/fees"
)

// passwordCost is OWASP's second choice for argon2id: 19 MiB, two passes, one
// lane (Password Storage Cheat Sheet).
func passwordCost() *argon2id.Params {
	return &argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}
}

// nobodysHash is a hash of that cost. What is typed for a login that does not
// exist is compared with it, so that the answer takes as long as for one that
// does.
const nobodysHash = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdCBvZiBhIG5vYm9keQ$dGhpcyBpcyB0aGUga2V5IHRoYXQgZml0cyBubyBvbmU"

// passwords bounds how many hashes are computed at once: each takes 19 MiB, and
// a flood of logins must not take the counters' memory.
type passwords chan struct{}

func newPasswords() passwords { return make(passwords, 2) }

// enter waits for a turn; the caller calls leave when done.
func (p passwords) enter(ctx context.Context) error {
	select {
	case p <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (p passwords) leave() { <-p }

// checkPassword holds a new password to its length. Any characters will do.
func checkPassword(password string) *fees.Error {
	switch n := utf8.RuneCountInString(password); {
	case !utf8.ValidString(password):
		return fees.Errorf(fees.Invalid, "The password is not valid text")
	case n < 8:
		return fees.Errorf(fees.Invalid, "A password has at least 8 characters")
	case n > 128:
		return fees.Errorf(fees.Invalid, "A password has at most 128 characters")
	}
	return nil
}

// newHash is the hash of a new password, computed when it is its turn.
func (s *Store) newHash(ctx context.Context, password string) (string, error) {
	if err := s.passwords.enter(ctx); err != nil {
		return "", err
	}
	defer s.passwords.leave()
	return hashPassword(password)
}

func hashPassword(password string) (string, error) {
	return argon2id.CreateHash(norm.NFKC.String(password), passwordCost())
}

func matchesPassword(password, hash string) (bool, error) {
	if len(password) > 4*128 {
		password = "" // nobody's: not worth hashing
	}
	return argon2id.ComparePasswordAndHash(norm.NFKC.String(password), hash)
}
