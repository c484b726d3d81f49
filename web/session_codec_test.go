package web

import (
	"reflect"
	"testing"
	"time"

	"github.com/alexedwards/scs/v2"
)

func TestSessionCodec(t *testing.T) {
	deadline := time.Date(2026, 11, 30, 10, 0, 0, 5, time.UTC)
	values := map[string]any{keyLogin: "asha", keyBegan: int64(1 << 60), keyRole: ""}
	data, err := sessionCodec{}.Encode(deadline, values)
	if err != nil {
		t.Fatal(err)
	}
	gotDeadline, got, err := sessionCodec{}.Decode(data)
	if err != nil || !gotDeadline.Equal(deadline) || !reflect.DeepEqual(got, values) {
		t.Errorf("a session of %v until %s comes back as %v until %s, %v", values, deadline, got, gotDeadline, err)
	}
	if _, err := (sessionCodec{}).Encode(deadline, map[string]any{"rate": 1.5}); err == nil {
		t.Error("what cannot come back as it was is kept")
	}
	older, err := scs.GobCodec{}.Encode(deadline, values)
	if err != nil {
		t.Fatal(err)
	}
	for _, data := range [][]byte{older, nil, []byte("null"), []byte(`{"texts":{"login":5}}`)} {
		if _, got, err := (sessionCodec{}).Decode(data); err != nil || len(got) != 0 {
			t.Errorf("%.20q is read as %v, %v; want nobody", data, got, err)
		}
	}
}
