package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/labstack/echo/v4"

	"raseed/store/fees"
)

// How long a session lasts. A counter is busy all day, so an hour without a
// request means that nobody is there; the next morning starts with a login.
const (
	sessionIdle = time.Hour
	sessionLife = 12 * time.Hour
	// sessionTouch is how often the idle deadline is moved, so that reading a
	// page does not cost a durable write each time.
	sessionTouch = time.Minute

	// A token of scs is 32 bytes in base64.
	tokenLength = 43
)

// What a session holds. The visitor is read from the store at every request;
// the session only says which one, and how they were when they logged in.
const (
	keyLogin      = "login"
	keyCredential = "credential"
	keyRole       = "role"
	keyBegan      = "began"   // Unix seconds
	keyTouched    = "touched" // Unix seconds
)

// sessions ties scs to our requests. scs's own middleware saves after the
// handler; here a session is saved before anything is written or not at all,
// so that a failing save cannot make a recorded payment look failed.
type sessions struct {
	scs   *scs.SessionManager
	users interface {
		User(ctx context.Context, login string) (fees.User, error)
		Institute(ctx context.Context, code string) (fees.Institute, error)
	}
	now func() time.Time
	log *slog.Logger
}

func newSessions(kept SessionStore, store Store, secure bool, now func() time.Time, log *slog.Logger) *sessions {
	m := scs.New()
	m.Store = idleStore{kept, now}
	m.Codec = sessionCodec{}
	m.HashTokenInStore = true
	m.Cookie.Name = "raseed"
	m.Cookie.HttpOnly = true
	m.Cookie.SameSite = http.SameSiteLaxMode
	m.Cookie.Persist = false // a counter's browser forgets it when closed
	if secure {
		m.Cookie.Name = "__Host-raseed"
		m.Cookie.Secure = true
	}
	return &sessions{scs: m, users: store, now: now, log: log}
}

// Begin starts the user's session under a new token, whatever token the
// request came with.
func (s *sessions) Begin(c echo.Context, u fees.User) error {
	ctx := c.Request().Context()
	s.scs.Put(ctx, keyLogin, u.Login)
	s.scs.Put(ctx, keyCredential, credential(u))
	s.scs.Put(ctx, keyBegan, s.now().Unix())
	return s.renew(c, u.Role)
}

// End destroys the session, here and in the browser.
func (s *sessions) End(c echo.Context) error {
	ctx := c.Request().Context()
	if s.scs.Token(ctx) != "" {
		if err := s.scs.Destroy(ctx); err != nil {
			return fmt.Errorf("end session: %w", err)
		}
	}
	s.scs.WriteSessionCookie(ctx, c.Response(), "", time.Time{})
	noStore(c)
	return nil
}

// renew changes the token, as at every change of what it may do.
func (s *sessions) renew(c echo.Context, role fees.Role) error {
	ctx := c.Request().Context()
	if err := s.scs.RenewToken(ctx); err != nil {
		return fmt.Errorf("renew session: %w", err)
	}
	s.scs.Put(ctx, keyRole, string(role))
	s.scs.Put(ctx, keyTouched, s.now().Unix())
	token, expiry, err := s.scs.Commit(ctx)
	if err != nil {
		return fmt.Errorf("save session: %w", err)
	}
	s.scs.WriteSessionCookie(ctx, c.Response(), token, expiry)
	noStore(c)
	return nil
}

// noStore takes back the weaker caching that scs asks for beside its cookie.
func noStore(c echo.Context) { c.Response().Header().Set("Cache-Control", "no-store") }

// credential is what a login proved, in short: a session ends when the user's
// password or institute becomes another.
func credential(u fees.User) string {
	sum := sha256.Sum256([]byte(u.Institute + "\x00" + u.Password))
	return hex.EncodeToString(sum[:])
}

// idleStore lets a session expire by our clock, sessionIdle after it was last
// saved. That sessionLife has passed is seen when it is loaded.
type idleStore struct {
	SessionStore
	now func() time.Time
}

// CommitCtx saves a session.
func (s idleStore) CommitCtx(ctx context.Context, token string, data []byte, _ time.Time) error {
	return s.SessionStore.CommitCtx(ctx, token, data, s.now().Add(sessionIdle))
}
