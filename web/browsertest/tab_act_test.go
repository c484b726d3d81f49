package browsertest

import (
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"raseed/store/fees"
	"raseed/web/webtest"
)

// Keys that have no character.
const (
	down = kb.ArrowDown
	up   = kb.ArrowUp
)

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

// keys presses keys, one after the other, wherever the focus is. The press and
// its character are one event, so that a page that takes the press for itself
// keeps the character from being typed.
func (p *tab) keys(keys string) {
	p.t.Helper()
	for _, key := range keys {
		var press input.DispatchKeyEventParams
		for _, e := range kb.Encode(key) {
			switch e.Type {
			case kb.KeyChar:
				press.Text, press.UnmodifiedText = e.Text, e.UnmodifiedText
			case kb.KeyUp:
				command(p, fmt.Sprintf("press %q", key), input.DispatchKeyEvent, press)
				command(p, fmt.Sprintf("let go of %q", key), input.DispatchKeyEvent, *e)
			default:
				press = *e
				press.Type = input.DispatchKeyEventTypeKeyDown
			}
		}
	}
}

// fill types text in place of what is in a field.
func (p *tab) fill(field, text string) {
	p.t.Helper()
	p.until("the field “"+field+"” takes the focus", func() (bool, error) { return ask[bool](p, "focus", field) })
	p.keys("\b")
	command(p, "type into “"+field+"”", input.InsertText, input.InsertTextParams{Text: text})
}

// reach goes to something by the Tab key alone.
func (p *tab) reach(what string) {
	p.t.Helper()
	p.settle()
	for range 250 {
		if asked[bool](p, "reached", what) {
			return
		}
		p.keys("\t")
	}
	p.fatalf("Tab does not lead to “%s”", what)
}

// press goes to something by the Tab key and presses Enter on it.
func (p *tab) press(what string) {
	p.t.Helper()
	p.reach(what)
	p.keys("\r")
}

// write goes to a field by the Tab key and types in place of what is in it: Tab
// selects that.
func (p *tab) write(field, text string) {
	p.t.Helper()
	p.reach(field)
	p.keys(text)
}

// choose sets a choice or a date.
func (p *tab) choose(field, value string) {
	p.t.Helper()
	p.until("“"+field+"” offers "+value, func() (bool, error) { return ask[bool](p, "set", field, value) })
}

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
	p.settle()
}
