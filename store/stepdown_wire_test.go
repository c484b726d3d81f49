package store

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"raseed/store/docdb/mongodb/wiretest"
	"raseed/store/fees"
)

// Eight cashiers collect while the primary loses its office again and again:
// what was acknowledged is there, and the numbers have no gap.
func TestStepDownsWhileCollecting(t *testing.T) {
	const cashiers, each, elections = 8, 15, 6
	w := openWire(t, wiretest.Options{}, cashiers, "")
	// At every twentieth write the primary steps down before it sees it, and is
	// elected again once a driver has noticed.
	writes, held, down := 0, 0, false
	w.proxy.Plan(func(c wiretest.Command) wiretest.Fault {
		if c.Write() && !down {
			writes++
			if writes%20 == 0 && held < elections {
				w.server.StepDown()
				held, down = held+1, true
			}
		}
		if down && (c.Name == "hello" || c.Name == "isMaster") {
			w.server.StepUp()
			down = false
		}
		return wiretest.Fault{}
	})
	var all sync.WaitGroup
	var mu sync.Mutex
	var acknowledged []fees.Row
	for c := range cashiers {
		all.Go(func() {
			for range each {
				row, _ := w.press(t, "P", cash(w.s, fmt.Sprint(c+1), 100))
				mu.Lock()
				acknowledged = append(acknowledged, row)
				mu.Unlock()
			}
		})
	}
	all.Wait()
	w.proxy.Plan(nil)
	if held != elections {
		t.Errorf("the primary stepped down %d times, want %d", held, elections)
	}
	w.wantRows(t, "P", cashiers*each)
	for _, row := range acknowledged {
		there, err := w.around.Row(context.Background(), "P", row.ShortID())
		if err != nil || there.Number == 0 || row.Number != 0 && there.Number != row.Number {
			t.Errorf("receipt %d was acknowledged as %s; there is number %d (%v)", row.Number, row.ID, there.Number, err)
		}
	}
}
