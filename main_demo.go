package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"text/tabwriter"
	"time"

	"raseed/store/demo"
	"raseed/web"
)

type demoCommand struct {
	Addr string `default:"127.0.0.1:8080" env:"RASEED_ADDR" help:"Address to listen on, host:port."`
	Data string `default:"raseed-demo" env:"RASEED_DATA" placeholder:"DIR" help:"Where the demo school is kept (${default})."`
}

// Run fills the store on the first start and serves until it is interrupted.
func (c demoCommand) Run(ctx context.Context, std streams) error {
	cfg, err := web.ParseConfig(c.Addr, "", nil)
	if err != nil {
		return err
	}
	ln, err := listen(ctx, cfg.Addr)
	if err != nil {
		return err
	}
	defer ln.Close()
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return fmt.Errorf("make the data folder: %w", err)
	}
	s, err := openStore(ctx, filepath.Join(c.Data, "raseed.db"), opening{log: newLog(std.err, slog.LevelWarn)})
	if err != nil {
		return err
	}
	if err := demo.Fill(ctx, s, time.Now()); err != nil {
		_ = s.DB.Close()
		return fmt.Errorf("fill the demo school: %w", err)
	}
	return serve(ctx, ln, cfg, s, std.out, func(origin string, _ *web.Server) {
		fmt.Fprintf(std.out, "Raseed is ready at %s\n\n", origin)
		printLogins(std.out)
		if !cfg.Local() {
			fmt.Fprintf(std.err, "\nWARNING: %s can be reached from other machines, and everybody knows these passwords. Enter nothing that is real.\n", c.Addr)
		}
		fmt.Fprintf(std.out, "\nThe demo school is kept in %s. Stop with Ctrl-C.\n", c.Data)
	})
}

func printLogins(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	fmt.Fprintln(t, "  INSTITUTE\tROLE\tLOGIN\tPASSWORD")
	for _, l := range demo.Logins() {
		fmt.Fprintf(t, "  %s\t%s\t%s\t%s\n", l.Institute, l.Role.Title(), l.Login, l.Password)
	}
	_ = t.Flush()
}
