package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// The term of a simulation is late from its first minute on, and a day later
// after midnight.
const (
	simPeriod  = "2026-27/T1"
	simDue     = fees.Date("2026-03-25")
	simLateDay = fees.Amount(1000)
)

// school is an institute of a simulation, and what its people remember.
type school struct {
	inst     fees.Institute
	students int  // that are there at first; the list that is imported has one more
	office   bool // it bills the term

	mu     sync.Mutex
	forms  []fees.PaymentOrder
	posted map[string][]fees.PaymentOrder // by form's id, every content that was posted under it
	told   map[string]fees.Row            // by row, what a person was told of it; with its number as soon as that was said
	denied map[string]bool                // by form's id: somebody was told that nothing was written
	doubts map[string]bool                // by form's id: somebody was told something else
	waived map[string]fees.Bill           // by reason, late fees that a person was told were waived
	voided map[string]bool                // by key, bills that a person was told were cancelled

	held  map[string]fees.Hold // by token, holds that a person was told to have
	given map[string]bool      // by token, holds that were given back

	families     []fees.FamilyOrder
	familyPosted map[string][]fees.FamilyOrder // by form's id
	familyTold   map[string]fees.FamilyPayment // by form's id
	children     []string                      // ids of rows of family payments

	tills   map[string]fees.Shift     // by key, what a person was told of them
	dropped map[string]fees.DropOrder // by id, what a person was told is in the safe
	banked  map[toldCheque]bool
	atBank  []string // ids of payments of which a cheque clears or bounces, the last last
	asked   []fees.RefundOrder
	decided map[toldRefund]bool
}

// openSimSchool makes an institute, its students 1 to n, and a plan for a term.
func openSimSchool(t testing.TB, db docdb.DB, code string, n int) *school {
	t.Helper()
	ctx := context.Background()
	inst := fees.Institute{
		Code: code, Name: "Simulated", TimeZone: "Asia/Kolkata", FYStart: 4, Currency: "INR", Decimals: 2, Locale: "en-IN",
		Formats:   fees.Formats{Receipt: "R/{fy}/{seq:5}", Reversal: "RV/{fy}/{seq:5}", Refund: "RF/{fy}/{seq:5}", Adjustment: "AD/{fy}/{seq:5}"},
		CreatedAt: simStart,
	}
	insert := func(coll string, docs ...any) {
		t.Helper()
		if _, err := db.InsertMany(ctx, coll, docs); err != nil {
			t.Fatalf("set up %s of %s: %v", coll, code, err)
		}
	}
	insert(institutes, inst)
	people := make([]any, n)
	for i := range people {
		no := fmt.Sprint(i + 1)
		people[i] = fees.Student{
			ID: fees.Key(code, no), Institute: code, AdmissionNo: no, Name: "Student " + no, Class: "5", Category: "general",
			Status: fees.StudentActive, Family: simFamily, Terms: []string{no}, UpdatedAt: simStart,
		}
	}
	insert(students, people...)
	insert(periods, fees.Period{ID: fees.Key(code, simPeriod), Institute: code, Code: simPeriod, FY: "2026-27", DueDate: simDue})
	insert(ruleSets, fees.Rules{
		ID: fees.Key(code, "2026-27"), Institute: code, FY: "2026-27", Version: 1,
		Late: fees.LateRule{Head: fees.HeadLateFee, Kind: fees.LateDay, Amount: simLateDay},
	})
	insert(heads,
		fees.Head{ID: fees.Key(code, "TUITION"), Institute: code, Code: "TUITION", Name: "Tuition", Order: 1},
		fees.Head{ID: fees.Key(code, "TRIP"), Institute: code, Code: "TRIP", Name: "Trip", Order: 2, Refundable: true})
	insert(plans, fees.PlanRow{
		ID: fees.Key(code, simPeriod, "*", "*", "TUITION"), Institute: code, FY: "2026-27", Period: simPeriod, DueDate: simDue,
		Class: fees.Any, Category: fees.Any, Head: "TUITION", Amount: 50_000,
	})
	return &school{
		inst: inst, students: n, office: true,
		posted: map[string][]fees.PaymentOrder{}, told: map[string]fees.Row{}, denied: map[string]bool{}, doubts: map[string]bool{},
		waived: map[string]fees.Bill{}, voided: map[string]bool{},
		held: map[string]fees.Hold{}, given: map[string]bool{},
		familyPosted: map[string][]fees.FamilyOrder{}, familyTold: map[string]fees.FamilyPayment{},
		tills: map[string]fees.Shift{}, dropped: map[string]fees.DropOrder{},
		banked: map[toldCheque]bool{}, decided: map[toldRefund]bool{},
	}
}

