package browsertest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/audits"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// watch notes what no page may do, whatever the test is about: break the
// content security policy, say something in the console, throw, ask for what
// is not there, ask for anything from elsewhere, or draw the browser's own
// criticism.
type watch struct {
	base string

	mu       sync.Mutex
	problems []string
	expected []string
	posts    int // forms that were sent
}

// onEachPage tells of violations from within, and counts what would have
// opened the printer's dialog.
const onEachPage = `
addEventListener("securitypolicyviolation", (e) =>
  console.error("content security policy: " + e.effectiveDirective + " refused " + (e.blockedURI || e.sample) + " on " + e.documentURI));
window.print = () => { window.printed = (window.printed ?? 0) + 1; };
`

// begin turns on what see needs to be told. Every tab behaves as the one in
// front, since several are at work at a time.
func (p *tab) begin() {
	p.t.Helper()
	command(p, "bring the tab to the front", emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	command(p, "watch for issues", audits.Enable, cdp.Empty{})
	command(p, "watch for violations", page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: onEachPage})
}

// expect says that from now on problems with these words are what the test is
// about.
func (w *watch) expect(words ...string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.expected = append(w.expected, words...)
}

// sent is how many forms were sent since it was last asked.
func (w *watch) sent() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := w.posts
	w.posts = 0
	return n
}

// take is the problems since they were last taken.
func (w *watch) take() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := w.problems
	w.problems = nil
	return all
}

// report fails the test for every problem.
func (p *tab) report() {
	for _, problem := range p.take() {
		p.t.Errorf("the browser reports: %s", problem)
	}
}

func (w *watch) note(format string, args ...any) {
	problem := fmt.Sprintf(format, args...)
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, words := range w.expected {
		if strings.Contains(problem, words) {
			return
		}
	}
	w.problems = append(w.problems, problem)
}

// see is told everything that happens in the tab.
func (w *watch) see(event any) {
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		switch e.Type {
		case runtime.ConsoleAPICalledTypeError, runtime.ConsoleAPICalledTypeWarning, runtime.ConsoleAPICalledTypeAssert:
			w.note("console: %s", words(e.Args))
		}
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if thrown := e.ExceptionDetails.Exception; thrown != nil {
			text += " " + thrown.Description
		}
		w.note("exception: %s", text)
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			w.note("log: %s: %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL)
		}
	case *audits.EventIssueAdded:
		details, _ := json.Marshal(e.Issue.Details)
		w.note("issue: %s %s", e.Issue.Code, details)
	case *network.EventRequestWillBeSent:
		url := e.Request.URL
		if !strings.HasPrefix(url, w.base) && !strings.HasPrefix(url, "data:") && !strings.HasPrefix(url, "about:") {
			w.note("request to elsewhere: %s", url)
		}
		if e.Request.Method == http.MethodPost && e.RedirectResponse == nil {
			w.mu.Lock()
			w.posts++
			w.mu.Unlock()
		}
	case *network.EventResponseReceived:
		if e.Response.Status >= 400 {
			w.note("answer: status of %d for %s", e.Response.Status, e.Response.URL)
		}
	case *network.EventLoadingFailed:
		// Whoever goes on before an answer comes, as in a search while typing,
		// ends the request.
		if !e.Canceled && e.ErrorText != "net::ERR_ABORTED" {
			w.note("request failed: %s %s", e.Type, e.ErrorText)
		}
	case *page.EventJavascriptDialogOpening:
		w.note("dialog: %s", e.Message)
	}
}

// words is what was written to the console.
func words(args []*runtime.RemoteObject) string {
	said := make([]string, 0, len(args))
	for _, a := range args {
		if a.Description != "" {
			said = append(said, a.Description)
		} else {
			said = append(said, string(a.Value))
		}
	}
	return strings.Join(said, " ")
}
