package store

import (
	"context"
	"errors"
	"slices"
	"testing"

	"raseed/store/fees"
)

func TestFound(t *testing.T) {
	ctx := context.Background()
	s := openTest(t)
	school := fees.Institute{Code: "gvs", Name: "Green Valley School"}
	founded := func() bool {
		t.Helper()
		is, err := s.Founded(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return is
	}
	if founded() {
		t.Fatal("an empty store says that it is founded")
	}

	_, err := s.Found(ctx, fees.Institute{Code: "1", TimeZone: "Nowhere", Currency: "QQQ"}, "a b", "", "short")
	var said *fees.Error
	if !errors.As(err, &said) || said.Code != fees.Invalid {
		t.Fatalf("all wrong: %v, want Invalid", err)
	}
	for _, field := range []string{"code", "name", "tz", "currency", "login", "user_name", "password"} {
		if said.Fields[field] == "" {
			t.Errorf("all wrong: nothing is said about %s: %v", field, said.Fields)
		}
	}
	if all, err := s.Institutes(ctx); err != nil || len(all) > 0 {
		t.Errorf("a refused founding leaves %v, %v", all, err)
	}

	if _, err := s.AddInstitute(ctx, school); err != nil { // killed after the institute
		t.Fatal(err)
	}
	if founded() {
		t.Error("an institute without users counts as founded")
	}
	u, err := s.Found(ctx, school, "Asha", "Asha Rao", "a long password")
	if err != nil || u.Login != "asha" || u.Role != fees.RoleAdmin || u.Institute != "GVS" {
		t.Fatalf("taken up again: %+v, %v", u, err)
	}
	if !founded() {
		t.Error("not founded afterwards")
	}
	if _, err := s.Found(ctx, fees.Institute{Code: "QPS", Name: "Q"}, "zoya", "Zoya", "a long password"); fees.CodeOf(err) != fees.Conflict {
		t.Errorf("founded twice: %v, want Conflict", err)
	}
	all, err := s.Institutes(ctx)
	if err != nil || !slices.EqualFunc(all, []string{"GVS"}, func(i fees.Institute, code string) bool { return i.Code == code }) {
		t.Errorf("institutes are %v, %v; want GVS", all, err)
	}
}
