// Package static is everything a browser fetches besides pages: style sheets,
// scripts and pictures, embedded in the program and served under names that
// carry a hash of their content, so that they may be kept for ever.
package static

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"
)

//go:embed css js img vendor
var files embed.FS

// Prefix is where Handler is mounted.
const Prefix = "/static/"

// hashed is the table of the embedded files under both their names. It is
// derived from files once and never changes.
var hashed = hashAll(files)

type table struct {
	path  map[string]string // css/base.css → /static/css/base.1f2e3d4c.css
	file  map[string]string // and back
	sheet map[string][]byte // the style sheets that name other files, with the addresses of these
}

func hashAll(tree fs.FS) table {
	t := table{path: map[string]string{}, file: map[string]string{}, sheet: map[string][]byte{}}
	var sheets []string
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		if path.Ext(name) == ".css" && bytes.Contains(body, []byte(named)) {
			sheets = append(sheets, name)
			t.sheet[name] = body
			return nil
		}
		t.add(name, body)
		return nil
	})
	if err != nil {
		panic("read the embedded files: " + err.Error()) // they are in the program: it cannot fail
	}
	for _, name := range sheets {
		t.sheet[name] = t.resolve(t.sheet[name])
		t.add(name, t.sheet[name])
	}
	return t
}

// named begins the name of another file in a style sheet:
// url("/static/vendor/noto/NotoSansTamil-Regular.ttf").
const named = `url("` + Prefix

// add gives a file its address.
func (t table) add(name string, body []byte) {
	sum := sha256.Sum256(body)
	ext := path.Ext(name)
	p := Prefix + strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:4]) + ext
	t.path[name], t.file[p] = p, name
}

// resolve puts the addresses of files in the place of their names.
func (t table) resolve(sheet []byte) []byte {
	parts := strings.Split(string(sheet), named)
	for i, part := range parts[1:] {
		name, rest, _ := strings.Cut(part, `"`)
		address, ok := t.path[name]
		if !ok {
			panic("static: a style sheet names " + name + ", which is not there")
		}
		parts[i+1] = `url("` + address + `"` + rest
	}
	return []byte(strings.Join(parts, ""))
}

// File is an embedded file by its name, "vendor/noto/NotoSans-Bold.ttf".
func File(name string) ([]byte, error) { return files.ReadFile(name) }

// Path is the address of an embedded file: Path("css/base.css") is
// "/static/css/base.1f2e3d4c.css". A name that does not exist is a mistake in
// the program and panics.
func Path(name string) string {
	p, ok := hashed.path[name]
	if !ok {
		panic("static: there is no " + name)
	}
	return p
}

// Handler serves the embedded files by the addresses that Path gives, to be
// cached for a year and never asked for again. Every other address is 404.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, ok := hashed.file[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, http.StatusText(http.StatusMethodNotAllowed), http.StatusMethodNotAllowed)
			return
		}
		body, resolved := hashed.sheet[name]
		if !resolved {
			var err error
			if body, err = files.ReadFile(name); err != nil {
				http.NotFound(w, r)
				return
			}
		}
		h := w.Header()
		h.Set("Content-Type", contentType(name))
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
		h.Set("X-Content-Type-Options", "nosniff")
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(body))
	})
}

// contentType does not ask the machine's own table, which may be wrong or
// missing, for the types that are here.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".png":
		return "image/png"
	case ".ttf":
		return "font/ttf"
	}
	return "application/octet-stream"
}
