package store

import (
	"context"
	"slices"
	"sync"
	"testing"

	"raseed/store/docdb/docdbtest"
	"raseed/store/fees"
)

// Of prints made at once exactly one is the first, and each has its own number.
func TestRecordPrint(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	ctx := context.Background()
	id := s.NewID()
	const prints = 40
	numbers := make([]int64, prints)
	var wg sync.WaitGroup
	for i := range prints {
		wg.Go(func() {
			p, err := s.RecordPrint(ctx, "DPS", id, "a5", fees.Actor{Login: "asha", Name: "Asha R"})
			if err != nil {
				t.Errorf("print %d: %v", i, err)
			}
			numbers[i] = p.N
		})
	}
	wg.Wait()
	slices.Sort(numbers)
	for i, n := range numbers {
		if n != int64(i)+1 {
			t.Fatalf("the prints are numbered %v, want 1 to %d", numbers, prints)
		}
	}
	log, err := s.Prints(ctx, "DPS", id)
	if err != nil || log.Count != prints || len(log.All()) != prints {
		t.Fatalf("the log has %d of %d, %v", len(log.All()), log.Count, err)
	}
	if foreign, err := s.Prints(ctx, "QPS", id); err != nil || foreign.Count != 0 {
		t.Errorf("another institute sees %d prints, %v", foreign.Count, err)
	}
	for range fees.MaxPrintLog + 5 - prints {
		if _, err := s.RecordPrint(ctx, "DPS", id, "thermal", fees.Actor{Login: "asha"}); err != nil {
			t.Fatal(err)
		}
	}
	log, err = s.Prints(ctx, "DPS", id)
	all := log.All()
	if err != nil || log.Count != fees.MaxPrintLog+5 || len(log.Log) != fees.MaxPrintLog || all[len(all)-1].N != log.Count {
		t.Errorf("the full log has %d of %d, the last is %+v, %v", len(log.Log), log.Count, all[len(all)-1], err)
	}
}

// A print whose answer was lost keeps its place: the paper that follows is still
// the first, and is counted once.
func TestRecordPrintAnswerLost(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	ctx := context.Background()
	for _, before := range []int64{0, 1} {
		id := s.NewID()
		for range before {
			if _, err := s.RecordPrint(ctx, "DPS", id, "a5", fees.Actor{Login: "asha"}); err != nil {
				t.Fatal(err)
			}
		}
		lost := false
		p := openOn(t, docdbtest.Faulty(s.DB, func(op docdbtest.Op) docdbtest.Fault {
			insert := before == 0 || op.Name != "InsertOne"
			if op.Write && op.Coll == prints && insert && !lost {
				lost = true
				return docdbtest.AfterWrite
			}
			return docdbtest.None
		}))
		got, err := p.RecordPrint(ctx, "DPS", id, "a5", fees.Actor{Login: "asha"})
		if err != nil || got.N != before+1 || !lost {
			t.Errorf("after %d prints: print %d, %v (lost %t), want %d", before, got.N, err, lost, before+1)
		}
		if log, err := s.Prints(ctx, "DPS", id); err != nil || log.Count != before+1 {
			t.Errorf("after %d prints: the log counts %d, %v", before, log.Count, err)
		}
	}
}
