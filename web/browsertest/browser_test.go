// Package browsertest meets Raseed as people do: with a real browser, on the
// real server and a real store. Every tab is watched for what no page may do,
// see watch.
package browsertest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// Where there is no browser the tests are skipped, unless this says "1".
const requireBrowser = "RASEED_REQUIRE_BROWSER"

var errNoBrowser = errors.New("there is no chromium, chromium-browser or google-chrome on the PATH")

// browser is the one that all tests share; each test gets a profile of its own
// in it. It starts with the first test that needs it.
var browser struct {
	start sync.Once
	ctx   context.Context // nil until it runs
	err   error
}

func startBrowser() (context.Context, error) {
	path, err := findBrowser()
	if err != nil {
		return nil, err
	}
	allocator, _ := chromedp.NewExecAllocator(context.Background(),
		chromedp.ExecPath(path), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-dev-shm-usage", true),
		// A tab that is not in front works at the same pace.
		chromedp.Flag("disable-background-timer-throttling", true),
		chromedp.Flag("disable-backgrounding-occluded-windows", true),
		chromedp.Flag("disable-renderer-backgrounding", true),
		// Real fonts differ by machine; hinting must not.
		chromedp.Flag("font-render-hinting", "none"),
	)
	ctx, _ := chromedp.NewContext(allocator)
	if err := chromedp.Do(ctx); err != nil {
		return nil, fmt.Errorf("start %s: %w", path, err)
	}
	return ctx, nil
}

func findBrowser() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errNoBrowser
}

// needBrowser is the browser, or the end of the test.
func needBrowser(t testing.TB) context.Context {
	t.Helper()
	browser.start.Do(func() { browser.ctx, browser.err = startBrowser() })
	if errors.Is(browser.err, errNoBrowser) && os.Getenv(requireBrowser) != "1" {
		t.Skip(browser.err)
	}
	if browser.err != nil {
		t.Fatal(browser.err)
	}
	return browser.ctx
}

func TestMain(m *testing.M) {
	code := m.Run()
	if browser.ctx != nil {
		closing, cancel := context.WithTimeout(browser.ctx, 10*time.Second)
		_ = chromedp.Cancel(closing) // it is killed with the tests at the latest
		cancel()
	}
	os.Exit(code)
}
