package static

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"
)

func TestHandler(t *testing.T) {
	for name, kind := range map[string]string{
		"css/base.css":                          "text/css; charset=utf-8",
		"vendor/noto/LICENSE":                   "application/octet-stream",
		"vendor/noto/NotoSansTamil-Regular.ttf": "font/ttf",
		"js/app.js":                             "text/javascript; charset=utf-8",
		"img/favicon.svg":                       "image/svg+xml",
		"vendor/htmx/htmx.min.js":               "text/javascript; charset=utf-8",
	} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			w := httptest.NewRecorder()
			Handler().ServeHTTP(w, httptest.NewRequest(method, Path(name), nil))
			if w.Code != http.StatusOK || w.Header().Get("Content-Type") != kind {
				t.Errorf("%s %s: %d %q, want 200 %q", method, name, w.Code, w.Header().Get("Content-Type"), kind)
			}
			if got := w.Header().Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
				t.Errorf("%s %s: Cache-Control %q", method, name, got)
			}
			want, err := files.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if method == http.MethodGet && !bytes.Equal(w.Body.Bytes(), want) {
				t.Errorf("%s: the body differs from the file", name)
			}
		}
	}
}

func TestHandlerRefuses(t *testing.T) {
	for _, path := range []string{"/static/", "/static/css/base.css", "/static/css/base.00000000.css", "/static/css", "/static/../static.go", "/css/base.css"} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.URL.Path = path
		w := httptest.NewRecorder()
		Handler().ServeHTTP(w, r)
		if w.Code != http.StatusNotFound || w.Header().Get("Cache-Control") != "" {
			t.Errorf("%s: %d, want 404 that nobody keeps", path, w.Code)
		}
	}
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, httptest.NewRequest(http.MethodPost, Path("css/base.css"), nil))
	if w.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d, want 405", w.Code)
	}
}

func TestPath(t *testing.T) {
	one := hashAll(fstest.MapFS{"css/a.css": {Data: []byte("a")}})
	other := hashAll(fstest.MapFS{"css/a.css": {Data: []byte("b")}})
	if p := one.path["css/a.css"]; p != "/static/css/a.ca978112.css" {
		t.Errorf("path is %q", p)
	}
	if one.path["css/a.css"] == other.path["css/a.css"] {
		t.Error("other content has the same address")
	}
	defer func() {
		if recover() == nil {
			t.Error("a file that does not exist has an address")
		}
	}()
	Path("css/none.css")
}

// What a style sheet names it names by its address, which changes its own.
func TestSheetsNameAddresses(t *testing.T) {
	tree := fstest.MapFS{"css/a.css": {Data: []byte(`x{src:url("/static/f.ttf")}`)}, "f.ttf": {Data: []byte("one")}}
	before := hashAll(tree)
	if got, want := string(before.sheet["css/a.css"]), `x{src:url("`+before.path["f.ttf"]+`")}`; got != want {
		t.Errorf("the sheet is %s, want %s", got, want)
	}
	tree["f.ttf"] = &fstest.MapFile{Data: []byte("two")}
	if after := hashAll(tree); after.path["css/a.css"] == before.path["css/a.css"] {
		t.Error("another font leaves the sheet's address as it is")
	}
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, Path("css/print_fonts.css"), nil))
	if !bytes.Contains(w.Body.Bytes(), []byte(`url("`+Path("vendor/noto/NotoSansTamil-Regular.ttf")+`")`)) {
		t.Errorf("the sheet of fonts is served as %.300s", w.Body.String())
	}
}
