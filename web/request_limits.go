package web

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"raseed/handlers"
)

const (
	// maxBody bounds a form.
	maxBody = 1 << 20
	// maxUpload bounds a file of handlers.MaxImport as the form sends it again,
	// in base64, with what is around it. A picture may be as large to be told that
	// it is too large, as one from a camera mostly is.
	maxUpload = handlers.MaxImport*4/3 + 1<<16
	// maxDrain is how much of a body that is too large is read and thrown
	// away, so that a browser that sends first and reads later sees the
	// answer rather than a reset connection.
	maxDrain = 16 << 20
	// requestDeadline bounds the work for one request.
	requestDeadline = 30 * time.Second
)

// limitBody refuses a body above maxBody, or maxUpload where files are taken,
// announced or not.
func limitBody(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		req := c.Request()
		body := req.Body
		limit := int64(maxBody)
		if strings.HasPrefix(c.Path(), "/imports/") || c.Path() == "/settings/logo" {
			limit = maxUpload
		}
		var err error
		if req.ContentLength > limit {
			err = &http.MaxBytesError{Limit: limit}
		} else {
			req.Body = http.MaxBytesReader(c.Response(), body, limit)
			err = next(c)
		}
		var tooLarge *http.MaxBytesError
		// A client that asked first (Expect) has sent nothing yet.
		if errors.As(err, &tooLarge) && !strings.EqualFold(req.Header.Get("Expect"), "100-continue") {
			_, _ = io.CopyN(io.Discard, body, maxDrain)
		}
		return err
	}
}

// limitTime ends the request's context after requestDeadline.
func limitTime(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		req := c.Request()
		ctx, cancel := context.WithTimeout(req.Context(), requestDeadline)
		defer cancel()
		c.SetRequest(req.WithContext(ctx))
		defer c.SetRequest(req) // an error is still answered, in a context that has not ended
		return next(c)
	}
}
