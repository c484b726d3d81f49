package store

import (
	"context"
	"testing"

	"raseed/store/fees"
)

// generateLedger is GenerateLedger for a test that measures on it.
func generateLedger(t testing.TB, s *Store, institute string, size LedgerSize) {
	t.Helper()
	if err := s.GenerateLedger(context.Background(), institute, size); err != nil {
		t.Fatal(err)
	}
}

// A ledger to measure on is never put among what is real.
func TestGeneratedLedgerIsRefused(t *testing.T) {
	s := openTest(t)
	testSchool(t, s, "P", 1)
	if err := s.GenerateLedger(context.Background(), "P", LedgerSize{Rows: 10, Students: 5, BillsEach: 1}); fees.CodeOf(err) != fees.Conflict {
		t.Errorf("into a school with students: %v, want a conflict", err)
	}
	if err := s.GenerateLedger(context.Background(), "Q", LedgerSize{Rows: 10, Students: 5, BillsEach: 1}); fees.CodeOf(err) != fees.NotFound {
		t.Errorf("into no institute: %v", err)
	}
	addSchool(t, s, "Q")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := s.GenerateLedger(ctx, "Q", LedgerSize{Rows: 10, Students: 5, BillsEach: 1}); err == nil {
		t.Error("interrupted, and says that it is done")
	}
	mustAudit(t, s)
}
