package web

import (
	"context"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"
)

// scrape reads the metrics over the network, as a monitoring does.
func scrape(t *testing.T, url string) (status int, body string) {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(text)
}

func TestMetricsAreServed(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	m := NewMetrics("mongodb")
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- m.Serve(ctx, ln) }()

	m.StoreOperation("find payments _id:range,institute sort date,-_id", "ok", 3*time.Millisecond)
	m.StoreOperation("find payments _id:range,institute sort date,-_id", "ok", 30*time.Millisecond)
	m.StoreOperation("insert payments", "unknown", 5*time.Second)
	m.StoreRetry()
	m.StoreWaiting(1)
	m.StoreWaiting(1)
	m.StoreWaiting(-1)

	status, body := scrape(t, "http://"+ln.Addr().String()+"/metrics")
	if status != http.StatusOK {
		t.Errorf("status %d, want 200", status)
	}
	const find = `engine="mongodb",shape="find payments _id:range,institute sort date,-_id"`
	for _, want := range []string{
		`raseed_store_operation_duration_seconds_bucket{` + find + `,le="0.0025"} 0`,
		`raseed_store_operation_duration_seconds_bucket{` + find + `,le="0.005"} 1`,
		`raseed_store_operation_duration_seconds_bucket{` + find + `,le="+Inf"} 2`,
		`raseed_store_operation_duration_seconds_count{` + find + `} 2`,
		`raseed_store_operations_total{` + find + `,outcome="ok"} 2`,
		`raseed_store_operations_total{engine="mongodb",shape="insert payments",outcome="unknown"} 1`,
		`raseed_store_driver_retries_total 1`,
		`raseed_store_pool_waiting 1`,
	} {
		if !strings.Contains(body, want+"\n") {
			t.Errorf("no line %s in\n%s", want, body)
		}
	}
	// The text format: a name, perhaps labels, a number.
	line := regexp.MustCompile(`^[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.e+-]+$`)
	for l := range strings.Lines(body) {
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "#") && !line.MatchString(l) {
			t.Errorf("%q is no line of the text format", l)
		}
	}
	if status, body := scrape(t, "http://"+ln.Addr().String()+"/"); status != http.StatusNotFound || strings.Contains(body, "raseed_") {
		t.Errorf("another path: status %d, body %q; want 404 and no metrics", status, body)
	}
	cancel()
	if err := <-served; err != nil {
		t.Errorf("stopped: %v, want no error", err)
	}
}
