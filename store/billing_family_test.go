package store

import (
	"context"
	"fmt"
	"testing"

	"raseed/store/fees"
)

// A child's rank is that of the whole family, whoever is in the batch or the
// class that is billed and however the family's name is written, and those
// after one who leaves move up.
func TestBillingSiblings(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	rows := []string{"9,Eldest,9,,general,Rao,,,,,", "10,Second,5,,general,RAO,,,,,", "99999,Third,5,,general,rao ,,,,,", "7,Left,5,,general,Rao,,,,left,", "8,Alone,5,,general,,,,,,"}
	for i := range 2 * batchSize { // between them in every order
		rows = append(rows, fmt.Sprintf("%d,Other %d,5,,general,F%d,,,,,", 1000+i, i, i))
	}
	mustImport(t, s, "students", "DPS", studentsCSV(rows...))
	mustImport(t, s, "plan", "DPS", tuition("100"))
	_, err := s.SaveRules(ctx, "DPS", fees.Rules{FY: "2026-27", Siblings: []fees.SiblingRule{
		{Rank: 2, Head: "TUITION", Kind: fees.ConcessionPercent, Percent: 10_0000},
		{Rank: 3, Head: "TUITION", Kind: fees.ConcessionPercent, Percent: 25_0000},
	}}, fees.Actor{Login: "meera"})
	if err != nil {
		t.Fatal(err)
	}
	id := s.NewID()
	if _, err := s.StartRun(ctx, "DPS", fees.RunOrder{ID: id, Period: repriced, Class: "5"}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.ExecuteRun(ctx, "DPS", id); err != nil {
		t.Fatal(err)
	}
	mustBill(t, s, "DPS", repriced)
	check := func(when string, want map[string]fees.Amount) {
		t.Helper()
		got, err := s.Balances(ctx, "DPS", []string{"9", "10", "99999", "8", "1000"})
		if err != nil {
			t.Fatal(err)
		}
		for no, amount := range want {
			if got[no] != amount {
				t.Errorf("%s student %s owes %d, want %d", when, no, got[no], amount)
			}
		}
	}
	check("first", map[string]fees.Amount{"9": 100_00, "10": 90_00, "99999": 75_00, "8": 100_00, "1000": 100_00})

	mustImport(t, s, "students", "DPS", studentsCSV("9,Eldest,9,,general,Rao,,,,left,"))
	preview, err := s.PreviewRun(ctx, "DPS", repriced, "")
	if err != nil || preview.Tally.Changed != 2 || preview.Tally.Inactive != 2 {
		t.Errorf("when the eldest left: %+v, %v; want two changed", preview.Tally, err)
	}
	reprice(t, s, repriced)
	check("when the eldest left", map[string]fees.Amount{"9": 100_00, "10": 100_00, "99999": 90_00, "8": 100_00})
	mustAudit(t, s)
}
