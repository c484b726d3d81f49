package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/docdb/docdbtest"
	"raseed/store/fees"
)

// testFamily makes the students 1 to 3, each owing 500.00, a family.
func testFamily(t testing.TB, s *Store, institute string) {
	t.Helper()
	testSchool(t, s, institute, 4)
	for no := 1; no <= 3; no++ {
		changeStudent(t, s, institute, fmt.Sprint(no), func(st *fees.Student) { st.Family = "F1" })
	}
}

func changeStudent(t testing.TB, s *Store, institute, no string, change func(*fees.Student)) {
	t.Helper()
	st, err := s.Student(context.Background(), institute, no)
	if err != nil {
		t.Fatal(err)
	}
	change(&st)
	if _, err := s.SaveStudent(context.Background(), institute, st, fees.Actor{}); err != nil {
		t.Fatal(err)
	}
}

// ofFamily is an order of these tenders for these children.
func ofFamily(id string, children []string, tenders ...fees.Tender) fees.FamilyOrder {
	o := fees.FamilyOrder{Payment: fees.PaymentOrder{ID: id, Tenders: tenders, Remark: "for all", By: holdAsha}}
	for _, no := range children {
		o.Children = append(o.Children, fees.FamilyChild{Student: no})
	}
	return o
}

func inCash(amount fees.Amount) fees.Tender { return fees.Tender{Mode: fees.ModeCash, Amount: amount} }

func TestFamilyOf(t *testing.T) {
	s := openTest(t)
	s.Now = termTime
	testFamily(t, s, "DPS")
	testFamily(t, s, "QPS")
	ctx := context.Background()
	changeStudent(t, s, "DPS", "4", func(st *fees.Student) { st.Family = "f-1" }) // another family of a like name
	for _, key := range []string{"2", "F1", " f1 "} {
		f, err := s.FamilyOf(ctx, "DPS", key)
		if err != nil || f.Code != "F1" || len(f.Children) != 3 || f.Children[0].AdmissionNo != "1" || f.Children[2].AdmissionNo != "3" {
			t.Errorf("%q: %+v, %v", key, f, err)
		}
	}
	changeStudent(t, s, "DPS", "1", func(st *fees.Student) { st.Status = fees.StudentLeft })
	if f, err := s.FamilyOf(ctx, "DPS", "1"); err != nil || len(f.Children) != 2 {
		t.Errorf("once one has left: %+v, %v", f, err)
	}
	changeStudent(t, s, "QPS", "1", func(st *fees.Student) { st.Family = "" })
	_, err := s.FamilyOf(ctx, "QPS", "1")
	wantCode(t, "in no family", err, fees.Invalid, "is in no family")
	_, err = s.FamilyOf(ctx, "DPS", "F9")
	wantCode(t, "no such family", err, fees.NotFound, "")
	_, err = s.FamilyOf(ctx, "DPS", strings.Repeat("़", 50))
	wantCode(t, "nonsense", err, fees.NotFound, "")
}

func TestRecordFamily(t *testing.T) {
	s := openTest(t)
	s.Now = termTime
	testFamily(t, s, "DPS")
	ctx := context.Background()
	order := ofFamily(s.NewID(), []string{"1", "2", "3"}, inCash(700_00),
		fees.Tender{Mode: fees.ModeCheque, Amount: 900_00, Ref: "004512", Bank: "State Bank"})
	p, err := s.RecordFamily(ctx, "DPS", order)
	if err != nil || p.Open || p.Family != "F1" || p.Total != 1600_00 {
		t.Fatalf("%+v, %v", p, err)
	}
	rows, err := s.FamilyRows(ctx, p)
	if err != nil || len(rows) != 3 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	byMode := map[fees.Mode]fees.Amount{}
	for n, row := range rows {
		want := fees.Amount(500_00)
		if n == 0 {
			want = 600_00 // with the rest of the money as an advance
		}
		sum, _ := fees.TotalOf(row.Tenders)
		if row.Total != want || sum != want || row.Student != fmt.Sprint(n+1) || row.Number != int64(n+1) || row.Family != p.ShortID() || row.Remark != "for all" {
			t.Errorf("row %d is %+v", n, row)
		}
		for _, tender := range row.Tenders {
			byMode[tender.Mode] += tender.Amount
		}
	}
	if byMode[fees.ModeCash] != 700_00 || byMode[fees.ModeCheque] != 900_00 {
		t.Errorf("the tenders come to %v", byMode)
	}

	again, err := s.RecordFamily(ctx, "DPS", order)
	if err != nil || again.ID != p.ID {
		t.Errorf("the same again: %+v, %v", again, err)
	}
	other := order
	other.Payment.Tenders = []fees.Tender{inCash(1)}
	_, err = s.RecordFamily(ctx, "DPS", other)
	wantCode(t, "other content", err, fees.Conflict, "other content")
	other = order
	other.Children = other.Children[:2]
	_, err = s.RecordFamily(ctx, "DPS", other)
	wantCode(t, "other children", err, fees.Conflict, "other content")
	// A child that left the family does not change what was recorded.
	changeStudent(t, s, "DPS", "3", func(st *fees.Student) { st.Family = "" })
	if again, err = s.RecordFamily(ctx, "DPS", order); err != nil || len(again.Children) != 3 {
		t.Errorf("the same again, once a child has left the family: %+v, %v", again, err)
	}
	if n := counted(t, s, payments, "DPS"); n != 3 {
		t.Errorf("there are %d rows, want 3", n)
	}
	mustAudit(t, s)

	// A part is reversed as any receipt.
	if _, err := s.ReversePayment(ctx, "DPS", fees.ReversalOrder{ID: rows[1].ShortID(), Reason: "wrong entry", By: holdRavi}); err != nil {
		t.Error(err)
	}
	mustAudit(t, s)
}

