package browsertest

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"raseed/web/webtest"
)

// patience is how long anything that a page does may take. It only bounds a
// failure, so it is generous to a busy machine.
const patience = 30 * time.Second

// tick is how often a condition is looked at again.
const tick = 15 * time.Millisecond

//go:embed testdata/probe.js
var probe string

// tab is a person in front of one page. Its methods wait for what they need
// and fail the test, with a picture of the page, when it does not come. What
// is acted upon is named as on screen ("Record payment"), or by selector where
// the name is not enough.
type tab struct {
	*watch
	t    testing.TB
	base string
	ctx  context.Context
}

// open is a new browser profile on a server.
func open(t testing.TB, s *webtest.Server) *tab { return openAt(t, s.URL) }

func openAt(t testing.TB, base string) *tab {
	t.Helper()
	return newTab(t, base, needBrowser(t), chromedp.WithNewBrowserContext())
}

// another is a second tab of the same person.
func (p *tab) another() *tab {
	p.t.Helper()
	return newTab(p.t, p.base, p.ctx)
}

func newTab(t testing.TB, base string, parent context.Context, opts ...chromedp.ContextOption) *tab {
	t.Helper()
	p := &tab{watch: &watch{base: base}, t: t, base: base}
	ctx, cancel := chromedp.NewContext(parent, append(opts, chromedp.WithListener(p.watch.see))...)
	p.ctx = ctx
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("open a tab: %v", err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			p.photograph()
		}
		cancel()
	})
	t.Cleanup(p.report)
	p.begin()
	p.resize(1366, 768)
	return p
}

// do runs actions of the debugger.
func (p *tab) do(what string, steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		p.fatalf("%s: %v", what, err)
	}
}

// command is do for one command of the protocol.
func command[P, R any](p *tab, what string, c cdp.Command[P, R], params P) R {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	res, err := chromedp.Call(ctx, c, params)
	if err != nil {
		p.fatalf("%s: %v", what, err)
	}
	return res
}

// ask is the answer of one function of probe.js.
func ask[T any](p *tab, call string, args ...any) (T, error) {
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	quoted := make([]string, len(args))
	for i, a := range args {
		text, err := json.Marshal(a)
		if err != nil {
			p.t.Fatal(err)
		}
		quoted[i] = string(text)
	}
	return chromedp.Run(ctx, chromedp.Evaluate[T](probe+"."+call+"("+strings.Join(quoted, ", ")+")"))
}

// until looks again and again until what is so. The page may be replaced while
// it is looked at; such errors are not the last word.
func (p *tab) until(what string, so func() (bool, error)) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	for {
		ok, err := so()
		if ok {
			return
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			if err != nil && !errors.Is(err, context.DeadlineExceeded) {
				what += ": " + err.Error()
			}
			p.fatalf("waited in vain: %s", what)
		}
	}
}

// visit opens an address of the server.
func (p *tab) visit(path string) {
	p.t.Helper()
	p.do("open "+path, chromedp.Navigate(p.base+path))
	p.settle()
}

// settle waits until the page is loaded and stands still.
func (p *tab) settle() {
	p.t.Helper()
	p.until("the page stands still", func() (bool, error) { return ask[bool](p, "settled") })
}

// at waits for a page whose path matches, as path.Match does.
func (p *tab) at(pattern string) {
	p.t.Helper()
	p.until("the address is "+pattern, func() (bool, error) {
		at, err := p.path()
		if err != nil {
			return false, err
		}
		ok, err := path.Match(pattern, at)
		if !ok {
			return false, errors.Join(err, errors.New("it is "+at))
		}
		return ask[bool](p, "settled")
	})
}

func (p *tab) path() (string, error) {
	u, err := p.url()
	if err != nil {
		return "", err
	}
	return u.EscapedPath(), nil
}

func (p *tab) url() (*url.URL, error) {
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Location())
	if err != nil {
		return nil, err
	}
	return url.Parse(text)
}

// address is where the tab is: path and query.
func (p *tab) address() string {
	p.t.Helper()
	u, err := p.url()
	if err != nil {
		p.fatalf("where is the tab: %v", err)
	}
	return u.RequestURI()
}

// fatalf ends the test. The picture is taken when it is cleaned up.
func (p *tab) fatalf(format string, args ...any) {
	p.t.Helper()
	at, _ := p.url()
	alert, _ := ask[*string](p, "text", byTestID("alert"))
	said := ""
	if alert != nil {
		said = fmt.Sprintf(", alert %q", *alert)
	}
	p.t.Fatalf("%s (at %v%s)", fmt.Sprintf(format, args...), at, said)
}

// photograph keeps a picture of the page as it is and says where.
func (p *tab) photograph() {
	dir, err := os.MkdirTemp("", "raseed-browser-")
	if err != nil {
		p.t.Log("no picture:", err)
		return
	}
	shot, err := p.picture()
	if err == nil {
		file := filepath.Join(dir, strings.NewReplacer("/", "_", " ", "_").Replace(p.t.Name())+".png")
		err = os.WriteFile(file, shot, 0o644)
		p.t.Logf("a picture of the tab: %s", file)
	}
	if err != nil {
		p.t.Log("no picture:", err)
	}
}

// picture is what is on screen, as a PNG.
func (p *tab) picture() ([]byte, error) {
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	shot, err := chromedp.Call(ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{})
	return shot.Data, err
}
