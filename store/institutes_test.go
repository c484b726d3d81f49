package store

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"raseed/store/docdb"
	"raseed/store/fees"
)

var noUpdate = docdb.Update{}

func TestAddInstitute(t *testing.T) {
	s := openTest(t)
	s.Now = termTime
	ctx := context.Background()
	got, err := s.AddInstitute(ctx, fees.Institute{Code: " dps", Name: "Dhruvtara  Public School"})
	want := fees.Institute{
		Code: "DPS", Name: "Dhruvtara Public School", TimeZone: "Asia/Kolkata", FYStart: 4, Currency: "INR", Decimals: 2, Locale: "en-IN",
		Formats: fees.DefaultFormats("DPS"), ClosedTo: "2026-03-31", CreatedAt: termTime(),
	}
	if err != nil || got != want {
		t.Fatalf("%+v, %v\nwant %+v", got, err, want)
	}
	if stored, err := s.Institute(ctx, "DPS"); err != nil || stored != want {
		t.Errorf("stored %+v, %v", stored, err)
	}
	_, err = s.AddInstitute(ctx, fees.Institute{Code: "DPS", Name: "Other"})
	wantCode(t, "the code again", err, fees.Conflict, "DPS")
	for _, c := range []struct {
		inst     fees.Institute
		decimals int64
		locale   string
		closed   fees.Date
	}{
		{fees.Institute{Code: "K", Name: "K", Currency: "kwd", TimeZone: "Asia/Kuwait", FYStart: 9}, 3, "en-KW", "2025-08-31"},
		{fees.Institute{Code: "J", Name: "J", Currency: "JPY", TimeZone: "Asia/Tokyo"}, 0, "en-JP", "2026-03-31"},
		{fees.Institute{Code: "E", Name: "E", Currency: "EUR", TimeZone: "Europe/Paris", FYStart: 1}, 2, "en-IE", "2025-12-31"},
		{fees.Institute{Code: "U", Name: "U", Currency: "USD", Locale: "en-CA", TimeZone: "America/New_York", FYStart: 7}, 2, "en-CA", "2025-06-30"},
		{fees.Institute{Code: "X", Name: "X", Currency: "XOF", TimeZone: "Africa/Dakar"}, 0, "en-US", "2026-03-31"},
	} {
		got, err := s.AddInstitute(ctx, c.inst)
		if err != nil || got.Decimals != c.decimals || got.Locale != c.locale || got.ClosedTo != c.closed {
			t.Errorf("%s: %+v, %v", c.inst.Code, got, err)
		}
	}
	for _, bad := range []fees.Institute{
		{Code: "", Name: "A"}, {Code: "D:S", Name: "A"}, {Code: "TOOLONGCODE", Name: "A"}, {Code: "B", Name: " "},
		{Code: "B", Name: "A", TimeZone: "Asia/Nowhere"}, {Code: "B", Name: "A", FYStart: 13}, {Code: "B", Name: "A", Currency: "RUPEE"},
		{Code: "B", Name: "A", Formats: fees.Formats{Receipt: "{code}/{seq:9}/{fy}/TOO-LONG"}},
	} {
		_, err := s.AddInstitute(ctx, bad)
		wantCode(t, bad.Code+" "+bad.Name, err, fees.Invalid, "")
	}
	all, err := s.Institutes(ctx)
	var codes []string
	for _, inst := range all {
		codes = append(codes, inst.Code)
	}
	if err != nil || !reflect.DeepEqual(codes, strings.Fields("DPS E J K U X")) {
		t.Errorf("institutes %v, %v", codes, err)
	}
}

func TestCloseBooks(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	// 5:30 UTC on 15 June is 11:00 there; closing is by the institute's calendar.
	for _, c := range []struct {
		to   fees.Date
		code fees.Code
	}{
		{"2026-04-30", ""}, {"2026-04-30", ""}, {"2026-04-29", fees.Invalid}, {"2026-06-16", fees.Invalid},
		{"yesterday", fees.Invalid}, {"", fees.Invalid}, {"2026-06-15", ""},
	} {
		if err := s.CloseBooks(ctx, "DPS", c.to); fees.CodeOf(err) != c.code {
			t.Errorf("close to %s: %v, want %q", c.to, err, c.code)
		}
	}
	inst, err := s.Institute(ctx, "DPS")
	if err != nil || inst.ClosedTo != "2026-06-15" {
		t.Errorf("closed to %s, %v", inst.ClosedTo, err)
	}
	wantCode(t, "no institute", s.CloseBooks(ctx, "XYZ", "2026-05-01"), fees.NotFound, "")
}

// However closings interleave, the latest day stays.
func TestCloseBooksAtOnce(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	var wg sync.WaitGroup
	for day := 1; day <= 14; day++ {
		wg.Go(func() {
			to := fees.DateOf(time.Date(2026, 6, day, 0, 0, 0, 0, time.UTC), time.UTC)
			if err := s.CloseBooks(ctx, "DPS", to); err != nil && fees.CodeOf(err) != fees.Invalid {
				t.Errorf("close to %s: %v", to, err)
			}
		})
	}
	wg.Wait()
	if inst, err := s.Institute(ctx, "DPS"); err != nil || inst.ClosedTo != "2026-06-14" {
		t.Errorf("closed to %s, %v", inst.ClosedTo, err)
	}
}

// A new name and address stand on what is written from now on, nowhere else.
func TestUpdateInstitute(t *testing.T) {
	s, _ := openSchool(t)
	ctx := context.Background()
	before, err := s.Institute(ctx, "DPS")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ typed, stored string }{
		{" 12  Station Road, \r\n\r\n Pune 411001 ", "12 Station Road, Pune 411001"}, {"", ""}, {"Pune", "Pune"}, {" \n,\n", ""},
	} {
		if err := s.UpdateInstitute(ctx, "DPS", " New  Name", c.typed); err != nil {
			t.Fatalf("%q: %v", c.typed, err)
		}
		want := before
		want.Name, want.Address = "New Name", c.stored
		if got, err := s.Institute(ctx, "DPS"); err != nil || got != want {
			t.Errorf("%q: %+v, %v\nwant %+v", c.typed, got, err, want)
		}
	}
	for _, c := range []struct{ name, address, field string }{
		{" ", "", "name"}, {strings.Repeat("n", 121), "", "name"}, {"A", strings.Repeat("a", 201), "address"}, {"A", "a\x07", "address"},
	} {
		err := s.UpdateInstitute(ctx, "DPS", c.name, c.address)
		var said *fees.Error
		if !errors.As(err, &said) || said.Code != fees.Invalid || said.Fields[c.field] == "" {
			t.Errorf("%.10q, %.10q: %v, want Invalid at %s", c.name, c.address, err, c.field)
		}
	}
	wantCode(t, "no institute", s.UpdateInstitute(ctx, "XYZ", "A", ""), fees.NotFound, "XYZ")
}
