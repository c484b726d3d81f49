package load

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// counter is a server with one screen of everything, on which every fifth
// payment fails.
func counter(t *testing.T) (url string, students func() map[string]string) {
	var payments atomic.Int64
	served := make(chan [2]string, 10_000)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /login", func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "who", Value: r.FormValue("login")})
		w.Header().Set("Location", "/")
		w.WriteHeader(http.StatusSeeOther)
	})
	mux.HandleFunc("GET /collect", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `<a href="/collect/%s">`, r.FormValue("q"))
	})
	mux.HandleFunc("GET /collect/{student}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `<form id="payment"><input name="payment_id" value="1"><input name="student" value=%q><input name="tender_amount" value="9"><input name="tender_amount"></form>`, r.PathValue("student"))
	})
	mux.HandleFunc("POST /payments", func(w http.ResponseWriter, r *http.Request) {
		who, err := r.Cookie("who")
		if err != nil || r.FormValue("payment_id") == "" || payments.Add(1)%5 == 0 {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		served <- [2]string{r.FormValue("student"), who.Value}
		w.Header().Set("Location", "/receipts/1")
		w.WriteHeader(http.StatusSeeOther)
	})
	mux.HandleFunc("GET /receipts/1", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `<div data-issued="1">`) })
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	return srv.URL, func() map[string]string {
		close(served)
		by := map[string]string{}
		for one := range served {
			if before, other := by[one[0]]; other && before != one[1] {
				t.Errorf("student %s was served by %s and %s", one[0], before, one[1])
			}
			by[one[0]] = one[1]
		}
		return by
	}
}

// clock moves by a second at every look, so that nothing here takes real time.
func clock() func() time.Time {
	var ticks atomic.Int64
	return func() time.Time { return time.Unix(ticks.Add(1), 0) }
}

func TestCrewServesAndCountsWhatFails(t *testing.T) {
	url, students := counter(t)
	plan := Plan{
		URL: url, Cashiers: []Login{{"a", ""}, {"b", ""}}, Students: []string{"1", "2", "3", "4", "5"},
		Now: clock(), NewID: func() string { return "1" },
	}
	crew, err := LogIn(context.Background(), plan)
	if err != nil {
		t.Fatal(err)
	}
	defer crew.Close()
	flows, posts := crew.Flows(context.Background(), 2000*time.Second), crew.Payments(context.Background(), 200*time.Second)
	if len(flows.Steps) != 5 || len(posts.Steps) != 1 {
		t.Fatalf("steps %v and %v", flows.Steps, posts.Steps)
	}
	for _, r := range []Report{flows, posts} {
		done := r.Steps[0].N
		if done == 0 || r.Failed == 0 || r.Failed < (done+r.Failed)/5-1 || r.Failed > (done+r.Failed)/5+1 || len(r.Errors) == 0 || len(r.Errors) > someErrors {
			t.Errorf("%d done, %d failed, %d told; want every fifth to fail", done, r.Failed, len(r.Errors))
		}
		for _, s := range r.Steps {
			if s.P50 <= 0 || s.P50 > s.P95 || s.P95 > s.P99 || s.P99 > s.Most {
				t.Errorf("%+v is in no order", s)
			}
		}
	}
	if search, flow := flows.Steps[1], flows.Steps[0]; search.N != flow.N+flows.Failed {
		t.Errorf("%d searches for %d flows and %d failures", search.N, flow.N, flows.Failed)
	}
	if by := students(); len(by) < 2 {
		t.Errorf("only %v were served", by)
	}
	var text strings.Builder
	if err := flows.Print(&text); err != nil || !strings.Contains(text.String(), "status 500, want 303") {
		t.Errorf("%v:\n%s", err, text.String())
	}
}

func TestCrewDoesNotGetIn(t *testing.T) {
	plan := Plan{URL: "http://127.0.0.1:1", Cashiers: []Login{{"a", ""}}, Students: []string{"1"}, Now: clock()}
	if _, err := LogIn(context.Background(), plan); err == nil || !strings.Contains(err.Error(), "log in as a") {
		t.Errorf("at no server: %v", err)
	}
	plan.Cashiers = append(plan.Cashiers, Login{"b", ""})
	if _, err := LogIn(context.Background(), plan); err == nil {
		t.Error("two share one student")
	}
}

func TestReportOf(t *testing.T) {
	a, b := newTally(clock()), newTally(clock())
	for i := range 100 {
		a.took[Dues] = append(a.took[Dues], time.Duration(200-i))
		b.took[Dues] = append(b.took[Dues], time.Duration(100-i))
		b.failed = append(b.failed, errors.New("no"))
	}
	r := reportOf([]*tally{a, b}, 4*time.Second, []string{Dues, Search})
	want := Step{Name: Dues, N: 200, P50: 101, P95: 191, P99: 199, Most: 200}
	if r.Steps[0] != want || r.Steps[1] != (Step{Name: Search}) || r.Rate(r.Steps[0]) != 50 || r.Failed != 100 || len(r.Errors) != someErrors {
		t.Errorf("%+v\nwant %+v first", r, want)
	}
}
