package web

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"raseed/handlers"
	"raseed/store/fees"
)

// load finds the request's session and its visitor. The user is read from the
// store each time: one who was disabled, or became something else, is so at
// once. On a public page an unreachable store only means that nobody is known.
func (s *sessions) load(access Access) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			err := s.find(c)
			if err != nil && access != Public {
				return err
			}
			if err != nil {
				s.log.Warn("session not read", "id", requestID(c), "error", err)
			}
			return next(c)
		}
	}
}

func (s *sessions) find(c echo.Context) error {
	ctx, err := s.scs.Load(c.Request().Context(), s.token(c))
	if err != nil {
		// An empty session never fails: there is nothing to look for.
		empty, _ := s.scs.Load(c.Request().Context(), "")
		c.SetRequest(c.Request().WithContext(empty))
		return fmt.Errorf("find session: %w", err)
	}
	c.SetRequest(c.Request().WithContext(ctx))
	login := s.scs.GetString(ctx, keyLogin)
	if login == "" {
		return nil
	}
	if s.now().Sub(time.Unix(s.scs.GetInt64(ctx, keyBegan), 0)) >= sessionLife {
		return s.End(c)
	}
	u, err := s.users.User(ctx, login)
	if fees.CodeOf(err) == fees.NotFound || err == nil && (u.Disabled || credential(u) != s.scs.GetString(ctx, keyCredential)) {
		return s.End(c)
	}
	if err != nil {
		return fmt.Errorf("find user of session: %w", err)
	}
	inst, err := s.users.Institute(ctx, u.Institute)
	if err != nil {
		return fmt.Errorf("find institute of session: %w", err)
	}
	if s.scs.GetString(ctx, keyRole) != string(u.Role) {
		if err := s.renew(c, u.Role); err != nil {
			return err
		}
	} else if c.Request().Method == http.MethodGet {
		s.touch(ctx, c)
	}
	handlers.SetVisitor(c, handlers.Visitor{Institute: inst, User: u, From: c.RealIP(), Today: inst.Today(s.now())})
	return nil
}

// touch moves the idle deadline. Failing to is no reason to refuse a page.
func (s *sessions) touch(ctx context.Context, c echo.Context) {
	now := s.now()
	if now.Sub(time.Unix(s.scs.GetInt64(ctx, keyTouched), 0)) < sessionTouch {
		return
	}
	s.scs.Put(ctx, keyTouched, now.Unix())
	if _, _, err := s.scs.Commit(ctx); err != nil {
		s.log.Warn("session not prolonged", "id", requestID(c), "error", err)
	}
}

// token is the cookie's, or "" for anything that cannot be one.
func (s *sessions) token(c echo.Context) string {
	cookie, err := c.Cookie(s.scs.Cookie.Name)
	if err != nil || len(cookie.Value) != tokenLength {
		return ""
	}
	return cookie.Value
}
