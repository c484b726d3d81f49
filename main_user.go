package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"golang.org/x/term"

	"raseed/store/fees"
)

type userCommand struct {
	Add      userAddCommand      `cmd:"" help:"Add a user. The password is the first line of standard input; on a terminal it is asked for."`
	Password userPasswordCommand `cmd:"" help:"Give a user another password, read like that of a new one. Their sessions end."`
	Disable  userDisableCommand  `cmd:"" help:"Shut a user out. Their sessions end; what they recorded stays."`
	Enable   userEnableCommand   `cmd:"" help:"Let a disabled user in again."`
}

type userAddCommand struct {
	storeFlag
	Institute string `required:"" help:"The institute's code."`
	Login     string `required:"" help:"What they log in with; unique over all institutes."`
	Name      string `required:"" help:"As printed on receipts."`
	Role      string `required:"" enum:"cashier,accountant,admin,auditor" help:"cashier, accountant, admin or auditor."`
}

// Run adds the user.
func (c userAddCommand) Run(ctx context.Context, std streams) error {
	password, err := readPassword(std)
	if err != nil {
		return err
	}
	s, err := openStore(ctx, c.DB, opening{log: newLog(std.err, slog.LevelWarn)})
	if err != nil {
		return err
	}
	defer s.DB.Close()
	u, err := s.AddUser(ctx, c.Institute, c.Login, c.Name, fees.Role(c.Role), password)
	if err != nil {
		return err
	}
	fmt.Fprintf(std.out, "added %s %s to %s\n", u.Role, u.Login, u.Institute)
	return nil
}

// readPassword asks twice on a terminal, without echo; otherwise it reads one
// line.
func readPassword(std streams) (string, error) {
	fd := int(std.in.Fd())
	if !term.IsTerminal(fd) {
		line, err := bufio.NewReader(io.LimitReader(std.in, 4<<10)).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return "", fmt.Errorf("read the password: %w", err)
		}
		return strings.TrimRight(line, "\r\n"), nil
	}
	var typed [2]string
	for i, prompt := range []string{"Password: ", "Again: "} {
		fmt.Fprint(std.err, prompt)
		b, err := term.ReadPassword(fd)
		fmt.Fprintln(std.err)
		if err != nil {
			return "", fmt.Errorf("read the password: %w", err)
		}
		typed[i] = string(b)
	}
	if typed[0] != typed[1] {
		return "", fees.Errorf(fees.Invalid, "The two passwords are not the same.")
	}
	return typed[0], nil
}
