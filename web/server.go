// Package web is the server: its configuration, the one table of routes, what
// every request passes before its handler, sessions, the mapping of errors to
// responses, and the workers beside the requests.
package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"raseed/handlers"
	"raseed/static"
	"raseed/views/pdf"
)

// How long a connection may take. The write timeout leaves room for a large
// register on a slow line; requestDeadline ends the work before it.
const (
	readHeaderTimeout = 10 * time.Second
	readTimeout       = 30 * time.Second
	writeTimeout      = 60 * time.Second
	idleTimeout       = 2 * time.Minute
	maxHeaderBytes    = 64 << 10

	// shutdownTimeout is longer than any handler may take, so that a payment
	// in flight is answered.
	shutdownTimeout = 45 * time.Second
)

// Deps is what main passes in.
type Deps struct {
	Store    Store
	Sessions SessionStore
	Now      func() time.Time
	NewID    func() string // ULIDs
	Log      *slog.Logger
}

// Server answers requests and runs the workers.
type Server struct {
	Config
	Deps
	echo     *echo.Echo
	sessions *sessions
	firstRun *handlers.FirstRun
	workers  *Workers
	audits   *handlers.AuditDesk
	fonts    *pdf.Fonts
	pages    map[string]bool // the patterns of the pages behind the login
}

// New makes a server on an open store. On an empty one it answers nothing but
// the first-run page, see SetupPath.
func New(ctx context.Context, cfg Config, d Deps) (*Server, error) {
	s := &Server{Config: cfg, Deps: d, workers: NewWorkers(d.Store, d.Log), audits: handlers.NewAuditDesk(d.Store, d.Now, d.Log), fonts: pdf.NewFonts(), pages: map[string]bool{}}
	s.sessions = newSessions(d.Sessions, d.Store, cfg.Secure(), d.Now, d.Log)
	s.firstRun = handlers.NewFirstRun(d.Store, s.sessions)
	if _, err := s.firstRun.Pending(ctx); err != nil {
		return nil, fmt.Errorf("look for an institute: %w", err)
	}
	guard, err := newCrossOrigin(cfg.PublicURL)
	if err != nil {
		return nil, err
	}

	e := echo.New()
	e.IPExtractor = ipExtractor(cfg.TrustedProxies)
	e.HTTPErrorHandler = s.respondError
	e.Use(tagRequest, s.logRequest, s.recoverPanic, s.secureHeaders)
	e.GET("/static/*", echo.WrapHandler(static.Handler()))
	for _, r := range s.Routes() {
		access, err := s.requireAccess(r.Access)
		if err != nil {
			return nil, fmt.Errorf("route %s %s: %w", r.Method, r.Path, err)
		}
		chain := []echo.MiddlewareFunc{limitBody, limitTime, guard.check, s.requireSetup(r.Path), readAddress, s.sessions.load(r.Access), access}
		e.Add(r.Method, r.Path, r.Handler, chain...)
		if r.Method == http.MethodGet {
			e.Add(http.MethodHead, r.Path, r.Handler, chain...)
			s.pages[r.Path] = r.Access != Public
		}
	}
	s.echo = e
	return s, nil
}

// SetupPath is the one-time path of the first-run page, "" once an institute
// exists. It is a secret: whoever opens it first owns the store.
func (s *Server) SetupPath(ctx context.Context) string {
	if pending, _ := s.firstRun.Pending(ctx); pending {
		return "/setup/" + s.firstRun.Token
	}
	return ""
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.echo.ServeHTTP(w, r) }

// Serve answers on ln and runs the workers until ctx ends. Then it accepts
// nothing more, finishes the requests in flight, and stops the workers; the
// store may be closed after it returns.
func (s *Server) Serve(ctx context.Context, ln net.Listener) error {
	hs := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(s.Log.Handler(), slog.LevelDebug),
	}
	// The workers outlive ctx until the last request is answered: a payment
	// in flight may still want its number swept in.
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	var workers sync.WaitGroup
	workers.Go(func() { s.workers.Run(work) })

	served := make(chan error, 1)
	go func() { served <- hs.Serve(ln) }()
	var err error
	select {
	case err = <-served:
	case <-ctx.Done():
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
		defer cancel()
		if err = hs.Shutdown(last); err != nil {
			err = errors.Join(err, hs.Close())
		}
	}
	stop()
	s.audits.Close()
	workers.Wait()
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}
