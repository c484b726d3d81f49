package handlers_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"raseed/handlers"
	"raseed/store/fees"
)

const urlencoded = "application/x-www-form-urlencoded"

func readForm(kind, body string, limit int64) (*handlers.Form, error) {
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
	r.Header.Set("Content-Type", kind)
	w := httptest.NewRecorder()
	if limit > 0 {
		r.Body = http.MaxBytesReader(w, r.Body, limit)
	}
	return handlers.ReadForm(echo.New().NewContext(r, w))
}

func TestReadForm(t *testing.T) {
	multipart := "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--x--\r\n"
	for _, tt := range []struct{ name, kind, body string }{
		{"URL-encoded", urlencoded + "; charset=utf-8", "a=1"},
		{"multipart", "multipart/form-data; boundary=x", multipart},
	} {
		form, err := readForm(tt.kind, tt.body, 0)
		if err != nil || form.Value("a") != "1" || form.Value("none") != "" || form.Err() != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}

func TestReadFormRefuses(t *testing.T) {
	file := "--x\r\nContent-Disposition: form-data; name=\"a\"; filename=\"b\"\r\n\r\n1\r\n--x--\r\n"
	for _, tt := range []struct {
		name, kind, body string
		limit            int64
		status           int
	}{
		{"JSON", "application/json", `{"a":1}`, 0, http.StatusUnsupportedMediaType},
		{"no type", "", "a=1", 0, http.StatusUnsupportedMediaType},
		{"nonsense type", ";;;", "a=1", 0, http.StatusUnsupportedMediaType},
		{"bad escape", urlencoded, "a=%zz", 0, http.StatusBadRequest},
		{"half an escape", urlencoded, "a=%", 0, http.StatusBadRequest},
		{"multipart without boundary", "multipart/form-data", "a", 0, http.StatusBadRequest},
		{"multipart garbage", "multipart/form-data; boundary=x", "garbage", 0, http.StatusBadRequest},
		{"a file", "multipart/form-data; boundary=x", file, 0, http.StatusUnsupportedMediaType},
		{"too large", urlencoded, "a=" + strings.Repeat("x", 100), 50, http.StatusRequestEntityTooLarge},
		{"too large multipart", "multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n" + strings.Repeat("x", 100), 50, http.StatusRequestEntityTooLarge},
		{"name not UTF-8", urlencoded, "%ff=1", 0, http.StatusUnprocessableEntity},
		{"long name", urlencoded, strings.Repeat("x", 4097) + "=1", 0, http.StatusUnprocessableEntity},
		{"many fields", urlencoded, strings.Repeat("a=1&", 501), 0, http.StatusUnprocessableEntity},
	} {
		form, err := readForm(tt.kind, tt.body, tt.limit)
		var refused *echo.HTTPError
		status := handlers.StatusOf(fees.CodeOf(err))
		if errors.As(err, &refused) {
			status = refused.Code
		}
		if form != nil || status != tt.status {
			t.Errorf("%s: %v, want status %d", tt.name, err, tt.status)
		}
	}
}

func TestFormKeepsWhatItCan(t *testing.T) {
	long := strings.Repeat("x", 4097)
	form, err := readForm(urlencoded, "a=%ffb&b="+long+"&c=1&c=%ff&d="+long[1:], 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := form.Value("a"); got != "\uFFFDb" || form.Problem("a") == "" {
		t.Errorf("broken text is kept as %q, problem %q", got, form.Problem("a"))
	}
	if got := form.Value("b"); got != long[1:] || form.Problem("b") == "" {
		t.Errorf("of long text %d bytes are kept, problem %q", len(got), form.Problem("b"))
	}
	if got := form.Values("c"); got[0] != "1" || form.Problem("c.0") != "" || form.Problem("c.1") == "" {
		t.Errorf("rows are kept as %q; problems %q and %q", got, form.Problem("c.0"), form.Problem("c.1"))
	}
	if form.Value("d"); form.Problem("d") != "" {
		t.Errorf("4096 bytes are refused: %s", form.Problem("d"))
	}
	if e := form.Err(); e == nil || len(e.Fields) != 3 {
		t.Errorf("the refusal is %v", e)
	}
}

func TestFormProblems(t *testing.T) {
	form, err := readForm(urlencoded, "a=1&a=2&b=3&b=4&c=5", 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := form.Values("b"); len(got) != 2 || form.Err() != nil {
		t.Errorf("a repeated field gives %q and %v", got, form.Err())
	}
	if got := form.Value("a"); got != "1" || form.Problem("a") == "" {
		t.Errorf("a field given twice gives %q and no problem", got)
	}
	form.Fail("c", "first")
	form.Fail("c", "second")
	form.FailAll(nil)
	form.FailAll(&fees.Error{Fields: map[string]string{"c": "third", "d": "fourth"}})
	if form.Problem("c") != "first" || form.Problem("d") != "fourth" || form.Problem("b") != "" {
		t.Errorf("problems are %v", form.Err())
	}
	if e := form.Err(); e == nil || e.Code != fees.Invalid || len(e.Fields) != 3 {
		t.Errorf("the refusal is %v", e)
	}
}

func TestReadQuery(t *testing.T) {
	read := func(query string) (*handlers.Form, error) {
		r := &http.Request{Method: http.MethodGet, URL: &url.URL{Path: "/", RawQuery: query}, Header: http.Header{}}
		return handlers.ReadQuery(echo.New().NewContext(r, httptest.NewRecorder()))
	}
	if form, err := read("q=%E0%A4%86"); err != nil || form.Value("q") != "आ" {
		t.Errorf("a good query: %v", err)
	}
	for _, bad := range []string{"q=%zz", "q=1;r=2", "q=%ff", "q=" + strings.Repeat("x", 4097)} {
		if form, err := read(bad); err == nil {
			t.Errorf("%s is read as %v", bad, form)
		}
	}
}
