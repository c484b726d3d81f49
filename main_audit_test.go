package main

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// An audit with --repair puts right what is derived, says so, and exits by what
// is left.
func TestAuditRepairs(t *testing.T) {
	p := newProgram(t)
	p.must("", "institute", "add", "--code", "DPS", "--name", "Delta Public School")
	p.file("students.csv", "admission_no,name,class,section,category,family,guardian,phone,email,status,opening_balance\n1,Asha,1,A,general,,,,,active,70.00\n")
	p.must("", "import", "students", "students.csv", "--institute", "DPS")
	p.must("", "audit")
	harm := func(coll, id, field string, value any) {
		t.Helper()
		ctx := context.Background()
		s, err := openStore(ctx, filepath.Join(p.dir, "raseed.db"), opening{log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.DB.UpdateOne(ctx, coll, bson.D{{Key: "_id", Value: id}, {Key: "institute", Value: "DPS"}},
			bson.D{{Key: "$set", Value: bson.D{{Key: field, Value: value}}}}, docdb.Update{})
		if err := errors.Join(err, s.DB.Close()); err != nil {
			t.Fatal(err)
		}
	}

	harm("accounts", "DPS:1", "billed", int64(1))
	if status, out, _ := p.run("", "audit"); status != 1 || !strings.Contains(out, "DPS: 1 of 1 accounts DIFFER") || !strings.Contains(out, "FINDING DPS account DPS:1: ") {
		t.Errorf("an audit: exit status %d, want 1 and the account\n%s", status, out)
	}
	out := p.must("", "audit", "--repair")
	if !strings.HasPrefix(out, "REPAIRED DPS account DPS:1: Recounted the account of 1") || !strings.HasSuffix(out, "sound: nothing missing, nothing twice\n") {
		t.Errorf("a repair prints\n%s", out)
	}
	if out := p.must("", "audit", "--repair", "--institute", "DPS"); !strings.HasPrefix(out, "nothing to repair\n") {
		t.Errorf("a second repair prints\n%s", out)
	}

	// What is not derived stays, and is the exit status.
	harm("accounts", "DPS:1", "billed", int64(1))
	harm("bills", "DPS:1:OPENING", "title", "edited")
	status, out, _ := p.run("", "audit", "--repair", "--json")
	var report fees.RepairReport
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if status != 1 || len(report.Repaired) != 1 || len(report.Findings) != 1 || report.Findings[0].ID != "DPS:1:OPENING" {
		t.Errorf("exit status %d, want 1, one thing repaired and one left\n%s", status, out)
	}

	if status, _, errs := p.run("", "audit", "--repair", "--db", "none.db"); status != 2 || !strings.Contains(errs, "none.db") {
		t.Errorf("a repair of no store: exit status %d, want 2: %s", status, errs)
	}
	if status, _, errs := p.run("", "audit", "--repair", "--institute", "XYZ"); status != 2 || !strings.Contains(errs, "no institute XYZ") {
		t.Errorf("a repair of nobody: exit status %d, want 2: %s", status, errs)
	}
}

// A repair takes the file for itself: beside whoever has it open it is refused,
// and an audit is not.
func TestAuditRepairsAlone(t *testing.T) {
	p := newProgram(t)
	p.must("", "institute", "add", "--code", "DPS", "--name", "Delta Public School")
	s, err := openStore(context.Background(), filepath.Join(p.dir, "raseed.db"), opening{log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.DB.Close()
	p.must("", "audit")
	if status, _, errs := p.run("", "audit", "--repair"); status != 2 || !strings.Contains(errs, "stop it first") {
		t.Errorf("a repair beside a server: exit status %d, want 2: %s", status, errs)
	}
}

// What was not compared does not count as agreeing, and is said.
func TestAuditSaysWhatIsNotCompared(t *testing.T) {
	for want, a := range map[string]fees.AccountsReport{
		"P: 9 accounts agree with 3 bills and 2 rows\n": {Institute: "P", Bills: 3, Rows: 2, Accounts: 9},
		"P: 5 accounts agree with 3 bills and 2 rows; bills still to be counted: 4; accounts that wait for a bill or row to be counted: 2; could not be confirmed, busy: 7, 8\n": {
			Institute: "P", Bills: 3, Rows: 2, Accounts: 9, Uncounted: 4, Waiting: 2, Busy: []string{"7", "8"},
		},
	} {
		var out strings.Builder
		if err := printAudit(&out, fees.AuditReport{Accounts: []fees.AccountsReport{a}}); err != nil || !strings.HasPrefix(out.String(), want) {
			t.Errorf("an audit prints %q (%v), want %q", out.String(), err, want)
		}
	}
}