func TestRecordFamilyRefused(t *testing.T) {
	s := openTest(t)
	s.Now = termTime
	testFamily(t, s, "DPS")
	testFamily(t, s, "QPS")
	mustImport(t, s, "students", "QPS", studentsCSV("77,Only Foreign,5,A,GEN,F1,,,,active,"))
	ctx := context.Background()
	changeStudent(t, s, "DPS", "3", func(st *fees.Student) { st.Status = fees.StudentLeft })
	for name, tt := range map[string]struct {
		children []string
		field    string
		says     string
	}{
		"another institute's":  {[]string{"1", "77"}, "child.1", "There is no student 77 here"},
		"listed twice":         {[]string{"1", "2", "1"}, "child.2", "listed twice"},
		"of another family":    {[]string{"1", "4"}, "child.1", "in no family"},
		"left the school":      {[]string{"1", "3"}, "child.1", "no longer at the school"},
		"nobody":               {nil, "child.0", "names no child"},
		"no admission number":  {[]string{"1", "$where"}, "child.1", "may not be in"},
		"of another institute": {[]string{"QPS:1"}, "child.0", "may not be in"},
	} {
		_, err := s.RecordFamily(ctx, "DPS", ofFamily(s.NewID(), tt.children, inCash(100_00)))
		wantCode(t, name, err, fees.Invalid, tt.says)
		var said *fees.Error
		if errors.As(err, &said) && said.Fields[tt.field] == "" {
			t.Errorf("%s: fields %v, want %s", name, said.Fields, tt.field)
		}
	}
	for raw := range s.pagesByKey(ctx, families, "DPS:") {
		t.Errorf("there is a family payment: %s", raw)
	}
	if n := counted(t, s, payments, "DPS"); n != 0 {
		t.Errorf("%d rows were written", n)
	}
}

// What the rows of a family payment are to be called is nothing that a form knows:
// nobody can take the place of one beforehand, and keep it from ever being
// written.
func TestFamilyRowsHaveIDsOfTheirOwn(t *testing.T) {
	seen := map[string]bool{}
	for range 2 { // two schools, where the same is posted under the same id
		s := openTest(t)
		s.Now = termTime
		testFamily(t, s, "DPS")
		p, err := s.RecordFamily(context.Background(), "DPS", ofFamily("01J00000000000000000000000", []string{"1", "2"}, inCash(1000_00)))
		if err != nil || p.Open {
			t.Fatalf("%+v, %v", p, err)
		}
		for _, c := range p.Children {
			if seen[c.Row] || !fees.ValidID(c.Row) {
				t.Errorf("the row of %s is called %s, which can be known before", c.Student, c.Row)
			}
			seen[c.Row] = true
		}
	}
}

// Another counter settles a child between the form and the payment, and between
// the payment and its row: nothing is refused, and the rest is an advance.
func TestRecordFamilyMeanwhile(t *testing.T) {
	s := openTest(t)
	s.Now = termTime
	testFamily(t, s, "DPS")
	ctx := context.Background()
	paid := false
	p := openOn(t, docdbtest.Faulty(s.DB, func(op docdbtest.Op) docdbtest.Fault {
		if op.Coll == payments && op.Name == "InsertOne" && !paid {
			paid = true
			if _, err := s.RecordPayment(ctx, "DPS", cash(s, "2", 500_00)); err != nil {
				t.Error(err)
			}
		}
		return docdbtest.None
	}))
	p.Now = s.Now
	done, err := p.RecordFamily(ctx, "DPS", ofFamily(s.NewID(), []string{"1", "2"}, inCash(1000_00)))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := s.FamilyRows(ctx, done)
	if err != nil || len(rows) != 2 || len(rows[1].Lines) != 1 || rows[1].Lines[0].Head != fees.HeadAdvance || rows[1].Total != 500_00 {
		t.Errorf("rows %+v, %v: want the second child's as an advance", rows, err)
	}
	mustAudit(t, s)
}

