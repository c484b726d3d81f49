package store

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// LedgerSize says how large a ledger GenerateLedger makes: rows, students, and
// bills for each student.
type LedgerSize struct {
	Rows, Students, BillsEach int
}

// GenerateLedger fills an institute without students with a ledger that audit
// finds sound, to measure on. It does not go through RecordPayment: what each
// step would have written is computed and inserted in bulk, tens of thousands
// of rows a second. The same size on the same day is the same ledger.
//
// Students are in twelve classes of four sections, and numbered from
// FirstGenerated. Their bills lie in the last financial year and the present
// one, half in each, and so do the rows, up to yesterday: quarters of the
// bills, oldest first, in every mode, and advances once all is paid. Every 64th
// payment is reversed at once, every fourth of these a cheque that bounced and
// was charged for. Cheques are cleared, but for those of the last days. Rows come
// in the order of their ids, dates and numbers.
//
// Codes: NotFound (the institute), Conflict (it has students).
func (s *Store) GenerateLedger(ctx context.Context, institute string, size LedgerSize) error {
	inst, err := s.Institute(ctx, institute)
	if err != nil {
		return err
	}
	there, err := s.DB.Count(ctx, students, bson.D{under(fees.Key(inst.Code, ""))}, 1)
	if err != nil {
		return outage("generate a ledger", err)
	}
	if there > 0 {
		return fees.Errorf(fees.Conflict, "The institute %s has students. A ledger to measure on is made in an empty one.", inst.Code)
	}
	g := &ledgerGenerator{
		ctx: ctx, inst: inst, size: size, zone: inst.Location(), today: inst.Today(s.Now()),
		people: make([]generatedStudent, size.Students),
		series: map[seriesKey]*generatedSeries{}, pending: map[string][]any{},
		insert: make(chan generatedBatch, 4),
	}
	var written error
	var writing sync.WaitGroup
	writing.Go(func() { written = g.write(s.DB) })
	g.generate()
	close(g.insert)
	writing.Wait()
	if err := errors.Join(g.failed, written); err != nil {
		return fmt.Errorf("generate a ledger: %w", err)
	}
	return nil
}

// ledgerGenerator computes a ledger while another goroutine writes it.
type ledgerGenerator struct {
	ctx  context.Context
	inst fees.Institute
	size LedgerSize

	zone   *time.Location
	today  fees.Date
	years  [2]string // the last financial year and the present one
	begin  time.Time
	days   int // on which there are rows
	people []generatedStudent
	series map[seriesKey]*generatedSeries
	minted uint64

	pending map[string][]any
	insert  chan generatedBatch
	failed  error
}

type generatedBatch struct {
	coll string
	docs []any
}

const generateBatch = 4000

func (g *ledgerGenerator) generate() {
	g.years[1] = g.inst.FY(g.today)
	from, _, bad := fees.FYRange(g.years[1], g.inst.FYStart)
	if bad != nil {
		g.fail(bad)
		return
	}
	g.years[0] = g.inst.FY(from.AddDays(-1))
	from, _, bad = fees.FYRange(g.years[0], g.inst.FYStart)
	if bad != nil {
		g.fail(bad)
		return
	}
	g.begin = from.Time(g.zone).Add(9 * time.Hour)
	g.days = int(g.today.Time(time.UTC).Sub(from.Time(time.UTC)) / (24 * time.Hour))
	g.studentsAndBills(from)
	g.rows()
	g.accountsAndCounters()
}

// write inserts what the rest computes, beside it.
func (g *ledgerGenerator) write(db docdb.DB) (failed error) {
	for b := range g.insert {
		if failed == nil {
			_, failed = db.InsertMany(g.ctx, b.coll, b.docs)
		}
	}
	return failed
}

// fail keeps the first failure; nothing is made after it.
func (g *ledgerGenerator) fail(err error) {
	if g.failed == nil {
		g.failed = err
	}
}

func (g *ledgerGenerator) add(coll string, doc any) {
	raw, ok := doc.(bson.Raw)
	if !ok {
		var err error
		if raw, err = bson.Marshal(doc); err != nil {
			g.fail(err)
			return
		}
	}
	if g.pending[coll] = append(g.pending[coll], raw); len(g.pending[coll]) == generateBatch {
		g.flush(coll)
	}
}

func (g *ledgerGenerator) flush(coll string) {
	if len(g.pending[coll]) > 0 {
		g.insert <- generatedBatch{coll, g.pending[coll]}
		g.pending[coll] = nil
	}
}
