package web

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/VictoriaMetrics/metrics"
)

// Metrics are the counts that an operator watches, in Prometheus' text format.
// They name kinds of operations and never a person, a key or an amount. Its
// methods are safe for concurrent use.
type Metrics struct {
	set     *metrics.Set
	engine  string // what the store runs on, as a label
	waiting *metrics.Gauge
	retries *metrics.Counter

	mu  sync.RWMutex
	ops map[ending]opMetrics // looked up on each operation: its text costs more than the count
}

// ending is a kind of operation and how it ended.
type ending struct{ shape, outcome string }

type opMetrics struct {
	took  *metrics.PrometheusHistogram
	count *metrics.Counter
}

// NewMetrics makes the metrics of a process whose store runs on engine.
func NewMetrics(engine string) *Metrics {
	metrics.ExposeMetadata(true)
	m := &Metrics{set: metrics.NewSet(), engine: engine, ops: map[ending]opMetrics{}}
	m.waiting = m.set.NewGauge("raseed_store_pool_waiting", nil)
	m.retries = m.set.NewCounter("raseed_store_driver_retries_total")
	return m
}

// storeBuckets are the bounds of the durations, in seconds: from a read that
// the cache answers to an operation's own timeout.
func storeBuckets() []float64 {
	return []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}
}

// StoreOperation counts one operation on the store by the shape of its query
// and how it ended:
//
//	raseed_store_operation_duration_seconds{engine,shape}   histogram
//	raseed_store_operations_total{engine,shape,outcome}     counter
func (m *Metrics) StoreOperation(shape, outcome string, took time.Duration) {
	op := m.operation(ending{shape, outcome})
	op.took.Update(took.Seconds())
	op.count.Inc()
}

func (m *Metrics) operation(e ending) opMetrics {
	m.mu.RLock()
	op, known := m.ops[e]
	m.mu.RUnlock()
	if known {
		return op
	}
	labels := `{engine="` + m.engine + `",shape=` + strconv.Quote(e.shape)
	op = opMetrics{
		took:  m.set.GetOrCreatePrometheusHistogramExt("raseed_store_operation_duration_seconds"+labels+"}", storeBuckets()),
		count: m.set.GetOrCreateCounter("raseed_store_operations_total" + labels + `,outcome="` + e.outcome + `"}`),
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ops[e] = op
	return op
}

// StoreRetry counts a command that the database's driver sent again:
//
//	raseed_store_driver_retries_total   counter
func (m *Metrics) StoreRetry() { m.retries.Inc() }

// StoreWaiting changes how many operations wait for a connection to the
// database:
//
//	raseed_store_pool_waiting   gauge
func (m *Metrics) StoreWaiting(change int) { m.waiting.Add(float64(change)) }

// ServeHTTP answers GET /metrics.
func (m *Metrics) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/metrics" {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	m.set.WritePrometheus(w)
}

// Serve answers on ln until ctx ends. The listener is a private one: nobody
// logs in to it.
func (m *Metrics) Serve(ctx context.Context, ln net.Listener) error {
	hs := &http.Server{
		Handler:           m,
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
	}
	stop := context.AfterFunc(ctx, func() { _ = hs.Close() }) // a scrape is asked again
	defer stop()
	if err := hs.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve metrics: %w", err)
	}
	return nil
}