func (s *school) code() string { return s.inst.Code }

// list is the file of students that the office imports.
func (s *school) list() string {
	var b strings.Builder
	b.WriteString("admission_no,name,class,category,opening_balance\n")
	for i := range s.students + 1 {
		fmt.Fprintf(&b, "%d,Student %d,5,general,%d.00\n", i+1, i+1, s.opening(i+1)/100)
	}
	return b.String()
}

// opening is what a student owed when the books were opened: some nothing,
// some are in credit.
func (s *school) opening(student int) fees.Amount { return fees.Amount(student%3-1) * 70_000 }

// someStudent is most often the first: people meet there.
func (s *school) someStudent(rng *rand.Rand) string {
	return fmt.Sprint(1 + rng.IntN(1+rng.IntN(s.students)))
}

// someForm is one that somebody posted.
func (s *school) someForm(rng *rand.Rand) (o fees.PaymentOrder, there bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.forms) == 0 {
		return o, false
	}
	return s.forms[rng.IntN(len(s.forms))], true
}

// somePayment is the id of one that may have been recorded; half of the time one
// of which somebody has just entered what became of a cheque.
func (s *school) somePayment(rng *rand.Rand) (id string, there bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.atBank); n > 0 && rng.IntN(2) == 0 {
		return s.atBank[n-1-rng.IntN(min(2, n))], true
	}
	n := len(s.forms) + len(s.children)
	if n == 0 {
		return "", false
	}
	if n = rng.IntN(n); n < len(s.forms) {
		return s.forms[n].ID, true
	}
	return s.children[n-len(s.forms)], true
}

// someFamilyForm is one that somebody posted.
func (s *school) someFamilyForm(rng *rand.Rand) (o fees.FamilyOrder, there bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.families) == 0 {
		return o, false
	}
	return s.families[rng.IntN(len(s.families))], true
}

// someRefund is one that somebody has just asked for.
func (s *school) someRefund(rng *rand.Rand) (o fees.RefundOrder, there bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.asked) == 0 {
		return o, false
	}
	return s.asked[len(s.asked)-1-rng.IntN(min(2, len(s.asked)))], true // one of the last
}

// note writes into what the school's people remember.
func (s *school) note(write func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	write()
}

// posts notes a form before it is sent.
func (s *school) posts(o fees.PaymentOrder) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forms = append(s.forms, o)
	s.posted[o.ID] = append(s.posted[o.ID], o)
}

// hears notes what a person was told of a row, or that it was not written.
func (s *school) hears(id string, row fees.Row, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		if before, ok := s.told[id]; !ok || before.Number == 0 {
			s.told[id] = row
		}
	}
	s.answered(id, err)
}

// hearsFamily is hears for a family payment.
func (s *school) hearsFamily(id string, p fees.FamilyPayment, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		s.familyTold[id] = p
		for _, c := range p.Children {
			s.children = append(s.children, c.Row)
		}
	}
	s.answered(id, err)
}

// answered notes whether a person was told that nothing was written.
func (s *school) answered(id string, err error) {
	var why *fees.Error
	if errors.As(err, &why) && (why.Code == fees.Unavailable || why.Fields["shift"] != "") {
		s.denied[id] = true
		return
	}
	s.doubts[id] = true
}

// doubt notes that nobody heard what became of a form.
func (s *school) doubt(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.doubts[id] = true
}
