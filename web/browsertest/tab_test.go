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
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"raseed/store/fees"
	"raseed/web/webtest"
)

// patience is how long anything that a page does may take. It only bounds a
// failure, so it is generous to a busy machine.
const patience = 30 * time.Second

// tick is how often a condition is looked at again.
const tick = 15 * time.Millisecond

// Keys that have no character.
const (
	down = kb.ArrowDown
	up   = kb.ArrowUp
)

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

// point waits until what can be clicked and is where it stays.
func (p *tab) point(what string) (x, y float64) {
	p.t.Helper()
	var at []float64
	p.until("“"+what+"” can be clicked", func() (bool, error) {
		if ok, err := ask[bool](p, "settled"); !ok {
			return false, err
		}
		var err error
		at, err = ask[[]float64](p, "point", what)
		return len(at) == 2, err
	})
	return at[0], at[1]
}

func (p *tab) click(what string) {
	p.t.Helper()
	x, y := p.point(what)
	p.clickAt(x, y)
}

func (p *tab) clickAt(x, y float64) {
	p.t.Helper()
	p.do("click", chromedp.MouseClickXY(x, y))
}

// doubleClick presses twice, as an impatient person does.
func (p *tab) doubleClick(what string) {
	p.t.Helper()
	x, y := p.point(what)
	p.do("double click “"+what+"”", chromedp.MouseClickXY(x, y), chromedp.MouseClickXY(x, y, chromedp.ClickCount(2)))
}

// keys presses keys, one after the other, wherever the focus is.
func (p *tab) keys(keys string) {
	p.t.Helper()
	p.do(fmt.Sprintf("press %q", keys), chromedp.KeyEvent(keys))
}

// fill types text in place of what is in a field.
func (p *tab) fill(field, text string) {
	p.t.Helper()
	p.until("the field “"+field+"” takes the focus", func() (bool, error) { return ask[bool](p, "focus", field) })
	p.do("clear “"+field+"”", chromedp.KeyEvent("\b"))
	command(p, "type into “"+field+"”", input.InsertText, input.InsertTextParams{Text: text})
}

// choose sets a choice or a date.
func (p *tab) choose(field, value string) {
	p.t.Helper()
	p.until("“"+field+"” offers "+value, func() (bool, error) { return ask[bool](p, "set", field, value) })
}

// sees waits until something is on screen and its text contains the words.
func (p *tab) sees(what, words string) {
	p.t.Helper()
	p.until(fmt.Sprintf("“%s” says %q", what, words), func() (bool, error) {
		text, err := ask[*string](p, "text", what)
		if err != nil || text == nil {
			return false, errors.Join(err, errors.New("it is not there"))
		}
		if !strings.Contains(*text, words) {
			return false, fmt.Errorf("it says %q", *text)
		}
		return true, nil
	})
}

// text is what something on screen says; "" when it is not there.
func (p *tab) text(what string) string {
	p.t.Helper()
	p.settle()
	text := asked[*string](p, "text", what)
	if text == nil {
		return ""
	}
	return *text
}

// texts is what all that match say.
func (p *tab) texts(what string) []string {
	p.t.Helper()
	p.settle()
	return asked[[]string](p, "texts", what)
}

// has says whether something is on screen now.
func (p *tab) has(what string) bool { p.t.Helper(); return asked[bool](p, "sees", what) }

// gone waits until something is no longer on screen.
func (p *tab) gone(what string) {
	p.t.Helper()
	p.until("“"+what+"” goes away", func() (bool, error) {
		sees, err := ask[bool](p, "sees", what)
		return err == nil && !sees, err
	})
}

// value is what is in a field.
func (p *tab) value(field string) string {
	p.t.Helper()
	v := asked[*string](p, "value", field)
	if v == nil {
		p.fatalf("there is no field “%s”", field)
	}
	return *v
}

// focused waits until the focus is on the element of this id, name or text.
func (p *tab) focused(on string) {
	p.t.Helper()
	p.until("the focus is on "+on, func() (bool, error) {
		at, err := ask[string](p, "focused")
		return at == on, errors.Join(err, errors.New("it is on "+at))
	})
}

func asked[T any](p *tab, call string, args ...any) T {
	p.t.Helper()
	answer, err := ask[T](p, call, args...)
	if err != nil {
		p.fatalf("ask the page for %s(%v): %v", call, args, err)
	}
	return answer
}

// byTestID selects what a check reads.
func byTestID(id string) string { return `[data-testid="` + id + `"]` }

// back presses the browser's Back. Wait with at for the page that it leads to.
func (p *tab) back() {
	p.t.Helper()
	h := command(p, "read the history", page.GetNavigationHistory, cdp.Empty{})
	if h.CurrentIndex == 0 {
		p.fatalf("there is no page to go back to")
	}
	command(p, "go back", page.NavigateToHistoryEntry, page.NavigateToHistoryEntryParams{EntryID: h.Entries[h.CurrentIndex-1].ID})
}

// resize makes the window so large, in CSS px; a phone's when it is narrow.
func (p *tab) resize(width, height int64) {
	p.t.Helper()
	command(p, "resize", emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: width, Height: height, DeviceScaleFactor: 1, Mobile: width < 640,
	})
}

// scheme sets what the person prefers: light or dark.
func (p *tab) scheme(scheme string) {
	p.t.Helper()
	command(p, "prefer "+scheme, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
}

// media shows the page as on paper ("print") or on screen ("").
func (p *tab) media(media string) {
	p.t.Helper()
	command(p, "show as on "+media, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: media})
}

// withoutScripts is a browser with JavaScript turned off.
func (p *tab) withoutScripts() {
	p.t.Helper()
	command(p, "turn JavaScript off", emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
}

// login logs in through the login page as the institute's own user of a role.
func (p *tab) login(s *webtest.Server, r fees.Role) {
	p.t.Helper()
	p.loginAs(s.AddUser(p.t, webtest.Own, r), webtest.Password)
}

func (p *tab) loginAs(login, password string) {
	p.t.Helper()
	p.visit("/login")
	p.fill("Login", login)
	p.fill("Password", password)
	p.click("Log in")
	p.sees(".who", "")
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
