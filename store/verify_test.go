package store

import (
	"context"
	"strings"
	"testing"
	"time"

	"raseed/store/fees"
)

// A code opens its own row and no other; whatever is changed in it, it is none.
func TestVerify(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	testSchool(t, s, "DPS", 1)
	ctx := context.Background()
	row, err := s.RecordPayment(ctx, "DPS", cash(s, "1", 20_000))
	if err != nil {
		t.Fatal(err)
	}
	id := row.ShortID()
	code, err := s.VerifyCode(ctx, "DPS", id)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := openOn(t, s.DB).VerifyCode(ctx, "DPS", id); err != nil || again != code {
		t.Errorf("another process makes %q, %v, want %q", again, err, code)
	}
	if _, got, reversal, err := s.Verify(ctx, code, "192.0.2.1"); err != nil || got.ID != row.ID || reversal != nil {
		t.Fatalf("the code opens %s, %v, %v", got.ID, reversal, err)
	}
	other, err := s.VerifyCode(ctx, "DPS", fees.ReversalID(id))
	if err != nil {
		t.Fatal(err)
	}
	sealed := code[strings.LastIndexByte(code, ':'):]
	wrong := []string{
		"", ":", "DPS", code[:len(code)-1], code + "A", strings.ToLower(code), "QPS" + code[3:], "ZZZ" + code[3:], "DPS:" + id + ":", fees.ReversalID("DPS:"+id) + sealed,
		other, // sealed, but there is no such row
		"\xff\x00:" + code, strings.Repeat("A", 4000) + sealed,
	}
	for _, bad := range wrong {
		_, _, _, err := s.Verify(ctx, bad, "192.0.2.2")
		wantCode(t, bad, err, fees.NotFound, "not one of ours")
	}
	for n := 0; ; n++ {
		_, _, _, err := s.Verify(ctx, "DPS:nothing", "192.0.2.2")
		if fees.CodeOf(err) == fees.Throttled {
			if !strings.Contains(err.Error(), "codes") {
				t.Errorf("throttled with %v", err)
			}
			break
		}
		if n > wrongCodes {
			t.Fatalf("%d wrong codes from one address are not throttled: %v", n, err)
		}
	}
	if _, _, _, err := s.Verify(ctx, code, "192.0.2.2"); err != nil {
		t.Errorf("a good code from an address that has sent many wrong ones: %v", err)
	}
	_, _, _, err = s.Verify(ctx, "DPS:nothing", "192.0.2.3")
	wantCode(t, "from elsewhere", err, fees.NotFound, "")

	if _, err := s.ReversePayment(ctx, "DPS", fees.ReversalOrder{ID: id, Reason: "wrong"}); err != nil {
		t.Fatal(err)
	}
	if _, _, reversal, err := s.Verify(ctx, code, "192.0.2.1"); err != nil || reversal == nil || reversal.NumberText == "" {
		t.Errorf("after the reversal: %v, %v", reversal, err)
	}
}

// A clock that ran ahead while wrong codes came, and was set right, keeps nobody
// out until that comes true.
func TestThrottleOfWrongClock(t *testing.T) {
	t.Parallel()
	s := openTest(t)
	testSchool(t, s, "DPS", 1)
	ctx := context.Background()
	s.Now = func() time.Time { return termTime().AddDate(1, 0, 0) }
	for range wrongCodes + 1 {
		_, _, _, _ = s.Verify(ctx, "DPS:nothing", "192.0.2.2")
	}
	_, _, _, err := s.Verify(ctx, "DPS:nothing", "192.0.2.2")
	wantCode(t, "by the wrong clock", err, fees.Throttled, "codes")
	s.Now = termTime
	for range wrongCodes {
		_, _, _, err := s.Verify(ctx, "DPS:nothing", "192.0.2.2")
		wantCode(t, "by the right clock", err, fees.NotFound, "not one of ours")
	}
	_, _, _, err = s.Verify(ctx, "DPS:nothing", "192.0.2.2")
	wantCode(t, "one too many by the right clock", err, fees.Throttled, "codes")
}
