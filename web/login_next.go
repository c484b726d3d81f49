package web

import (
	"net/url"
	"strings"
)

// localPath is next when it is a path on this server to which a browser may be
// sent after a login, and "/" otherwise. "//host", "/\host", schemes and
// control characters are how such a path is made to lead elsewhere.
func localPath(next string) string {
	if len(next) > 2000 || !strings.HasPrefix(next, "/") || strings.HasPrefix(next, "//") {
		return "/"
	}
	for _, r := range next {
		if r <= ' ' || r == '\\' || r >= 0x7f {
			return "/"
		}
	}
	u, err := url.Parse(next)
	if err != nil || u.Scheme != "" || u.Host != "" || strings.HasPrefix(u.Path, "//") || strings.HasPrefix(u.Path, `/\`) {
		return "/"
	}
	return next
}
