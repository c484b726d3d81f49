package store

import (
	"context"
	"fmt"
	"testing"
	"time"

	"raseed/store/docdb/mongodb/wiretest"
	"raseed/store/fees"
)

// step is a write of a payment: the n-th command of its label.
type step struct {
	label string
	n     int
}

// stepsOfAPayment are the writes by which a payment gets its number, in order,
// as they go over the wire.
func stepsOfAPayment(t *testing.T, w *wireLedger) []step {
	t.Helper()
	var steps []step
	w.proxy.Plan(func(c wiretest.Command) wiretest.Fault {
		if c.Write() {
			steps = append(steps, step{label(c), c.N})
		}
		return wiretest.Fault{}
	})
	row, _ := w.press(t, "P", cash(w.s, "1", 100))
	w.proxy.Plan(nil)
	if row.Number == 0 || len(steps) < 4 || steps[0].label != "insert payments" {
		t.Fatalf("a payment is receipt %d by the writes %v, want the row first, then account, counter and number", row.Number, steps)
	}
	return steps
}

// However the network fails a payment, at whichever of its writes and as often
// as the driver tries, pressing again gives the one receipt.
func TestPaymentOverABadNetwork(t *testing.T) {
	const timeout = 250 * time.Millisecond
	for _, c := range []struct {
		fault wiretest.Fault
		tries int // how many in a row it meets
	}{
		{wiretest.Fault{Kind: wiretest.CutBefore}, 1},
		{wiretest.Fault{Kind: wiretest.CutBefore}, 2},
		{wiretest.Fault{Kind: wiretest.DropAnswer}, 1},
		{wiretest.Fault{Kind: wiretest.DropAnswer}, 2},
		{wiretest.Fault{Kind: wiretest.CutAnswer}, 2},
		{wiretest.Fault{Kind: wiretest.Swallow}, 1},
		{wiretest.Fault{Kind: wiretest.DelayCommand, For: 2 * timeout}, 1},
	} {
		for _, standalone := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/tries %d/standalone %v", c.fault.Kind, c.tries, standalone), func(t *testing.T) {
				t.Parallel()
				w := openWire(t, wiretest.Options{Standalone: standalone}, 1, fmt.Sprintf("timeoutMS=%d", timeout.Milliseconds()))
				for i, step := range stepsOfAPayment(t, w) {
					// A school of its own: its first payment also makes a
					// counter and an account.
					code := fmt.Sprint("S", i+1)
					testSchool(t, w.around, code, 1)
					for number := int64(1); number <= 2; number++ {
						hits := 0
						w.proxy.Plan(func(command wiretest.Command) wiretest.Fault {
							if label(command) != step.label || command.N < step.n || command.N >= step.n+c.tries {
								return wiretest.Fault{}
							}
							hits++
							return c.fault
						})
						row, _ := w.press(t, code, cash(w.s, "1", 100))
						w.proxy.Settle()
						w.proxy.Plan(nil)
						if number == 1 && hits == 0 {
							t.Errorf("write %d, %s: the fault met no command", i+1, step.label)
						}
						w.wantRows(t, code, number)
						if there, err := w.around.Row(context.Background(), code, row.ShortID()); err != nil || there.Number != number {
							t.Errorf("write %d, %s: the receipt is number %d (%v), want %d", i+1, step.label, there.Number, err, number)
						}
					}
				}
			})
		}
	}
}

// While the server cannot be reached, nothing is written and the words say so;
// the same form again, once it can, is the receipt.
func TestPaymentWhileTheServerIsAway(t *testing.T) {
	w := openWire(t, wiretest.Options{}, 1, "serverSelectionTimeoutMS=300&timeoutMS=1000")
	ctx := context.Background()
	o := cash(w.s, "1", 100)
	w.proxy.Refuse()
	began := time.Now()
	if _, err := w.s.RecordPayment(ctx, "P", o); fees.CodeOf(err) != fees.Unavailable {
		t.Errorf("a payment while the server is away: %v, want Unavailable", err)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("it took %v to say so", took)
	}
	w.proxy.Mend()
	if row, _ := w.press(t, "P", o); row.Number != 1 {
		t.Errorf("the same form afterwards is receipt %d, want 1", row.Number)
	}
	w.wantRows(t, "P", 1)
}

// From the row on, nothing comes back: the outcome is not known, and the second
// press finds the one receipt.
func TestPaymentWhoseAnswerNeverComes(t *testing.T) {
	w := openWire(t, wiretest.Options{}, 1, "serverSelectionTimeoutMS=300&connectTimeoutMS=300&timeoutMS=400")
	o := cash(w.s, "1", 100)
	silent := false
	w.proxy.Plan(func(c wiretest.Command) wiretest.Fault {
		if silent = silent || label(c) == "insert payments"; silent {
			return wiretest.Fault{Kind: wiretest.Swallow}
		}
		return wiretest.Fault{}
	})
	if _, err := w.s.RecordPayment(context.Background(), "P", o); fees.CodeOf(err) != fees.Unconfirmed {
		t.Errorf("a payment whose answer never comes: %v, want Unconfirmed", err)
	}
	w.proxy.Mend()
	if row, _ := w.press(t, "P", o); row.Number != 1 {
		t.Errorf("the second press is receipt %d, want 1", row.Number)
	}
	w.wantRows(t, "P", 1)
}
