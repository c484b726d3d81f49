package store

import (
	"context"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/docdb/docdbtest"
	"raseed/store/fees"
)

// lostOnce is a database that does not hear of the first change of a till by
// which it is closed.
type lostOnce struct {
	docdb.DB
	lost bool
}

func (l *lostOnce) FindOneAndUpdate(ctx context.Context, coll string, filter, update bson.D, opts docdb.Update, out any) error {
	for _, part := range update {
		if part.Key == "$unset" && coll == shifts && !l.lost {
			l.lost = true
			return docdb.ErrUnknownOutcome
		}
	}
	return l.DB.FindOneAndUpdate(ctx, coll, filter, update, opts, out)
}

// TestCloseWhoseChangeIsLost: a till is told as it is when a change of it had to
// be made again.
func TestCloseWhoseChangeIsLost(t *testing.T) {
	s, ctx := openTest(t), context.Background()
	testSchool(t, s, "DPS", 1)
	p := openOn(t, &lostOnce{DB: s.DB})
	shift := openTill(t, p, "DPS", asha, 10_00)
	closed, err := p.CloseShift(ctx, "DPS", fees.CloseOrder{Shift: shift.ShortID(), Other: 10_00, By: asha})
	if err != nil || closed.State != fees.ShiftClosed || closed.Active || closed.Closing {
		t.Errorf("closed: %+v, %v", closed, err)
	}
}

// TestOneSweepAfterAClose: of a till whose close was left while a receipt of it
// awaited its number, one sweep opens the till again and numbers the receipt.
func TestOneSweepAfterAClose(t *testing.T) {
	s, ctx := openTest(t), context.Background()
	s.Now = termTime
	testSchool(t, s, "DPS", 1)
	shift := openTill(t, s, "DPS", asha, 0)
	p := openOn(t, docdbtest.Faulty(s.DB, func(op docdbtest.Op) docdbtest.Fault {
		if op.Write && op.Coll == counters {
			return docdbtest.BeforeWrite
		}
		return docdbtest.None
	}))
	p.Now = s.Now
	row := mustRecord(t, p, "DPS", cash(s, "1", 10_00))
	count := fees.TillCount{Other: 10_00, Counted: 10_00, By: "asha", ByName: "Asha R", At: s.instant()}
	closing := bson.D{{Key: "state", Value: fees.ShiftClosing}, {Key: "closing", Value: true}, {Key: "count", Value: count}}
	if _, made, err := s.changeShift(ctx, shift, closing, nil, nil); err != nil || !made {
		t.Fatal(made, err)
	}
	s.Now = func() time.Time { return termTime().Add(fees.ClosingTime) }
	if err := s.Sweep(ctx); err != nil {
		t.Errorf("sweep: %v", err)
	}
	there, err := s.Shift(ctx, "DPS", shift.ShortID())
	if err != nil || there.State != fees.ShiftOpen {
		t.Errorf("the till is %+v, %v", there, err)
	}
	if row, err = s.Row(ctx, "DPS", row.ShortID()); err != nil || row.Number != 1 {
		t.Errorf("the receipt is %+v, %v", row, err)
	}
	mustAudit(t, s)
}
