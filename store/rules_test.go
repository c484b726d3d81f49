package store

import (
	"context"
	"sync"
	"testing"

	"raseed/store/fees"
)

func TestRules(t *testing.T) {
	s := plannedSchool(t)
	ctx := context.Background()
	admin := fees.Actor{Login: "admin", Role: fees.RoleAdmin}
	none, err := s.Rules(ctx, "DPS", "2026-27")
	if err != nil || none.Version != 0 || len(none.Siblings) != 0 || !none.Late.IsZero() {
		t.Fatalf("before any were saved: %+v, %v", none, err)
	}
	wanted := none
	wanted.Siblings = []fees.SiblingRule{{Rank: 2, Head: "TUITION", Kind: fees.ConcessionPercent, Percent: 25_0000}}
	wanted.Late = fees.LateRule{Kind: fees.LateDay, Amount: 10_00, GraceDays: 5, Cap: 500_00}
	first, err := s.SaveRules(ctx, "DPS", wanted, admin)
	if err != nil || first.Version != 1 || first.Late.Head != fees.HeadLateFee {
		t.Fatalf("saved %+v, %v", first, err)
	}
	if again, err := s.SaveRules(ctx, "DPS", wanted, admin); err != nil || again.Version != 1 {
		t.Errorf("the same form again: version %d, %v; want nothing changed", again.Version, err)
	}
	other := wanted
	other.Late.Amount = 20_00
	if _, err := s.SaveRules(ctx, "DPS", other, admin); fees.CodeOf(err) != fees.Conflict {
		t.Errorf("a form opened before that: %v, want a conflict", err)
	}
	bare := first
	bare.Siblings, bare.Late = nil, fees.LateRule{}
	if bare, err = s.SaveRules(ctx, "DPS", bare, admin); err != nil || bare.Version != 2 {
		t.Fatalf("take them away: %+v, %v", bare, err)
	}
	if read, err := s.Rules(ctx, "DPS", "2026-27"); err != nil || len(read.Siblings) != 0 || !read.Late.IsZero() || read.Version != 2 {
		t.Errorf("read back %+v, %v", read, err)
	}
	for field, rules := range map[string]fees.Rules{
		"fy":              {FY: "2026"},
		"sibling_head.0":  {FY: "2026-27", Siblings: []fees.SiblingRule{{Rank: 2, Head: "GOLF", Kind: fees.ConcessionPercent, Percent: 1}}},
		"sibling_rank.0":  {FY: "2026-27", Siblings: []fees.SiblingRule{{Rank: 1, Head: fees.Any, Kind: fees.ConcessionPercent, Percent: 1}}},
		"sibling_value.0": {FY: "2026-27", Siblings: []fees.SiblingRule{{Rank: 2, Head: fees.Any, Kind: fees.ConcessionPercent, Percent: fees.MaxPercent + 1}}},
		"late_head":       {FY: "2026-27", Late: fees.LateRule{Head: "GOLF", Kind: fees.LateFlat, Amount: 1}},
		"late_amount":     {FY: "2026-27", Late: fees.LateRule{Kind: fees.LateFlat}},
	} {
		_, err := s.SaveRules(ctx, "DPS", rules, admin)
		refused(t, err, field)
	}
}

// TestRulesAtOnce: of two that both changed version 0, one is told.
func TestRulesAtOnce(t *testing.T) {
	s := openTest(t)
	testSchool(t, s, "DPS", 1)
	errs := make([]error, 8)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() {
			_, errs[i] = s.SaveRules(context.Background(), "DPS",
				fees.Rules{FY: "2026-27", Late: fees.LateRule{Kind: fees.LateFlat, Amount: fees.Amount(1 + i)}}, fees.Actor{})
		})
	}
	all.Wait()
	saved := 0
	for _, err := range errs {
		if err == nil {
			saved++
		} else if fees.CodeOf(err) != fees.Conflict {
			t.Errorf("refused with %v, want a conflict", err)
		}
	}
	if saved != 1 {
		t.Errorf("%d of %d forms opened at once were saved, want 1", saved, len(errs))
	}
}

// refused checks that err is Invalid because of field.
func refused(t *testing.T, err error, field string) {
	t.Helper()
	var bad *fees.Error
	if !asError(err, &bad) || bad.Code != fees.Invalid || bad.Fields[field] == "" {
		t.Errorf("%s: %v, want it refused at the field", field, err)
	}
}
