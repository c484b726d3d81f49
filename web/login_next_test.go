package web

import (
	"net/url"
	"strings"
	"testing"
)

func TestLocalPath(t *testing.T) {
	for _, next := range []string{
		"/", "/collect", "/collect/A%2F12-B", "/receipts?from=2026-11-01&mode=cash", "/collect?q=a%20b", "/students/1001?x=http://evil.example/",
		"/a//b", "/receipts/01J0000000000000000000000A:reversal",
	} {
		if got := localPath(next); got != next {
			t.Errorf("localPath(%q) = %q: a path on this server was refused", next, got)
		}
	}
	for _, next := range []string{
		"", "collect", "//evil.example", "///evil.example", `/\evil.example`, `\\evil.example`, `/%5Cevil.example`, "/%2Fevil.example", "/%2fevil.example",
		"http://evil.example/", "https:evil.example", "javascript:alert(1)", "/\tevil", "/\n/evil.example", "\t//evil.example", "/\r\nSet-Cookie: a=b",
		" /collect", "/a b", "/\x00", "/\u202e", "/é", "/%zz", "?next=/", "/" + strings.Repeat("a", 2000),
	} {
		if got := localPath(next); got != "/" {
			t.Errorf("localPath(%q) = %q, want /", next, got)
		}
	}
}

// Whatever is let through leads to the host it was asked on.
func FuzzLocalPath(f *testing.F) {
	for _, s := range []string{"/collect", "//e", `/\e`, "/%2Fe", "/?a#b", "/\t/e"} {
		f.Add(s)
	}
	base, _ := url.Parse("http://here.example/login")
	f.Fuzz(func(t *testing.T, next string) {
		got := localPath(next)
		u, err := base.Parse(got)
		if err != nil {
			t.Fatalf("localPath(%q) = %q, which is no URL: %v", next, got, err)
		}
		if u.Host != "here.example" || u.Scheme != "http" {
			t.Fatalf("localPath(%q) = %q leads to %s", next, got, u)
		}
		if strings.ContainsAny(got, "\\\r\n\t") || strings.HasPrefix(got, "//") {
			t.Fatalf("localPath(%q) = %q: a browser may read it as another host", next, got)
		}
	})
}
