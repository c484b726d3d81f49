package browsertest

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// The tests trust the watch and axe to speak up; here they must.
func TestWatchSpeaksUp(t *testing.T) {
	t.Parallel()
	pages := http.NewServeMux()
	page := func(path, policy, body string) {
		pages.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			if policy != "" {
				w.Header().Set("Content-Security-Policy", policy)
			}
			_, _ = w.Write([]byte(`<!DOCTYPE html><html lang="en"><title>x</title><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">` + body))
		})
	}
	page("/good", "default-src 'none'; img-src data:", `<main><h1>Fine</h1></main>`)
	page("/script", "default-src 'none'; img-src data:", `<main><h1>Inline</h1><script>1</script></main>`)
	page("/style", "default-src 'none'; img-src data:", `<main><h1 style="color: red">Inline</h1></main>`)
	page("/missing", "", `<main><h1>Missing</h1><img src="/nothing.png" alt="Nothing"></main>`)
	page("/elsewhere", "", `<main><h1>Elsewhere</h1><img src="http://127.0.0.1:9/x.png" alt="Nothing"></main>`)
	page("/warn", "", `<main><h1>Warns</h1><script>console.warn("careful")</script></main>`)
	page("/throw", "", `<main><h1>Throws</h1><script>throw new Error("thrown")</script></main>`)
	page("/wide", "", `<main><h1>Wide</h1><table><tr><td><div style="width: 400px">wide</div></table></main>`)
	page("/grey", "", `<main><h1>Grey</h1><p style="color: #bbb">Who can read this?</p></main>`)
	page("/unnamed", "", `<main><h1>Unnamed</h1><input></main>`)
	s := httptest.NewServer(pages)
	t.Cleanup(s.Close)

	p := openAt(t, s.URL)
	p.resize(320, 568)
	for _, tt := range []struct{ path, says string }{
		{"/good", ""},
		{"/script", "script-src-elem"},
		{"/style", "style-src-attr"},
		{"/missing", "status of 404"},
		{"/elsewhere", "request to elsewhere"},
		{"/warn", "careful"},
		{"/throw", "thrown"},
		{"/wide", "px wide"},
		{"/grey", "serious: color-contrast"},
		{"/unnamed", "critical: label"},
	} {
		p.visit(tt.path)
		found := strings.Join(append(p.judge(view{width: 320, axe: true}), p.take()...), "\n")
		if tt.says == "" && found != "" || !strings.Contains(found, tt.says) {
			t.Errorf("%s: %q is said, want %q", tt.path, found, tt.says)
		}
	}
}
