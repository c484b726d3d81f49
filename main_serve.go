package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"syscall"
	"time"

	"raseed/store"
	"raseed/web"
)

type serveCommand struct {
	storeFlag
	Addr         string   `default:"127.0.0.1:8080" env:"RASEED_ADDR" help:"Address to listen on, host:port."`
	PublicURL    string   `env:"RASEED_PUBLIC_URL" placeholder:"URL" help:"What people type, such as https://fees.example.org, when a proxy with TLS stands in front. Cookies are then sent over TLS only."`
	TrustedProxy []string `env:"RASEED_TRUSTED_PROXY" placeholder:"CIDR" help:"Proxies whose X-Forwarded-For is believed."`
}

// Run serves until it is interrupted.
func (c serveCommand) Run(ctx context.Context, std streams) error {
	cfg, err := web.ParseConfig(c.Addr, c.PublicURL, c.TrustedProxy)
	if err != nil {
		return err
	}
	// The port first: a busy one is told before the store is touched.
	ln, err := listen(ctx, cfg.Addr)
	if err != nil {
		return err
	}
	defer ln.Close()
	log := newLog(std.err, slog.LevelInfo)
	s, err := openStore(ctx, c.DB, opening{log: log})
	if err != nil {
		return err
	}
	if !cfg.Local() && !cfg.Secure() {
		log.Warn("passwords travel unencrypted: put a proxy with TLS in front and set --public-url")
	}
	return serve(ctx, ln, cfg, s, std.out, func(origin string, srv *web.Server) {
		fmt.Fprintf(std.out, "Raseed is ready at %s\n", origin)
		if path := srv.SetupPath(ctx); path != "" {
			fmt.Fprintf(std.out, "\nNobody can log in yet. Set it up with this link; it works once:\n\n    %s%s\n\n", origin, path)
		}
	})
}

// serve answers on ln until ctx ends, and closes the store after the last
// answer. ready is told the origin that people type.
func serve(ctx context.Context, ln net.Listener, cfg web.Config, s *store.Store, out io.Writer, ready func(origin string, srv *web.Server)) error {
	srv, err := web.New(ctx, cfg, web.Deps{Store: s, Sessions: s.Sessions(), Now: time.Now, NewID: s.NewID, Log: s.Log})
	if err != nil {
		return errors.Join(err, s.DB.Close())
	}
	ready(originOf(cfg, ln), srv)
	err = srv.Serve(ctx, ln)
	if closed := s.DB.Close(); closed != nil {
		err = errors.Join(err, fmt.Errorf("close the store: %w", closed))
	}
	if err == nil {
		fmt.Fprintln(out, "Raseed has stopped.")
	}
	return err
}

func listen(ctx context.Context, addr string) (net.Listener, error) {
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("%s is in use by another program; stop it, or choose another address with --addr", addr)
	}
	return ln, err
}

// originOf is what to type in a browser on this machine, or the public URL.
func originOf(cfg web.Config, ln net.Listener) string {
	if cfg.PublicURL != nil {
		return cfg.PublicURL.String()
	}
	host, port, err := net.SplitHostPort(ln.Addr().String())
	if err != nil {
		return "http://" + ln.Addr().String()
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, port)
}
