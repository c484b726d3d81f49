package web

import (
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"
)

// crossOrigin refuses unsafe requests that another site made a browser send.
// net/http decides by Sec-Fetch-Site and Origin; it lets a request pass that
// has neither, which here must say "Sec-Fetch-Site: none" as a command-line
// client does on purpose. So no form needs a token.
type crossOrigin struct{ http *http.CrossOriginProtection }

// newCrossOrigin also trusts the public origin, which a proxy may not repeat
// in the Host header.
func newCrossOrigin(public *url.URL) (crossOrigin, error) {
	p := http.NewCrossOriginProtection()
	if public != nil {
		if err := p.AddTrustedOrigin(public.String()); err != nil {
			return crossOrigin{}, err
		}
	}
	return crossOrigin{p}, nil
}

func (o crossOrigin) check(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		req := c.Request()
		silent := req.Header.Get("Sec-Fetch-Site") == "" && (req.Header.Get("Origin") == "" || req.Host == "")
		if !isSafe(req.Method) && silent || o.http.Check(req) != nil {
			return echo.NewHTTPError(http.StatusForbidden, "This form was sent from another site, so nothing was done. Open the page in Raseed itself and send it again.")
		}
		return next(c)
	}
}