// Twelve posts of one form at once, and the same family at two counters.
func TestRecordFamilyAtOnce(t *testing.T) {
	s := openTest(t)
	s.Now = termTime
	testFamily(t, s, "DPS")
	ids := []string{s.NewID(), s.NewID()}
	var all sync.WaitGroup
	for n := range 12 {
		all.Go(func() {
			if _, err := s.RecordFamily(context.Background(), "DPS", ofFamily(ids[n%2], []string{"1", "2", "3"}, inCash(1500_00))); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if err := sweepOf(context.Background(), s, "DPS"); err != nil {
		t.Error(err)
	}
	// Which of them a child's dues went to depends on who came first.
	var balance fees.Amount
	for _, no := range []string{"1", "2", "3"} {
		d, err := s.Dues(context.Background(), "DPS", no)
		if err != nil || d.Due != 0 {
			t.Errorf("student %s owes %d, %v, want nothing", no, d.Due, err)
		}
		balance += d.Balance
	}
	if balance != -1500_00 {
		t.Errorf("the family's balance is %d, want what was paid twice in credit", balance)
	}
	mustAudit(t, s)
}

// A day that is closed between the payment and a row changes for nobody.
func TestFamilyRowsAfterClosing(t *testing.T) {
	s := openTest(t)
	s.Now = termTime
	testFamily(t, s, "DPS")
	ctx := context.Background()
	p := openOn(t, docdbtest.Faulty(s.DB, func(op docdbtest.Op) docdbtest.Fault {
		if op.Write && op.Coll == payments {
			return docdbtest.BeforeWrite
		}
		return docdbtest.None
	}))
	p.Now = s.Now
	order := ofFamily(s.NewID(), []string{"1", "2"}, inCash(1000_00))
	order.Payment.Date = "2026-06-12"
	paid, err := p.RecordFamily(ctx, "DPS", order)
	if err != nil || !paid.Open {
		t.Fatalf("%+v, %v: want it to be durable and open", paid, err)
	}
	if err := s.CloseBooks(ctx, "DPS", "2026-06-13"); err != nil {
		t.Fatal(err)
	}
	if err := sweepOf(ctx, s, "DPS"); err != nil {
		t.Fatal(err)
	}
	rows, err := s.FamilyRows(ctx, paid)
	if err != nil || len(rows) != 2 || rows[0].Date != "2026-06-15" || rows[1].Number == 0 {
		t.Errorf("rows %+v, %v: want both, of today, numbered", rows, err)
	}
	if again, err := s.RecordFamily(ctx, "DPS", order); err != nil || again.Open {
		t.Errorf("the same again: %+v, %v", again, err)
	}
	mustAudit(t, s)
}

func TestAuditFamilies(t *testing.T) {
	s := openTest(t)
	s.Now = termTime
	testFamily(t, s, "DPS")
	ctx := context.Background()
	p, err := s.RecordFamily(ctx, "DPS", ofFamily(s.NewID(), []string{"1", "2"}, inCash(1000_00)))
	if err != nil {
		t.Fatal(err)
	}
	shares := func(change func(*fees.FamilyShare)) bson.D {
		changed := slices.Clone(p.Children)
		change(&changed[0])
		return set("children", changed)
	}
	for name, damage := range map[string]bson.D{
		"a share of another amount": shares(func(c *fees.FamilyShare) { c.Amount = 1 }),
		"a row that is not there":   shares(func(c *fees.FamilyShare) { c.Row = s.NewID() }),
		"another total":             set("total", fees.Amount(1)),
	} {
		if _, err := s.DB.UpdateOne(ctx, families, one("DPS", p.ID), damage, docdb.Update{}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		report, err := s.Audit(ctx, "DPS")
		if err != nil || !slices.ContainsFunc(report.Findings, func(f fees.Finding) bool { return f.What == "family" && f.ID == p.ID }) {
			t.Errorf("%s: findings %v, %v", name, report.Findings, err)
		}
		if _, err := s.DB.UpdateOne(ctx, families, one("DPS", p.ID), bson.D{{Key: "$set", Value: bson.D{{Key: "children", Value: p.Children}, {Key: "total", Value: p.Total}}}}, docdb.Update{}); err != nil {
			t.Fatal(err)
		}
	}
	mustAudit(t, s)
}
