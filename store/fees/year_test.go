package fees_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"raseed/store/fees"
)

func TestFYOf(t *testing.T) {
	for _, tc := range []struct {
		date  fees.Date
		start int64
		want  string
	}{
		{"2026-03-31", 4, "2025-26"}, {"2026-04-01", 4, "2026-27"}, {"2027-03-31", 4, "2026-27"},
		{"2026-01-01", 1, "2026"}, {"2026-12-31", 1, "2026"},
		{"2000-03-31", 4, "1999-00"}, {"2000-04-01", 4, "2000-01"}, {"2099-04-01", 4, "2099-00"}, {"2100-03-31", 4, "2099-00"},
		{"2026-06-30", 7, "2025-26"}, {"2026-07-01", 7, "2026-27"}, {"2026-11-30", 12, "2025-26"}, {"2026-12-01", 12, "2026-27"},
		{"", 4, ""}, {"2026-02-30", 4, ""},
	} {
		if got := fees.FYOf(tc.date, tc.start); got != tc.want {
			t.Errorf("%s with years from month %d is in %q, want %q", tc.date, tc.start, got, tc.want)
		}
	}
}

func TestFYRange(t *testing.T) {
	for _, tc := range []struct {
		label    string
		start    int64
		from, to fees.Date
	}{
		{"2026-27", 4, "2026-04-01", "2027-03-31"}, {"2026", 1, "2026-01-01", "2026-12-31"}, {"1999-00", 4, "1999-04-01", "2000-03-31"},
		{"2099-00", 4, "2099-04-01", "2100-03-31"}, {"2027-28", 3, "2027-03-01", "2028-02-29"}, {"2026-27", 12, "2026-12-01", "2027-11-30"},
	} {
		from, to, err := fees.FYRange(tc.label, tc.start)
		if err != nil || from != tc.from || to != tc.to {
			t.Errorf("%s from month %d: %s to %s (%v), want %s to %s", tc.label, tc.start, from, to, err, tc.from, tc.to)
		}
	}
	for _, tc := range []struct {
		label string
		start int64
	}{
		{"", 4}, {"2026", 4}, {"2026-27", 1}, {"2026-28", 4}, {"2026-7", 4}, {"2026/27", 4}, {"26-27", 4}, {"2026-2027", 4}, {"2026-27 ", 4},
		{"+026-27", 4}, {"1898-99", 4}, {"2200-01", 4}, {"2025-26/T1", 4}, {"２０２６-27", 4}, {"20é", 4},
	} {
		if from, to, err := fees.FYRange(tc.label, tc.start); err == nil || err.Code != fees.Invalid || from != "" || to != "" {
			t.Errorf("%q from month %d: %s to %s (%v), must be refused", tc.label, tc.start, from, to, err)
		}
	}
}

// The label of a date names the range that holds it, and the days around that
// range have other labels.
func TestFYAgrees(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 20_000 {
		d, start := fees.Date("1900-01-01").AddDays(random.IntN(109_572)), 1+random.Int64N(12)
		label := fees.FYOf(d, start)
		from, to, err := fees.FYRange(label, start)
		if err != nil || d < from || d > to {
			t.Fatalf("%s is in %s, which is %s to %s (%v) from month %d", d, label, from, to, err, start)
		}
		if fees.FYOf(from, start) != label || fees.FYOf(to, start) != label || fees.FYOf(from.AddDays(-1), start) == label || fees.FYOf(to.AddDays(1), start) == label {
			t.Fatalf("%s from month %d is not exactly %s to %s", label, start, from, to)
		}
	}
}

func TestFYShort(t *testing.T) {
	for label, want := range map[string]string{"2026-27": "26-27", "1999-00": "99-00", "2026": "2026", "": ""} {
		if got := fees.FYShort(label); got != want {
			t.Errorf("%q is short %q, want %q", label, got, want)
		}
	}
}

// The last minute of a year and the first of the next are two years in the
// institute's zone, whatever the zone of the server's clock.
func TestYearEndInTheInstitutesZone(t *testing.T) {
	kolkata := fees.Institute{TimeZone: "Asia/Kolkata", FYStart: 4}
	old := time.Date(2026, 3, 31, 23, 59, 30, 0, kolkata.Location())
	young := time.Date(2026, 4, 1, 0, 0, 30, 0, kolkata.Location())
	for _, server := range []string{"UTC", "America/New_York", "Asia/Kolkata", "Pacific/Kiritimati"} {
		zone, err := time.LoadLocation(server)
		if err != nil {
			t.Fatal(err)
		}
		if d := kolkata.Today(old.In(zone)); d != "2026-03-31" || kolkata.FY(d) != "2025-26" {
			t.Errorf("server in %s: 23:59:30 on 31 March is %s in %s", server, d, kolkata.FY(d))
		}
		if d := kolkata.Today(young.In(zone)); d != "2026-04-01" || kolkata.FY(d) != "2026-27" {
			t.Errorf("server in %s: 00:00:30 on 1 April is %s in %s", server, d, kolkata.FY(d))
		}
	}
}

func TestLocation(t *testing.T) {
	for zone, want := range map[string]string{
		"Asia/Kolkata": "Asia/Kolkata", "UTC": "UTC", "": "UTC", "Local": "UTC", "Mars/Olympus": "UTC", "../etc/passwd": "UTC",
	} {
		if got := (fees.Institute{TimeZone: zone}).Location().String(); got != want {
			t.Errorf("zone %q is located in %s, want %s", zone, got, want)
		}
	}
}

func BenchmarkToday(b *testing.B) {
	inst, now := fees.Institute{TimeZone: "Asia/Kolkata"}, time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	b.ReportAllocs()
	for b.Loop() {
		if inst.Today(now) != "2026-11-30" {
			b.Fatal("another day")
		}
	}
}
