package store

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"raseed/store/fees"
)

func staffGrant() fees.GrantOrder {
	return fees.GrantOrder{Student: "1", Head: "TUITION", Adds: true, By: planner,
		Grant: fees.Grant{Kind: fees.ConcessionPercent, Percent: 50_0000, Reason: "Staff", Approver: "Principal"}}
}

func TestSaveGrant(t *testing.T) {
	s := plannedSchool(t)
	ctx := context.Background()
	o := staffGrant()
	for range 2 {
		if err := s.SaveGrant(ctx, "DPS", o); err != nil {
			t.Fatal(err)
		}
	}
	capped := o
	capped.Grant = fees.Grant{Kind: fees.ConcessionAmount, Amount: 900_00, Reason: "Prize", Approver: "Trust", From: "2026-27/T2"}
	if err := s.SaveGrant(ctx, "DPS", capped); err != nil {
		t.Fatalf("an amount larger than the charge: %v", err)
	}
	own, err := s.ConcessionsOf(ctx, "DPS", "1")
	if err != nil || len(own) != 1 || len(own[0].Grants) != 2 || own[0].Version != 2 || own[0].Grants[0].By != "admin" {
		t.Fatalf("conceded %+v, %v", own, err)
	}
	inst, _ := s.Institute(ctx, "DPS")
	student, _ := s.Student(ctx, "DPS", "1")
	found, err := s.ConcessionFindings(ctx, inst, student, "2026-27", own)
	if err != nil || len(found) != 1 || !strings.Contains(found[0].Message, "900.00 is more than the TUITION of 2026-27/T2") {
		t.Errorf("findings are %+v, %v", found, err)
	}
	change := o
	change.Adds, change.At, change.Version = false, 0, 1
	change.Grant.Percent = 25_0000
	if err := s.SaveGrant(ctx, "DPS", change); fees.CodeOf(err) != fees.Conflict {
		t.Errorf("a change of an old version: %v, want a conflict", err)
	}
	change.Version = 2
	for range 2 {
		if err := s.SaveGrant(ctx, "DPS", change); err != nil {
			t.Fatalf("change: %v", err)
		}
	}
	end := change
	end.Version, end.Grant = 3, fees.Grant{To: "2026-27/T1"}
	if err := s.EndGrant(ctx, "DPS", end); err != nil {
		t.Fatalf("end: %v", err)
	}
	if err := s.EndGrant(ctx, "DPS", end); fees.CodeOf(err) != fees.Conflict {
		t.Errorf("end an old version: %v, want a conflict", err)
	}
	end.At, end.Version = 1, 4
	refused(t, s.EndGrant(ctx, "DPS", end), "to") // before it began
	end.Grant.To = ""
	if err := s.EndGrant(ctx, "DPS", end); err != nil {
		t.Fatalf("take away: %v", err)
	}
	end.At, end.Version = 0, 5
	if err := s.EndGrant(ctx, "DPS", end); err != nil {
		t.Fatalf("take the last away: %v", err)
	}
	if own, err := s.ConcessionsOf(ctx, "DPS", "1"); err != nil || len(own) != 0 {
		t.Errorf("left is %+v, %v", own, err)
	}
}

func TestSaveGrantRefuses(t *testing.T) {
	s := plannedSchool(t)
	ctx := context.Background()
	for field, change := range map[string]func(*fees.GrantOrder){
		"head":     func(o *fees.GrantOrder) { o.Head = "GOLF" },
		"value":    func(o *fees.GrantOrder) { o.Grant.Percent = fees.MaxPercent + 1 },
		"kind":     func(o *fees.GrantOrder) { o.Grant.Kind = "gift" },
		"reason":   func(o *fees.GrantOrder) { o.Grant.Reason = "  " },
		"approver": func(o *fees.GrantOrder) { o.Grant.Approver = "" },
		"from":     func(o *fees.GrantOrder) { o.Grant.From = "2026-27/T9" },
		"to":       func(o *fees.GrantOrder) { o.Grant.From, o.Grant.To = "2026-27/T2", "2026-27/T1" },
	} {
		o := staffGrant()
		change(&o)
		refused(t, s.SaveGrant(ctx, "DPS", o), field)
	}
	o := staffGrant()
	o.Student = "99"
	if err := s.SaveGrant(ctx, "DPS", o); fees.CodeOf(err) != fees.NotFound {
		t.Errorf("a student that there is not: %v", err)
	}
}

// TestGrantsAtOnce: everybody's concession is there, and each once.
func TestGrantsAtOnce(t *testing.T) {
	s := plannedSchool(t)
	var all sync.WaitGroup
	for i := range 6 {
		all.Go(func() {
			o := staffGrant()
			o.Grant.Percent = fees.Percent(1 + i%3)
			for fees.CodeOf(s.SaveGrant(context.Background(), "DPS", o)) == fees.Conflict {
			}
		})
	}
	all.Wait()
	if own, err := s.ConcessionsOf(context.Background(), "DPS", "1"); err != nil || len(own) != 1 || len(own[0].Grants) != 3 {
		t.Errorf("conceded %+v (%v), want three grants", own, err)
	}
}

func TestConcessionsList(t *testing.T) {
	s := plannedSchool(t)
	ctx := context.Background()
	for _, no := range []string{"1", "2"} {
		o := staffGrant()
		o.Student = no
		if no == "2" {
			o.Head, o.Grant.Reason = fees.Any, "Right to Education"
		}
		if err := s.SaveGrant(ctx, "DPS", o); err != nil {
			t.Fatal(err)
		}
	}
	for want, f := range map[string]fees.ConcessionFilter{
		"12": {}, "1": {Head: "TUITION"}, "2": {Reason: "education"}, "": {Class: "6"},
	} {
		page, err := s.Concessions(ctx, "DPS", f, "", 1)
		got := ""
		for ; err == nil; page, err = s.Concessions(ctx, "DPS", f, page.Next, 1) {
			for _, e := range page.Items {
				got += e.Student.AdmissionNo
			}
			if page.Next == "" {
				break
			}
		}
		if err != nil || got != want {
			t.Errorf("%+v finds %q (%v), want %q", f, got, err, want)
		}
	}
}

// TestConcessionsListReadsOn: a filter that finds nothing in a whole batch goes
// on to the next.
func TestConcessionsListReadsOn(t *testing.T) {
	s := plannedSchool(t)
	ctx := context.Background()
	var docs []any
	for i := range 2*batchSize + 1 {
		c := fees.Concession{Institute: "DPS", Student: fmt.Sprintf("S%04d", i), Head: "TUITION", Version: 1,
			Grants: []fees.Grant{{Kind: fees.ConcessionPercent, Percent: 1, Reason: "Staff"}}}
		if i == 2*batchSize {
			c.Grants[0].Reason = "Sports"
		}
		c.ID = fees.Key("DPS", c.Student, c.Head)
		docs = append(docs, c)
	}
	if _, err := s.DB.InsertMany(ctx, concessions, docs); err != nil {
		t.Fatal(err)
	}
	for reason, want := range map[string]int{"sports": 1, "nobody": 0, "": len(docs)} {
		page, err := s.Concessions(ctx, "DPS", fees.ConcessionFilter{Reason: reason}, "", 200)
		if err != nil || len(page.Items) != want {
			t.Errorf("%q finds %d (%v), want %d", reason, len(page.Items), err, want)
		}
	}
}
