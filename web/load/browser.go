package load

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// get is a page, read to its end.
func (c *cashier) get(ctx context.Context, path string, header http.Header) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url+path, nil)
	if err != nil {
		return "", err
	}
	for name, values := range header {
		req.Header[name] = values
	}
	page, _, err := c.do(req, http.StatusOK)
	return page, err
}

// post sends a form, which has to lead on, and says where to.
func (c *cashier) post(ctx context.Context, path string, form url.Values) (next string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+path, strings.NewReader(form.Encode()))
	if err != nil {
		return "", err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	_, header, err := c.do(req, http.StatusSeeOther)
	return header.Get("Location"), err
}

func (c *cashier) do(req *http.Request, want int) (string, http.Header, error) {
	res, err := c.http.Do(req)
	if err != nil {
		return "", nil, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != want {
		err = fmt.Errorf("%s %s: status %d, want %d", req.Method, req.URL.Path, res.StatusCode, want)
	}
	return string(body), res.Header, err
}
