package fees_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"raseed/store/fees"
)

func TestSplit(t *testing.T) {
	type amounts = []fees.Amount
	for _, tc := range []struct {
		total         fees.Amount
		weights, want amounts
	}{
		{100, amounts{1, 1, 1}, amounts{34, 33, 33}},
		{101, amounts{1, 1, 1}, amounts{34, 34, 33}},
		{-100, amounts{1, 1, 1}, amounts{-34, -33, -33}},
		{100, amounts{1, 3}, amounts{25, 75}},
		{100, amounts{6, 7, 7, 10, 10}, amounts{16, 17, 17, 25, 25}},
		{10, amounts{0, 1, 0, 1, 1}, amounts{0, 4, 0, 3, 3}},
		{1, amounts{0, 0, 5}, amounts{0, 0, 1}},
		{7, amounts{0, 0}, amounts{4, 3}},
		{7, amounts{-5, 1}, amounts{0, 7}},
		{0, amounts{1, 2}, amounts{0, 0}},
		{5, amounts{3}, amounts{5}},
		{5, nil, nil},
		{math.MinInt64, amounts{1}, amounts{math.MinInt64}},
		{9, amounts{math.MaxInt64, math.MaxInt64, math.MaxInt64}, amounts{3, 3, 3}},
		{math.MaxInt64, amounts{math.MaxInt64, math.MaxInt64}, amounts{1 << 62, 1<<62 - 1}},
	} {
		if got := fees.Split(tc.total, tc.weights); !slices.Equal(got, tc.want) {
			t.Errorf("Split(%d, %v) = %v, want %v", tc.total, tc.weights, got, tc.want)
		}
	}
}

func FuzzSplit(f *testing.F) {
	f.Add(int64(100), uint64(1), uint8(3), uint8(0))
	f.Add(int64(-7), uint64(2), uint8(30), uint8(40))
	f.Add(int64(math.MinInt64), uint64(3), uint8(5), uint8(0))
	f.Fuzz(func(t *testing.T, total int64, seed uint64, count, shift uint8) {
		random := rand.New(rand.NewPCG(seed, 0))
		weights := make([]fees.Amount, count)
		heavy := new(big.Int)
		for i := range weights {
			weights[i] = fees.Amount(random.Int64() >> (shift % 64))
			heavy.Add(heavy, big.NewInt(int64(weights[i])))
		}
		parts := fees.Split(fees.Amount(total), weights)
		if len(parts) != len(weights) {
			t.Fatalf("%d parts for %d weights", len(parts), len(weights))
		}
		sum := new(big.Int)
		for i, p := range parts {
			sum.Add(sum, big.NewInt(int64(p)))
			if p != 0 && (p < 0) != (total < 0) {
				t.Fatalf("part %d of %d is %d", i, total, p)
			}
			// A part is off its exact share by at most one unit (where the
			// weights are not coarsened).
			if heavy.Sign() > 0 && heavy.IsUint64() {
				exact := new(big.Rat).SetFrac(new(big.Int).Mul(big.NewInt(total), big.NewInt(int64(weights[i]))), heavy)
				off := exact.Sub(exact, new(big.Rat).SetInt64(int64(p)))
				if off.Abs(off).Cmp(big.NewRat(1, 1)) > 0 {
					t.Fatalf("part %d of Split(%d, %v) is %d", i, total, weights, p)
				}
			}
		}
		if len(parts) > 0 && sum.Cmp(big.NewInt(total)) != 0 {
			t.Fatalf("the parts %v of %d come to %s", parts, total, sum)
		}
	})
}

func TestParsePercent(t *testing.T) {
	for in, want := range map[string]fees.Percent{
		"0": 0, "12.5": 12_5000, "100": 100_0000, "100.0000": 100_0000, "16.83": 16_8300, "0.0001": 1, " 25 ": 25_0000, "007": 7_0000,
	} {
		got, err := fees.ParsePercent(in)
		if err != nil || got != want {
			t.Errorf("%q: got %d (%v), want %d", in, got, err, want)
		}
	}
	for _, in := range []string{"", "%", "12.5%", "-1", "+1", "100.0001", "101", "1e1", ".5", "5.", "1.00001", "1,5", "1 2", "１２",
		"99999999999999999999", "1.2.3", "NaN"} {
		if got, err := fees.ParsePercent(in); err == nil || err.Code != fees.Invalid || err.Message == "" || got != 0 {
			t.Errorf("%q: got %d (%v), must be refused with a reason", in, got, err)
		}
	}
	if _, err := fees.ParsePercent("5%"); err == nil || err.Message != "Write the percentage without the % sign" {
		t.Errorf("5%%: %v", err)
	}
}

func TestPercentString(t *testing.T) {
	for p, want := range map[fees.Percent]string{
		0: "0", 12_5000: "12.5", 100_0000: "100", 1: "0.0001", 16_8300: "16.83", 10_0000: "10", -12_5000: "-12.5",
	} {
		if got := p.String(); got != want {
			t.Errorf("%d: %q, want %q", int64(p), got, want)
		}
	}
	for p := fees.Percent(0); p <= fees.MaxPercent; p += 37 {
		if got, err := fees.ParsePercent(p.String()); err != nil || got != p {
			t.Fatalf("%d is written %q and read as %d (%v)", int64(p), p.String(), int64(got), err)
		}
	}
}

func TestPercentOf(t *testing.T) {
	for _, tc := range []struct {
		percent    fees.Percent
		of, expect fees.Amount
	}{
		{50_0000, 1, 1}, {50_0000, -1, -1}, {50_0000, 3, 2}, {49_9999, 1, 0}, {12_5000, 18000_00, 2250_00},
		{16_8300, 18000_00, 3029_40}, {16_8300, 9999_99, 1683_00}, {0, 500, 0}, {100_0000, 12345, 12345}, {33_3333, 100, 33},
		{100_0000, 36893488147419, 36893488147419}, // rounding carries into the upper 64 bits
		{100_0000, math.MaxInt64, math.MaxInt64}, {100_0000, math.MinInt64, math.MinInt64}, {1, math.MaxInt64, 9223372036855},
		{200_0000, math.MaxInt64, math.MaxInt64}, {200_0000, math.MinInt64, math.MinInt64}, {-50_0000, 3, -2}, {-50_0000, -3, 2},
		{math.MaxInt64, math.MaxInt64, math.MaxInt64}, {math.MinInt64, math.MaxInt64, math.MinInt64},
	} {
		if got := tc.percent.Of(tc.of); got != tc.expect {
			t.Errorf("%s %% of %d = %d, want %d", tc.percent, tc.of, got, tc.expect)
		}
	}
}

func FuzzPercentOf(f *testing.F) {
	f.Add(int64(12_5000), int64(18000_00))
	f.Add(int64(50_0000), int64(-1))
	f.Add(int64(100_0000), int64(math.MinInt64))
	f.Fuzz(func(t *testing.T, percent, of int64) {
		if percent < 0 || percent > int64(fees.MaxPercent) {
			return
		}
		// Half up on the magnitude: (2·|of|·percent + whole) / (2·whole).
		whole := big.NewInt(int64(fees.MaxPercent))
		want := new(big.Int).Mul(new(big.Int).Abs(big.NewInt(of)), big.NewInt(2*percent))
		want.Add(want, whole).Quo(want, new(big.Int).Lsh(whole, 1))
		if of < 0 {
			want.Neg(want)
		}
		if got := fees.Percent(percent).Of(fees.Amount(of)); int64(got) != want.Int64() {
			t.Fatalf("%d of %d = %d, want %s", percent, of, got, want)
		}
	})
}
