package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"raseed/store"
	"raseed/store/fees"
)

type importCommand struct {
	storeFlag
	What      string `arg:"" enum:"students,plan,concessions" help:"students, plan or concessions."`
	File      string `arg:"" help:"The CSV file."`
	Institute string `required:"" help:"The institute's code."`
	DryRun    bool   `help:"Check and count; write nothing."`
}

// Help lists the columns of the three files.
func (importCommand) Help() string {
	return `The first line of the file names the columns, in any order:

  students:     admission_no,name,class,section,category,family,guardian,phone,email,status,opening_balance
  plan:         fy,period,due_date,class,category,head,amount
  concessions:  admission_no,head,kind,value,reason

status is active or left; "*" in class or category matches any; kind is percent
or amount.`
}

// errProblems ends an import whose file has bad rows.
var errProblems = errors.New("nothing was imported")

// Run imports the file, or lists every bad row of it and writes nothing.
func (c importCommand) Run(ctx context.Context, std streams) error {
	file, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer file.Close()
	s, err := openStore(ctx, c.DB, opening{log: newLog(std.err, slog.LevelWarn)})
	if err != nil {
		return err
	}
	defer s.DB.Close()
	report, err := importer(s, c.What)(ctx, c.Institute, file, c.DryRun)
	if err != nil {
		return err
	}
	return printImport(std, c.What, report)
}

func importer(s *store.Store, what string) func(context.Context, string, io.Reader, bool) (fees.ImportReport, error) {
	switch what {
	case "students":
		return s.ImportStudents
	case "plan":
		return s.ImportPlan
	}
	return s.ImportConcessions
}

func printImport(std streams, what string, r fees.ImportReport) error {
	for _, column := range r.Unknown {
		fmt.Fprintf(std.err, "column %s is not known and was not read\n", column)
	}
	for _, p := range r.Problems {
		if p.Column == "" {
			fmt.Fprintf(std.err, "line %d: %s\n", p.Line, p.Reason)
		} else {
			fmt.Fprintf(std.err, "line %d, column %s: %s\n", p.Line, p.Column, p.Reason)
		}
	}
	if len(r.Problems) > 0 {
		return fmt.Errorf("%w: %d problems in %d rows of %s", errProblems, len(r.Problems), r.Rows, what)
	}
	dry := ""
	if r.Dry {
		dry = " (dry run, nothing written)"
	}
	fmt.Fprintf(std.out, "%s: rows %d, created %d, updated %d, unchanged %d%s\n", what, r.Rows, r.Created, r.Updated, r.Unchanged, dry)
	return nil
}
