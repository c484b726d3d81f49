package handlers

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"raseed/store/fees"
)

// slowAuditor takes its time over each institute, and counts who is at it.
type slowAuditor struct {
	takes time.Duration
	fails error

	mu              sync.Mutex
	atOnce, most    int
	audits, repairs int
}

func (a *slowAuditor) AuditWatched(ctx context.Context, institute string, checked func(int64)) (fees.AuditReport, error) {
	a.enter(&a.audits)
	defer a.leave()
	checked(1024)
	select {
	case <-time.After(a.takes):
	case <-ctx.Done():
		return fees.AuditReport{}, ctx.Err()
	}
	return fees.AuditReport{Accounts: []fees.AccountsReport{{Institute: institute}}}, a.fails
}

func (a *slowAuditor) Repair(ctx context.Context, institute string, _ fees.Actor) (fees.RepairReport, error) {
	a.enter(&a.repairs)
	defer a.leave()
	<-time.After(a.takes)
	return fees.RepairReport{Repaired: []fees.Finding{{Institute: institute}}}, a.fails
}

func (a *slowAuditor) enter(n *int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	*n++
	a.atOnce++
	a.most = max(a.most, a.atOnce)
}

func (a *slowAuditor) leave() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.atOnce--
}

func newDesk(a *slowAuditor) *AuditDesk {
	return NewAuditDesk(a, time.Now, slog.New(slog.DiscardHandler)) // the clock of the bubble
}

// A small ledger is read anew for every page, so that the page shows what was
// recorded before it was asked for.
func TestDeskReadsASmallLedgerAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &slowAuditor{takes: 100 * time.Millisecond}
		d := newDesk(a)
		defer d.Close()
		for n := range 3 {
			if s := d.fresh(t.Context(), "P", auditPatience); s.last == nil || s.running || a.audits != n+1 {
				t.Errorf("page %d: result %v, running %t, after %d audits", n, s.last, s.running, a.audits)
			}
		}
		// Those who come while it is read wait for a reading that begins after
		// they came, together.
		var pages sync.WaitGroup
		for range 8 {
			pages.Go(func() { d.fresh(t.Context(), "P", auditPatience) })
		}
		pages.Wait()
		if a.audits > 5 || a.most != 1 {
			t.Errorf("eight pages at once took %d audits, %d at once; want two, one by one", a.audits-3, a.most)
		}
	})
}

// A large ledger is read once, and again only when somebody asks for it.
func TestDeskReadsALargeLedgerOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &slowAuditor{takes: 30 * time.Second}
		d := newDesk(a)
		defer d.Close()
		if s := d.fresh(t.Context(), "P", auditPatience); !s.running || s.last != nil || s.rows != 1024 {
			t.Errorf("the first page shows %+v", s)
		}
		for range 3 { // reloaded meanwhile
			d.fresh(t.Context(), "P", auditPatience)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if s := d.fresh(t.Context(), "P", auditPatience); s.running || s.last == nil || s.took != 30*time.Second || a.audits != 1 {
			t.Errorf("once it is read: %+v after %d audits", s, a.audits)
		}
		d.start(t.Context(), "P", &audit{}, 0)
		if s := d.state("P"); !s.running || s.last == nil {
			t.Errorf("checked again, the page shows %+v, want the last result and the progress", s)
		}
		d.start(t.Context(), "P", &audit{by: &fees.Actor{Name: "Meera"}}, 0)
		time.Sleep(31 * time.Second)
		synctest.Wait()
		if s := d.state("P"); !s.repairing {
			t.Errorf("the repair does not come after the check: %+v", s)
		}
		time.Sleep(31 * time.Second)
		synctest.Wait()
		if s := d.state("P"); s.running || s.repair == nil || s.repair.by != "Meera" || a.most != 1 || a.repairs != 1 {
			t.Errorf("in the end %+v, %d at once, %d repairs", s, a.most, a.repairs)
		}
	})
}

// What fails is said, and tried again with the next page.
func TestDeskFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &slowAuditor{fails: errors.New("no disk")}
		d := newDesk(a)
		if s := d.fresh(t.Context(), "P", auditPatience); s.failed == "" || s.last != nil {
			t.Errorf("a failure is shown as %+v", s)
		}
		a.fails = nil
		if s := d.fresh(t.Context(), "P", auditPatience); s.failed != "" || s.last == nil {
			t.Errorf("after the failure %+v", s)
		}
		// Closing calls off what is going on.
		a.takes = time.Hour
		d.start(t.Context(), "P", &audit{}, 0)
		d.start(t.Context(), "Q", &audit{}, 0)
		d.start(t.Context(), "Q", &audit{}, 0)
		began := time.Now()
		d.Close()
		if took := time.Since(began); took > 0 {
			t.Errorf("the desk closes after %v", took)
		}
	})
}
