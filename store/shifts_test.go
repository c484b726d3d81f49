package store

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/docdb/docdbtest"
	"raseed/store/fees"
)

var (
	asha  = fees.Actor{Login: "asha", Name: "Asha R", Role: fees.RoleCashier, From: "10.0.0.7"}
	meera = fees.Actor{Login: "meera", Name: "Meera", Role: fees.RoleAdmin}
)

// openTill opens a till for by.
func openTill(t *testing.T, s *Store, institute string, by fees.Actor, float fees.Amount) fees.Shift {
	t.Helper()
	shift, err := s.OpenShift(context.Background(), institute, fees.ShiftOrder{ID: s.NewID(), Float: float, By: by})
	if err != nil {
		t.Fatalf("open a till: %v", err)
	}
	return shift
}

// mustRecord records a payment and fails the test where that is refused.
func mustRecord(t *testing.T, s *Store, institute string, o fees.PaymentOrder) fees.Row {
	t.Helper()
	row, err := s.RecordPayment(context.Background(), institute, o)
	if err != nil {
		t.Fatalf("record payment: %v", err)
	}
	return row
}

func TestShiftFromFloatToClose(t *testing.T) {
	s, ctx := openTest(t), context.Background()
	testSchool(t, s, "DPS", 3)
	before := mustRecord(t, s, "DPS", cash(s, "1", 50_00))
	shift := openTill(t, s, "DPS", asha, 1000_00)

	mixed := cash(s, "2", 300_00)
	mixed.Shift = shift.ShortID()
	mixed.Tenders = append(mixed.Tenders, fees.Tender{Mode: fees.ModeCheque, Amount: 200_00, Ref: "004512", Bank: "SBI", Date: mustToday(t, s, "DPS")})
	first := mustRecord(t, s, "DPS", mixed)
	second := mustRecord(t, s, "DPS", cash(s, "3", 120_00))
	other := cash(s, "3", 10_00)
	other.By = meera
	elsewhere := mustRecord(t, s, "DPS", other)
	// A reversal belongs to the till of who makes it, whoever took the money.
	back, err := s.ReversePayment(ctx, "DPS", fees.ReversalOrder{ID: before.ShortID(), Reason: "wrong student", By: asha})
	if err != nil {
		t.Fatal(err)
	}
	for row, want := range map[*fees.Row]string{&before: "", &first: shift.ShortID(), &second: shift.ShortID(), &elsewhere: "", &back: shift.ShortID()} {
		if row.Shift != want {
			t.Errorf("%s went through the till %q, want %q", row.NumberText, row.Shift, want)
		}
	}
	if _, err := s.DropToSafe(ctx, "DPS", fees.DropOrder{ID: s.NewID(), Shift: shift.ShortID(), Amount: 1000_00, Note: "bank van", By: asha}); err != nil {
		t.Fatal(err)
	}

	// 1000 + 300 + 120 - 50 - 1000
	const expected = 370_00
	cashIn, err := s.ShiftCash(ctx, "DPS", shift.ShortID())
	shift, _, _ = s.ShiftOf(ctx, "DPS", "asha")
	if err != nil || shift.Expected(cashIn) != expected {
		t.Fatalf("the till must hold %d, want %d (%v)", shift.Expected(cashIn), expected, err)
	}
	count := fees.CloseOrder{Shift: shift.ShortID(), Pieces: []fees.Counted{{Piece: "note-100", Count: 3}, {Piece: "note-50", Count: 1}, {Piece: "coin-10", Count: 1}}, By: asha}
	if _, err := s.CloseShift(ctx, "DPS", count); fees.CodeOf(err) != fees.Invalid || !strings.Contains(err.Error(), "short by 10.00") {
		t.Fatalf("a short till is closed without a note: %v", err)
	}
	if open, ok, err := s.ShiftOf(ctx, "DPS", "asha"); err != nil || !ok || open.State != fees.ShiftOpen {
		t.Fatalf("after a refused close the till is %+v, %v", open, err)
	}
	count.Note = "one coin fell behind the desk"
	closed, err := s.CloseShift(ctx, "DPS", count)
	if err != nil {
		t.Fatal(err)
	}
	sums := closed.Sums
	if closed.State != fees.ShiftClosed || closed.Difference() != -10_00 || sums.Rows != 3 || sums.Cash != 370_00 {
		t.Errorf("closed with %+v, sums %+v, a difference of %d", closed, sums, closed.Difference())
	}
	if len(sums.Modes) != 2 || sums.Modes[0] != (fees.ModeSum{Mode: fees.ModeCash, Tenders: 2, Received: 420_00, Reversed: -50_00}) ||
		sums.Modes[1] != (fees.ModeSum{Mode: fees.ModeCheque, Tenders: 1, Received: 200_00}) {
		t.Errorf("by mode: %+v", sums.Modes)
	}
	if len(sums.Numbers) != 2 || sums.Numbers[0].First != first.NumberText || sums.Numbers[0].Last != second.NumberText || sums.Numbers[0].Count != 2 || sums.Numbers[1].First != back.NumberText {
		t.Errorf("numbers: %+v", sums.Numbers)
	}

	// Again is the same; another count is not.
	if again, err := s.CloseShift(ctx, "DPS", count); err != nil || again.Version != closed.Version {
		t.Errorf("closed again: %+v, %v", again, err)
	}
	count.Other = 1_00
	if _, err := s.CloseShift(ctx, "DPS", count); fees.CodeOf(err) != fees.Conflict {
		t.Errorf("closed again with another count: %v", err)
	}
	// Nothing goes into it any more, and nothing out.
	if row := mustRecord(t, s, "DPS", cash(s, "3", 5_00)); row.Shift != "" {
		t.Errorf("a payment after the close went through the till %q", row.Shift)
	}
	if _, err := s.DropToSafe(ctx, "DPS", fees.DropOrder{ID: s.NewID(), Shift: shift.ShortID(), Amount: 1, By: asha}); fees.CodeOf(err) != fees.Conflict {
		t.Errorf("a drop from a closed till: %v", err)
	}
	mustAudit(t, s)
}

