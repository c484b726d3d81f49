package main

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

func TestServeMetrics(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	private := ln.Addr().String()
	p := newProgram(t)
	p.env = []string{"RASEED_ADDR=127.0.0.1:0", "RASEED_DB=sqlite:school.db", "RASEED_METRICS_ADDR=" + private}
	p.refused(2, "choose another address with --metrics-addr", "", "serve")
	if err := ln.Close(); err != nil {
		t.Fatal(err)
	}
	s := p.start("serve")
	for _, want := range []string{
		`raseed_store_operations_total{engine="sqlite",shape="find institutes _id:range sort _id",outcome="ok"}`,
		`raseed_store_operation_duration_seconds_bucket{engine="sqlite",shape="find institutes _id:range sort _id",le="0.001"}`,
	} {
		if body := read(t, "http://"+private+"/metrics"); !strings.Contains(body, want) {
			t.Errorf("the private listener does not say %s:\n%s", want, body)
		}
	}
	if body := read(t, s.url+"/metrics"); strings.Contains(body, "raseed_store") {
		t.Errorf("the public listener tells metrics:\n%s", body)
	}
	if status := get(t, "http://"+private+"/login"); status != http.StatusNotFound {
		t.Errorf("the private listener answers /login with %d, want 404", status)
	}
	if rest := s.interrupt(); !strings.Contains(rest, "Raseed has stopped.") {
		t.Errorf("Ctrl-C does not end with a word: %s", rest)
	}
	if _, err := net.Dial("tcp", private); err == nil {
		t.Error("the private listener is open after the program has stopped")
	}
}

func read(t *testing.T, link string) string {
	t.Helper()
	res, err := http.Get(link)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}
