package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"raseed/store/fees"
)

type auditCommand struct {
	storeFlag
	Institute string `help:"The institute's code; all institutes without it."`
	JSON      bool   `name:"json" help:"Print the report as JSON."`
}

// Run checks every invariant of the ledger. An embedded store is only read, so
// that it may run beside a server.
func (c auditCommand) Run(ctx context.Context, std streams) error {
	s, err := openStore(ctx, c.DB, opening{readOnly: true, log: newLog(std.err, slog.LevelWarn)})
	if err != nil {
		return err
	}
	defer s.DB.Close()
	report, err := s.Audit(ctx, c.Institute)
	if err != nil {
		return couldNotRun{err}
	}
	if c.JSON {
		if report.Series == nil { // programs want lists, not null
			report.Series = []fees.SeriesReport{}
		}
		if report.Findings == nil {
			report.Findings = []fees.Finding{}
		}
		out := json.NewEncoder(std.out)
		out.SetIndent("", "  ")
		err = out.Encode(report)
	} else {
		err = printAudit(std.out, report)
	}
	if err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	if len(report.Findings) > 0 {
		return errFindings
	}
	return nil
}

// printAudit writes one line per series, then one per finding.
func printAudit(w io.Writer, r fees.AuditReport) error {
	var b strings.Builder
	for _, s := range r.Series {
		chain := "chain ok"
		if !s.ChainOK {
			chain = "chain BROKEN"
		}
		fmt.Fprintf(&b, "%s %s %s: first %d, last %d, count %d, reversed %d, missing %d, awaiting number %d, %s\n",
			s.Institute, s.FY, s.Series, s.First, s.Last, s.Count, s.Reversed, s.MissingN, s.Awaiting, chain)
	}
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "FINDING %s %s %s: %s\n", f.Institute, f.What, f.ID, f.Text)
	}
	if len(r.Findings) == 0 {
		b.WriteString("sound: nothing missing, nothing twice\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
