package browsertest

import (
	"context"
	"sync/atomic"
	"testing"

	"raseed/store/docdb"
	"raseed/store/docdb/docdbtest"
	"raseed/store/fees"
	"raseed/web/webtest"
)

// trouble breaks or slows a database while people work on it.
type trouble struct {
	plan atomic.Pointer[func(docdbtest.Op) docdbtest.Fault]
}

func (tr *trouble) wrap(db docdb.DB) docdb.DB {
	return docdbtest.Faulty(db, func(op docdbtest.Op) docdbtest.Fault {
		if plan := tr.plan.Load(); plan != nil {
			return (*plan)(op)
		}
		return docdbtest.None
	})
}

// refuse makes the writes to a collection fail as if it could not be reached.
func (tr *trouble) refuse(coll string) {
	plan := func(op docdbtest.Op) docdbtest.Fault {
		if op.Coll == coll {
			return docdbtest.BeforeWrite
		}
		return docdbtest.None
	}
	tr.plan.Store(&plan)
}

// hold makes the writes to a collection wait; held is how many do.
func (tr *trouble) hold(t *testing.T, coll string) (held func() int64, release func()) {
	var n atomic.Int64
	gate := make(chan struct{})
	plan := func(op docdbtest.Op) docdbtest.Fault {
		if op.Coll == coll && op.Write {
			n.Add(1)
			<-gate
		}
		return docdbtest.None
	}
	tr.plan.Store(&plan)
	var once atomic.Bool
	release = func() {
		if once.CompareAndSwap(false, true) {
			tr.over()
			close(gate)
		}
	}
	t.Cleanup(release) // a failing test leaves nobody waiting
	return n.Load, release
}

// over ends the trouble.
func (tr *trouble) over() { tr.plan.Store(nil) }

// rows are the receipts and reversals of the institute, newest first.
func rows(t *testing.T, s *webtest.Server) []fees.Row {
	t.Helper()
	page, err := s.Store.Register(context.Background(), webtest.Own, fees.RegisterFilter{}, "", 50)
	if err != nil {
		t.Fatal(err)
	}
	return page.Items
}

// onlyRow fails unless there is one row, of this total in minor units.
func onlyRow(t *testing.T, s *webtest.Server, total fees.Amount) {
	t.Helper()
	all := rows(t, s)
	if len(all) != 1 || all[0].Total != total {
		t.Errorf("the ledger holds %d rows, want one of %d minor units: %+v", len(all), total, all)
	}
}

// record is a payment in cash, recorded without a browser.
func record(t *testing.T, s *webtest.Server, student string, total fees.Amount) fees.Row {
	t.Helper()
	row, err := s.Store.RecordPayment(context.Background(), webtest.Own, fees.PaymentOrder{
		ID: s.Store.NewID(), Student: student, Tenders: []fees.Tender{{Mode: fees.ModeCash, Amount: total}},
		By: fees.Actor{Login: webtest.LoginOf(webtest.Own, fees.RoleCashier), Name: "The Cashier", Role: fees.RoleCashier},
	})
	if err != nil {
		t.Fatal(err)
	}
	return row
}