func mustToday(t *testing.T, s *Store, institute string) fees.Date {
	t.Helper()
	inst, err := s.Institute(context.Background(), institute)
	if err != nil {
		t.Fatal(err)
	}
	return inst.Today(s.Now())
}

func TestOneTillPerCashier(t *testing.T) {
	s, ctx := openTest(t), context.Background()
	testSchool(t, s, "DPS", 1)
	testSchool(t, s, "QPS", 1)
	order := fees.ShiftOrder{ID: s.NewID(), Float: 10_00, By: asha}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := s.OpenShift(ctx, "DPS", order); err != nil {
				t.Errorf("the same form: %v", err)
			}
			other := order
			other.ID = s.NewID()
			if _, err := s.OpenShift(ctx, "DPS", other); err == nil {
				return // it was the first
			} else if fees.CodeOf(err) != fees.Conflict {
				t.Errorf("another form: %v", err)
			}
		})
	}
	open := openTill(t, s, "QPS", asha, 0) // another institute's is another
	wg.Wait()
	if all, err := s.OpenShifts(ctx, "DPS"); err != nil || len(all) != 1 {
		t.Errorf("%d tills are open, %v", len(all), err)
	}
	order.Float++
	if _, err := s.OpenShift(ctx, "DPS", order); fees.CodeOf(err) != fees.Conflict {
		t.Errorf("the same form with another float: %v", err)
	}
	for name, err := range map[string]error{
		"another institute's till": func() error { _, err := s.Shift(ctx, "DPS", open.ShortID()); return err }(),
		"closing it": func() error {
			_, err := s.CloseShift(ctx, "DPS", fees.CloseOrder{Shift: open.ShortID(), By: asha})
			return err
		}(),
		"a drop from it": func() error {
			_, err := s.DropToSafe(ctx, "DPS", fees.DropOrder{ID: s.NewID(), Shift: open.ShortID(), Amount: 1, By: asha})
			return err
		}(),
	} {
		if fees.CodeOf(err) != fees.NotFound {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDropToSafe(t *testing.T) {
	s, ctx := openTest(t), context.Background()
	testSchool(t, s, "DPS", 1)
	shift := openTill(t, s, "DPS", asha, 100_00)
	drop := fees.DropOrder{ID: s.NewID(), Shift: shift.ShortID(), Amount: 60_00, By: asha}
	var wg sync.WaitGroup
	for range 6 { // the same form pressed often
		wg.Go(func() {
			if _, err := s.DropToSafe(ctx, "DPS", drop); err != nil {
				t.Errorf("drop: %v", err)
			}
		})
	}
	wg.Wait()
	shift, err := s.Shift(ctx, "DPS", shift.ShortID())
	if err != nil || shift.Dropped() != 60_00 || len(shift.Drops) != 1 {
		t.Fatalf("dropped %d in %d, %v", shift.Dropped(), len(shift.Drops), err)
	}
	for name, tc := range map[string]struct {
		change func(*fees.DropOrder)
		code   fees.Code
	}{
		"another amount":  {func(o *fees.DropOrder) { o.Amount = 1 }, fees.Conflict},
		"more than there": {func(o *fees.DropOrder) { o.ID = s.NewID(); o.Amount = 40_01 }, fees.Invalid},
		"nothing":         {func(o *fees.DropOrder) { o.ID = s.NewID(); o.Amount = 0 }, fees.Invalid},
		"somebody else":   {func(o *fees.DropOrder) { o.ID = s.NewID(); o.By = meera }, fees.NotFound},
		"no till":         {func(o *fees.DropOrder) { o.Shift = s.NewID() }, fees.NotFound},
		"what was there":  {func(o *fees.DropOrder) { o.ID = s.NewID(); o.Amount = 40_00 }, ""},
		"once more":       {func(o *fees.DropOrder) { o.ID = s.NewID(); o.Amount = 1; o.Note = strings.Repeat("x", 300) }, fees.Invalid},
	} {
		o := drop
		tc.change(&o)
		if _, err := s.DropToSafe(ctx, "DPS", o); fees.CodeOf(err) != tc.code {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFormOfATillThatWasClosed(t *testing.T) {
	s, ctx := openTest(t), context.Background()
	testSchool(t, s, "DPS", 2)
	shift := openTill(t, s, "DPS", asha, 0)
	late := cash(s, "1", 10_00)
	late.Shift = shift.ShortID()
	early := late
	early.ID = s.NewID()
	mustRecord(t, s, "DPS", early)
	closing := fees.CloseOrder{Shift: shift.ShortID(), Other: 10_00, By: meera}
	if _, err := s.CloseShift(ctx, "DPS", closing); fees.CodeOf(err) != fees.Invalid || !strings.Contains(err.Error(), "Asha R") {
		t.Fatalf("somebody else's till is closed without a reason: %v", err)
	}
	closing.Reason = "went home ill"
	if _, err := s.CloseShift(ctx, "DPS", closing); err != nil {
		t.Fatal(err)
	}
	var said *fees.Error
	_, err := s.RecordPayment(ctx, "DPS", late)
	if !errors.As(err, &said) || said.Code != fees.Conflict || said.Fields["shift"] == "" || !strings.Contains(said.Message, "closed by Meera") || !strings.Contains(said.Message, "outside of a till") {
		t.Fatalf("a closed till's form: %v", err)
	}
	// What was recorded is answered, whatever became of its till.
	if row := mustRecord(t, s, "DPS", early); row.Shift != shift.ShortID() {
		t.Errorf("the form that was recorded: %+v", row)
	}
	next := openTill(t, s, "DPS", asha, 0)
	if _, err = s.RecordPayment(ctx, "DPS", late); fees.CodeOf(err) != fees.Conflict || !strings.Contains(err.Error(), "have open now") {
		t.Errorf("with another till open: %v", err)
	}
	late.Shift = next.ShortID()
	if row := mustRecord(t, s, "DPS", late); row.Shift != next.ShortID() {
		t.Errorf("pressed again: %+v", row)
	}
	for _, no := range []string{"nonsense", s.NewID(), strings.Repeat("x", 4000)} {
		o := cash(s, "2", 1_00)
		o.Shift = no
		if _, err := s.RecordPayment(ctx, "DPS", o); fees.CodeOf(err) != fees.Conflict {
			t.Errorf("a till that is none (%.10s): %v", no, err)
		}
	}
	mustAudit(t, s)
}

// TestCloseWhileCollecting: with payments coming all the time, what a till is
// closed with is exactly what names it, in one process.
func TestCloseWhileCollecting(t *testing.T) {
	s, ctx := openTest(t), context.Background()
	testSchool(t, s, "DPS", 8)
	shift := openTill(t, s, "DPS", asha, 0)
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			for range 12 {
				if _, err := s.RecordPayment(ctx, "DPS", cash(s, string(rune('1'+i)), 1_00)); err != nil {
					t.Errorf("payment: %v", err)
					return
				}
			}
		})
	}
	for sum := fees.Amount(0); sum < 20_00; {
		var err error
		if sum, err = s.ShiftCash(ctx, "DPS", shift.ShortID()); err != nil {
			t.Fatal(err)
		}
	}
	var closed int
	var mu sync.Mutex
	var closers sync.WaitGroup
	for range 2 { // two tabs
		closers.Go(func() {
			for {
				_, err := s.CloseShift(ctx, "DPS", fees.CloseOrder{Shift: shift.ShortID(), Note: "counted by eye", By: asha})
				switch {
				case err == nil:
					mu.Lock()
					closed++
					mu.Unlock()
					return
				case fees.CodeOf(err) != fees.Conflict: // numbers on their way
					t.Errorf("close: %v", err)
					return
				}
			}
		})
	}
	closers.Wait()
	wg.Wait()
	if closed != 2 {
		t.Errorf("%d of 2 tabs closed it", closed)
	}
	if there, err := s.Shift(ctx, "DPS", shift.ShortID()); err != nil || there.State != fees.ShiftClosed || there.Sums.Rows < 20 {
		t.Errorf("%+v, %v", there, err)
	}
	mustAudit(t, s)
}

// TestCloseWithANumberPending: a till whose receipt has no number yet stays open,
// and is closed once the number is there.
func TestCloseWithANumberPending(t *testing.T) {
	s, ctx := openTest(t), context.Background()
	testSchool(t, s, "DPS", 1)
	shift := openTill(t, s, "DPS", asha, 0)
	away := true
	p := openOn(t, docdbtest.Faulty(s.DB, func(op docdbtest.Op) docdbtest.Fault {
		if away && op.Write && op.Coll == counters {
			return docdbtest.BeforeWrite
		}
		return docdbtest.None
	}))
	if row := mustRecord(t, p, "DPS", cash(s, "1", 10_00)); !row.Awaiting || row.Shift != shift.ShortID() {
		t.Fatalf("%+v", row)
	}
	order := fees.CloseOrder{Shift: shift.ShortID(), Other: 10_00, By: asha}
	if _, err := p.CloseShift(ctx, "DPS", order); fees.CodeOf(err) != fees.Conflict || !strings.Contains(err.Error(), "awaits its number") {
		t.Fatalf("closed with a number pending: %v", err)
	}
	away = false
	closed, err := p.CloseShift(ctx, "DPS", order)
	if err != nil || len(closed.Sums.Numbers) != 1 {
		t.Fatalf("once the number can be had: %+v, %v", closed, err)
	}
	mustAudit(t, s)
}

// TestCloseInAnotherProcess: a payment that was let into a till before another
// process closed it is noted on it as late, and in no count.
func TestCloseInAnotherProcess(t *testing.T) {
	s, ctx := openTest(t), context.Background()
	testSchool(t, s, "DPS", 2)
	shift := openTill(t, s, "DPS", asha, 0)
	mustRecord(t, s, "DPS", cash(s, "1", 10_00))
	other := openOn(t, s.DB)
	order := fees.CloseOrder{Shift: shift.ShortID(), Other: 10_00, By: asha}
	var once sync.Once
	p := openOn(t, docdbtest.Faulty(s.DB, func(op docdbtest.Op) docdbtest.Fault {
		if op.Write && op.Coll == payments {
			once.Do(func() {
				if _, err := other.CloseShift(ctx, "DPS", order); err != nil {
					t.Errorf("close: %v", err)
				}
			})
		}
		return docdbtest.None
	}))
	if row := mustRecord(t, p, "DPS", cash(s, "2", 7_00)); row.Shift != shift.ShortID() || row.Awaiting {
		t.Fatalf("%+v", row)
	}
	there, err := s.Shift(ctx, "DPS", shift.ShortID())
	if err != nil || there.Sums.Rows != 1 || there.Difference() != 0 || there.Late == nil || *there.Late != (fees.LateSums{Rows: 1, Cash: 7_00, Total: 7_00}) {
		t.Errorf("%+v, late %+v, %v", there.Sums, there.Late, err)
	}
	if _, err := s.CloseShift(ctx, "DPS", order); err != nil {
		t.Errorf("the same close again: %v", err)
	}
	mustAudit(t, s)
}

// TestSweepGoesOnWithAClose: who closes a till has it alone for a minute; then
// the sweep closes it, or opens it again where it cannot be closed so.
func TestSweepGoesOnWithAClose(t *testing.T) {
	for name, tc := range map[string]struct {
		counted fees.Amount
		want    fees.ShiftState
	}{"right": {10_00, fees.ShiftClosed}, "short, and nobody says why": {9_00, fees.ShiftOpen}} {
		t.Run(name, func(t *testing.T) {
			s, ctx := openTest(t), context.Background()
			s.Now = termTime
			inst := testSchool(t, s, "DPS", 1)
			shift := openTill(t, s, "DPS", asha, 10_00)
			count := fees.TillCount{Other: tc.counted, Counted: tc.counted, By: "asha", ByName: "Asha R", At: s.instant()}
			if _, made, err := s.changeShift(ctx, shift, bson.D{{Key: "state", Value: fees.ShiftClosing}, {Key: "closing", Value: true}, {Key: "count", Value: count}}, nil, nil); err != nil || !made {
				t.Fatal(made, err)
			}
			if _, err := s.CloseShift(ctx, "DPS", fees.CloseOrder{Shift: shift.ShortID(), Other: 1, Note: "x", Reason: "y", By: meera}); fees.CodeOf(err) != fees.Conflict {
				t.Errorf("closed by another at the same time: %v", err)
			}
			if row := mustRecord(t, s, "DPS", cash(s, "1", 1_00)); row.Shift != "" {
				t.Errorf("a till that is closing took %+v", row)
			}
			for at, want := range map[time.Duration]fees.ShiftState{59 * time.Second: fees.ShiftClosing, time.Minute: tc.want} {
				s.Now = func() time.Time { return termTime().Add(at) }
				if want == fees.ShiftClosing {
					if err := s.sweepShifts(ctx, inst); err != nil {
						t.Fatal(err)
					}
					if there, _ := s.Shift(ctx, "DPS", shift.ShortID()); there.State != want {
						t.Errorf("after %s it is %s", at, there.State)
					}
				}
			}
			s.Now = func() time.Time { return termTime().Add(time.Minute) }
			if err := s.Sweep(ctx); err != nil {
				t.Fatal(err)
			}
			there, err := s.Shift(ctx, "DPS", shift.ShortID())
			if err != nil || there.State != tc.want || there.Closing || there.Active != (tc.want == fees.ShiftOpen) || (there.Count == nil) != (tc.want == fees.ShiftOpen) {
				t.Errorf("after the sweep: %+v, %v", there, err)
			}
			mustAudit(t, s)
		})
	}
}

// Who closes a till by a clock that ran ahead, and dies, does not keep it from
// being closed until that comes true.
func TestCloseByWrongClock(t *testing.T) {
	s, ctx := openTest(t), context.Background()
	s.Now = termTime
	testSchool(t, s, "DPS", 1)
	shift := openTill(t, s, "DPS", asha, 10_00)
	count := fees.TillCount{Other: 1, Counted: 1, By: "asha", ByName: "Asha R", At: s.instant().AddDate(1, 0, 0)}
	if _, made, err := s.changeShift(ctx, shift, bson.D{{Key: "state", Value: fees.ShiftClosing}, {Key: "closing", Value: true}, {Key: "count", Value: count}}, nil, nil); err != nil || !made {
		t.Fatal(made, err)
	}
	closed, err := s.CloseShift(ctx, "DPS", fees.CloseOrder{Shift: shift.ShortID(), Other: 10_00, Reason: "left for the day", By: meera})
	if err != nil || closed.State != fees.ShiftClosed || closed.Count.By != "meera" {
		t.Errorf("%+v, %v", closed, err)
	}
	mustAudit(t, s)
}

func TestShiftsPageByKey(t *testing.T) {
	s, ctx := openTest(t), context.Background()
	testSchool(t, s, "DPS", 1)
	var want []string
	for i := range 7 {
		by := asha
		if i%3 == 2 {
			by = meera
		}
		shift := openTill(t, s, "DPS", by, 0)
		want = append(want, shift.ShortID())
		if _, err := s.CloseShift(ctx, "DPS", fees.CloseOrder{Shift: shift.ShortID(), By: by}); err != nil {
			t.Fatal(err)
		}
	}
	for cashier, n := range map[string]int{"": 7, "asha": 5, "meera": 2, "nobody": 0} {
		var got []string
		for after := ""; ; {
			page, err := s.Shifts(ctx, "DPS", cashier, after, 2)
			if err != nil {
				t.Fatal(err)
			}
			for _, shift := range page.Items {
				got = append(got, shift.ShortID())
			}
			if after = page.Next; after == "" {
				break
			}
		}
		if len(got) != n || cashier == "" && got[0] != want[6] || cashier == "asha" && got[4] != want[0] {
			t.Errorf("tills of %q: %v, want %d of %v", cashier, got, n, want)
		}
	}
	if _, err := s.Shifts(ctx, "DPS", "", "QPS:x", 2); fees.CodeOf(err) != fees.Invalid {
		t.Errorf("a page that is none: %v", err)
	}
}

// TestAuditNamesTills: what other processes or hands did to a till is found.
func TestAuditNamesTills(t *testing.T) {
	late := func(t *testing.T, s *Store, shift fees.Shift) {
		other := mustRecord(t, s, "DPS", cash(s, "2", 7_00))
		row, _ := s.Row(context.Background(), "DPS", other.ShortID())
		row.ID = fees.Key("DPS", s.NewID())
		row.EnterTill(shift.ShortID())
		row = attached{}.on(row)
		row.Awaiting = true
		if _, err := s.writeRow(context.Background(), row); err != nil {
			t.Fatal(err)
		}
		if err := s.Sweep(context.Background()); err != nil {
			t.Fatal(err)
		}
		if _, err := s.DB.UpdateOne(context.Background(), shifts, one("DPS", shift.ID), bson.D{{Key: "$unset", Value: bson.D{{Key: "late", Value: ""}}}}, docdb.Update{}); err != nil {
			t.Fatal(err)
		}
	}
	change := func(update bson.D) func(*testing.T, *Store, fees.Shift) {
		return func(t *testing.T, s *Store, shift fees.Shift) {
			if _, err := s.DB.UpdateOne(context.Background(), shifts, one("DPS", shift.ID), update, docdb.Update{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, tc := range map[string]struct {
		damage func(*testing.T, *Store, fees.Shift)
		says   string
	}{
		"a row that came late and is not noted": {late, "was closed with 1 row of 10.00, 10.00 of it in cash; 2 rows of 17.00, 17.00 in cash, name it"},
		"other sums":                            {change(set("sums.cash", int64(11_00))), "was closed with 1 row"},
		"another count":                         {change(set("count.counted", int64(11_00))), "the till's count comes to 10.00 and says 11.00"},
		"another cashier":                       {change(set("cashier", "ravi")), "recorded by somebody else"},
		"no sums":                               {change(bson.D{{Key: "$unset", Value: bson.D{{Key: "sums", Value: ""}}}}), "does not say with what"},
		"gone": {func(t *testing.T, s *Store, shift fees.Shift) {
			if _, err := s.DB.DeleteOne(context.Background(), shifts, one("DPS", shift.ID)); err != nil {
				t.Fatal(err)
			}
		}, "which is not there"},
	} {
		t.Run(name, func(t *testing.T) {
			s, ctx := openTest(t), context.Background()
			testSchool(t, s, "DPS", 2)
			shift := openTill(t, s, "DPS", asha, 0)
			mustRecord(t, s, "DPS", cash(s, "1", 10_00))
			if _, err := s.CloseShift(ctx, "DPS", fees.CloseOrder{Shift: shift.ShortID(), Other: 10_00, By: asha}); err != nil {
				t.Fatal(err)
			}
			mustAudit(t, s)
			tc.damage(t, s, shift)
			report, err := s.Audit(ctx, "DPS")
			if err != nil {
				t.Fatal(err)
			}
			if len(report.Findings) != 1 || report.Findings[0].What != "till" || !strings.Contains(strings.ToLower(report.Findings[0].Text), strings.ToLower(tc.says)) {
				t.Errorf("findings: %+v", report.Findings)
			}
		})
	}
}
