package store

import (
	"context"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"raseed/store/fees"
)

// paise reads an amount of the sample files; the store's own parser is not used.
func paise(t testing.TB, s string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(strings.ReplaceAll(s, ".", ""), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(s, ".") {
		n *= 100
	}
	return n
}

// owedBySample computes what each student owes for a period straight from the
// sample files, by rules written down a second time.
func owedBySample(t testing.TB, period string) map[string]int64 {
	t.Helper()
	off := map[string]map[string]string{}
	for _, c := range sampleRows(t, "concessions.csv") {
		off[c["admission_no"]+" "+c["head"]] = c
	}
	owed := map[string]int64{}
	for _, st := range sampleRows(t, "students.csv") {
		if st["status"] != "active" {
			continue
		}
		best, price := map[string]int{}, map[string]int64{}
		for _, p := range sampleRows(t, "plan.csv") {
			if p["period"] != period || p["class"] != "*" && p["class"] != st["class"] || p["category"] != "*" && p["category"] != st["category"] {
				continue
			}
			rank := 1
			if p["category"] != "*" {
				rank += 1
			}
			if p["class"] != "*" {
				rank += 2
			}
			if rank > best[p["head"]] {
				best[p["head"]], price[p["head"]] = rank, paise(t, p["amount"])
			}
		}
		if len(price) == 0 {
			continue
		}
		var sum int64
		for head, gross := range price {
			c := off[st["admission_no"]+" "+head]
			switch c["kind"] {
			case "percent":
				percent, err := strconv.ParseFloat(c["value"], 64)
				if err != nil {
					t.Fatal(err)
				}
				hundredths := int64(percent*100 + 0.5)
				gross -= (gross*hundredths + 5000) / 10000
			case "amount":
				gross -= min(paise(t, c["value"]), gross)
			}
			sum += gross
		}
		owed[st["admission_no"]] = sum
	}
	return owed
}

func TestBillingSample(t *testing.T) {
	oneThing(t)
	s, _ := openSchool(t)
	ctx := context.Background()
	importSample(t, s, "DPS")
	for _, period := range []string{"2026-27/T1", "2026-27/T2"} {
		owed := owedBySample(t, period)
		var total int64
		for _, amount := range owed {
			total += amount
		}
		preview, err := s.PreviewRun(ctx, "DPS", strings.ToLower(period), "")
		if err != nil {
			t.Fatal(err)
		}
		run := mustBill(t, s, "DPS", period)
		want := fees.RunTally{
			Students: 1200, Done: 1200, Created: int64(len(owed)), Amount: fees.Amount(total),
			Skipped: int64(1200 - len(owed)), Inactive: 26, NoLine: int64(1200 - len(owed) - 26),
		}
		if run.Tally != want || run.State != fees.RunDone {
			t.Errorf("%s: %+v\nwant %+v", period, run, want)
		}
		if preview.Tally != want {
			t.Errorf("%s: the preview said %+v\nwant %+v", period, preview.Tally, want)
		}
		var perHead fees.Amount
		for _, h := range preview.PerHead {
			perHead += h.Amount
		}
		if perHead != want.Amount || preview.PerHead[0].HeadName != "Tuition" {
			t.Errorf("%s: per head %+v", period, preview.PerHead)
		}
		for no, amount := range owed {
			got, err := s.Bills(ctx, "DPS", no)
			if err != nil {
				t.Fatal(err)
			}
			i := slices.IndexFunc(got, func(b fees.Bill) bool { return b.Period == period })
			if i < 0 || got[i].Net != fees.Amount(amount) || got[i].Run != run.ID || fees.NetOf(got[i].Lines) != got[i].Net {
				t.Errorf("%s of %s: want %d, got %+v", period, no, amount, got)
			}
		}
		stored, err := s.Run(ctx, "DPS", fees.After(run.ID))
		if err != nil || !reflect.DeepEqual(stored, run) {
			t.Errorf("stored %+v, %v\nanswered %+v", stored, err, run)
		}

		again := mustBill(t, s, "DPS", period)
		if again.Tally.Created != 0 || again.Tally.Unchanged != int64(len(owed)) || again.Tally.Changed != 0 || again.Tally.Amount != 0 {
			t.Errorf("%s again: %+v, want all unchanged", period, again.Tally)
		}
		var before, more fees.Amount
		preview, err = s.PreviewRun(ctx, "DPS", period, "")
		for _, h := range preview.PerHead {
			before, more = before+h.Billed, more+h.Amount+h.Repriced
		}
		if err != nil || preview.Tally.Created != 0 || before != want.Amount || more != 0 || len(preview.Changes) != 0 {
			t.Errorf("%s: the second preview says %+v, %v", period, preview, err)
		}
	}
	if n, _ := s.DB.Count(ctx, bills, everything("DPS"), 0); n != int64(119+len(owedBySample(t, "2026-27/T1"))+len(owedBySample(t, "2026-27/T2"))) {
		t.Errorf("%d bills in all", n)
	}
}

// A bill that is there is never changed by a run, and the run says what differs.
func TestBillingLeavesBillsAlone(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	mustImport(t, s, "students", "DPS", studentsCSV("1,A,5,,general,,,,,,", "2,B,5,,general,,,,,,", "3,C,6,,general,,,,,,", "4,D,7,,general,,,,,left,"))
	mustImport(t, s, "plan", "DPS", planHeader+"2026-27,2026-27/T1,2026-04-10,5,*,TUITION,100\n")
	if run := mustBill(t, s, "DPS", "2026-27/T1"); run.Tally.Created != 2 || run.Tally.NoLine != 1 || run.Tally.Inactive != 1 {
		t.Errorf("%+v", run.Tally)
	}
	mustImport(t, s, "concessions", "DPS", "admission_no,head,kind,value\n2,TUITION,percent,100\n")
	if run := mustBill(t, s, "DPS", "2026-27/T1"); run.Tally.Created != 0 || run.Tally.Unchanged != 1 || run.Tally.Changed != 1 {
		t.Errorf("after a concession: %+v", run.Tally)
	}
	mustImport(t, s, "plan", "DPS", planHeader+"2026-27,2026-27/T1,2026-04-10,*,*,TUITION,50\n2026-27,2026-27/T1,2026-04-10,5,*,TUITION,120\n")
	if run := mustBill(t, s, "DPS", "2026-27/T1"); run.Tally.Created != 1 || run.Tally.Changed != 2 {
		t.Errorf("after a new plan: %+v", run.Tally)
	}
	for no, want := range map[string]fees.Amount{"1": 100_00, "2": 100_00, "3": 50_00} {
		if got, _ := s.Bills(ctx, "DPS", no); len(got) != 1 || got[0].Net != want {
			t.Errorf("student %s owes %+v, want %d", no, got, want)
		}
	}
	// A line that is conceded whole is still billed, so that it is seen.
	mustImport(t, s, "students", "DPS", studentsCSV("5,E,5,,general,,,,,,"))
	mustImport(t, s, "concessions", "DPS", "admission_no,head,kind,value\n5,TUITION,amount,500\n")
	mustBill(t, s, "DPS", "2026-27/T1")
	if got, _ := s.Bills(ctx, "DPS", "5"); len(got) != 1 || got[0].Net != 0 || got[0].Lines[0].Concession != 120_00 {
		t.Errorf("a whole concession: %+v", got)
	}
}

func TestBillingClass(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	importSample(t, s, "DPS")
	owed, inClass := owedBySample(t, "2026-27/T1"), int64(0)
	for _, st := range sampleRows(t, "students.csv") {
		if _, billed := owed[st["admission_no"]]; billed && st["class"] == "KG" {
			inClass++
		}
	}
	id := s.NewID()
	if _, err := s.StartRun(ctx, "DPS", fees.RunOrder{ID: id, Period: "2026-27/T1", Class: "KG"}); err != nil {
		t.Fatal(err)
	}
	run, err := s.ExecuteRun(ctx, "DPS", id)
	if err != nil || run.Tally.Created != inClass || run.Tally.Students != 76 {
		t.Errorf("class KG: %+v, %v; want %d of 76", run.Tally, err, inClass)
	}
	if run := mustBill(t, s, "DPS", "2026-27/T1"); run.Tally.Created != int64(len(owed))-inClass || run.Tally.Unchanged != inClass {
		t.Errorf("then all: %+v", run.Tally)
	}
}

// How a class is written, in capitals and spaces, makes no other class of it.
func TestBillingClassInCapitals(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	mustImport(t, s, "students", "DPS", studentsCSV("1,A,Nursery,,General,,,,,,", "2,B,nursery,,GENERAL,,,,,,", "3,C,12  SCIENCE,,general,,,,,,", "4,D,5,,general,,,,,,"))
	plan := planHeader + "2026-27,2026-27/T1,2026-04-10,NURSERY,*,TUITION,100\n2026-27,2026-27/T1,2026-04-10, 12 Science,General,TUITION,200\n"
	mustImport(t, s, "plan", "DPS", plan)
	if r := mustImport(t, s, "plan", "DPS", plan); r.Unchanged != 2 {
		t.Errorf("again: %+v", r)
	}
	if r := mustImport(t, s, "plan", "DPS", planHeader+"2026-27,2026-27/T1,2026-04-10,nursery,*,TUITION,150\n"); r.Updated != 1 {
		t.Errorf("in other letters it is another row: %+v", r)
	}
	twice := planHeader + "2026-27,2026-27/T1,2026-04-10,KG,*,TUITION,1\n2026-27,2026-27/T1,2026-04-10,kg,*,TUITION,2\n"
	if r, err := s.ImportPlan(ctx, "DPS", strings.NewReader(twice), false, planner); err != nil || len(r.Problems) != 1 || r.Problems[0].Line != 3 {
		t.Errorf("one row in two ways: %+v, %v", r, err)
	}
	id := s.NewID()
	if _, err := s.StartRun(ctx, "DPS", fees.RunOrder{ID: id, Period: "2026-27/T1", Class: " nursErY "}); err != nil {
		t.Fatal(err)
	}
	run, err := s.ExecuteRun(ctx, "DPS", id)
	if want := (fees.RunTally{Students: 2, Done: 2, Created: 2, Amount: 300_00}); err != nil || run.Tally != want {
		t.Errorf("the class: %+v, %v; want %+v", run.Tally, err, want)
	}
	if run := mustBill(t, s, "DPS", "2026-27/T1"); run.Tally.Created != 1 || run.Tally.Unchanged != 2 || run.Tally.NoLine != 1 || run.Tally.Amount != 200_00 {
		t.Errorf("then all: %+v", run.Tally)
	}
	if st, err := s.Student(ctx, "DPS", "2"); err != nil || st.Class != "nursery" {
		t.Errorf("the student's class is written %q, %v; want it as it was", st.Class, err)
	}
}

func TestStartRunRefuses(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	start := func(o fees.RunOrder) error {
		_, err := s.StartRun(ctx, "DPS", o)
		return err
	}
	wantCode(t, "no plan", start(fees.RunOrder{ID: s.NewID(), Period: "2026-27/T1"}), fees.Invalid, "plan")
	mustImport(t, s, "students", "DPS", studentsCSV("1,A,5,,general,,,,,,"))
	mustImport(t, s, "plan", "DPS", planHeader+"2026-27,2026-27/T1,2026-04-10,*,*,TUITION,1\n2026-27,2026-27/T2,2026-08-10,*,*,TUITION,1\n")
	wantCode(t, "unknown period", start(fees.RunOrder{ID: s.NewID(), Period: "2026-27/T9"}), fees.Invalid, "2026-27/T1, 2026-27/T2")
	wantCode(t, "unknown class", start(fees.RunOrder{ID: s.NewID(), Period: "2026-27/T1", Class: "55"}), fees.Invalid, "5")
	wantCode(t, "no id", start(fees.RunOrder{ID: "x", Period: "2026-27/T1"}), fees.Invalid, "")
	_, err := s.StartRun(ctx, "XYZ", fees.RunOrder{ID: s.NewID(), Period: "2026-27/T1"})
	wantCode(t, "another institute", err, fees.NotFound, "")
	_, err = s.ExecuteRun(ctx, "DPS", s.NewID())
	wantCode(t, "no such run", err, fees.NotFound, "")

	first := fees.RunOrder{ID: s.NewID(), Period: "2026-27/T1", By: fees.Actor{Login: "meera", Name: "Meera Joshi"}}
	one, err := s.StartRun(ctx, "DPS", first)
	if err != nil || one.State != fees.RunQueued || one.By != "Meera Joshi" {
		t.Fatalf("%+v, %v", one, err)
	}
	if same, err := s.StartRun(ctx, "DPS", first); err != nil || !reflect.DeepEqual(same, one) {
		t.Errorf("the same order again: %+v, %v", same, err)
	}
	wantCode(t, "the id for another period", start(fees.RunOrder{ID: first.ID, Period: "2026-27/T2"}), fees.Conflict, "2026-27/T1")
	wantCode(t, "while one is going", start(fees.RunOrder{ID: s.NewID(), Period: "2026-27/T1"}), fees.Conflict, "Meera Joshi at 11:00 on 15 June")
	if err := start(fees.RunOrder{ID: s.NewID(), Period: "2026-27/T2"}); err != nil {
		t.Errorf("another period meanwhile: %v", err)
	}
	other := addSchool(t, s, "KVS")
	mustImport(t, s, "plan", other.Code, planHeader+"2026-27,2026-27/T1,2026-04-10,*,*,TUITION,1\n")
	if _, err := s.StartRun(ctx, other.Code, fees.RunOrder{ID: s.NewID(), Period: "2026-27/T1"}); err != nil {
		t.Errorf("another institute meanwhile: %v", err)
	}
	if _, err := s.Run(ctx, other.Code, first.ID); fees.CodeOf(err) != fees.NotFound {
		t.Errorf("a run is seen from another institute: %v", err)
	}
	// Its process died; nobody waits for ever.
	s.Now = func() time.Time { return termTime().Add(runLease + time.Second) }
	if err := start(fees.RunOrder{ID: s.NewID(), Period: "2026-27/T1"}); err != nil {
		t.Errorf("after the lease ran out: %v", err)
	}
	if err := s.CloseBooks(ctx, "DPS", "2026-06-15"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.PreviewRun(ctx, "DPS", "2026-27/T1", ""); err != nil {
		t.Errorf("a day of the year is closed, the year is not: %v", err)
	}
	s.Now = func() time.Time { return termTime().AddDate(1, 0, 0) }
	if err := s.CloseBooks(ctx, "DPS", "2027-03-31"); err != nil {
		t.Fatal(err)
	}
	wantCode(t, "a closed year", start(fees.RunOrder{ID: s.NewID(), Period: "2026-27/T1"}), fees.Invalid, "closed")
	all, err := s.Runs(ctx, "DPS", 10)
	if err != nil || len(all) != 3 || all[2].ID != one.ID {
		t.Errorf("runs %+v, %v; want 3, the newest first", all, err)
	}
}

// Four runs of a period at once, none of which knows of the others' lease:
// everybody is billed once, and what they say they created adds up.
func TestBillingTwiceAtOnce(t *testing.T) {
	s, _ := openSchool(t)
	importSample(t, s, "DPS")
	owed := owedBySample(t, "2026-27/T1")
	var wg sync.WaitGroup
	tallies := make([]fees.RunTally, 4)
	for i := range tallies {
		wg.Go(func() { tallies[i] = workAt(t, s, "2026-27/T1", "", false) })
	}
	wg.Wait()
	var created int64
	for _, tally := range tallies {
		created += tally.Created
		if tally.Created+tally.Unchanged != int64(len(owed)) || tally.Changed != 0 {
			t.Errorf("%+v", tally)
		}
	}
	n, err := s.DB.Count(context.Background(), bills, ofPeriod("DPS", "2026-27/T1"), 0)
	if err != nil || created != int64(len(owed)) || n != created {
		t.Errorf("%d created, %d bills (%v), want %d", created, n, err, len(owed))
	}
}
