package main

import (
	"context"
	"fmt"
	"log/slog"

	"raseed/store"
	"raseed/store/fees"
)

// userFlags name a user who is there.
type userFlags struct {
	storeFlag
	Institute string `required:"" help:"The institute's code."`
	Login     string `required:"" help:"What they log in with."`
}

// change opens the store, changes the user and says what was done.
func (f userFlags) change(ctx context.Context, std streams, done string, change func(s *store.Store, login string) error) error {
	login, bad := fees.NormalLogin(f.Login)
	if bad != nil {
		return bad
	}
	s, err := openStore(ctx, f.DB, opening{log: newLog(std.err, slog.LevelWarn)})
	if err != nil {
		return err
	}
	defer s.DB.Close()
	if _, err := s.Institute(ctx, f.Institute); err != nil {
		return err
	}
	if err := change(s, login); err != nil {
		return err
	}
	fmt.Fprintf(std.out, "%s %s of %s\n", done, login, f.Institute)
	return nil
}

type userPasswordCommand struct{ userFlags }

// Run sets the password.
func (c userPasswordCommand) Run(ctx context.Context, std streams) error {
	password, err := readPassword(std)
	if err != nil {
		return err
	}
	return c.change(ctx, std, "set the password of", func(s *store.Store, login string) error {
		return s.SetPassword(ctx, c.Institute, login, password, console())
	})
}

type userDisableCommand struct{ userFlags }

// Run disables the user.
func (c userDisableCommand) Run(ctx context.Context, std streams) error {
	return c.change(ctx, std, "disabled", func(s *store.Store, login string) error {
		return s.SetUserDisabled(ctx, c.Institute, login, true, console())
	})
}

type userEnableCommand struct{ userFlags }

// Run enables the user.
func (c userEnableCommand) Run(ctx context.Context, std streams) error {
	return c.change(ctx, std, "enabled", func(s *store.Store, login string) error {
		return s.SetUserDisabled(ctx, c.Institute, login, false, console())
	})
}
