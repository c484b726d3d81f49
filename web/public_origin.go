package web

import "github.com/labstack/echo/v4"

// originOf is what people type to reach this server: the public URL, or without
// one the host that the request names. The server itself speaks no TLS.
func (s *Server) originOf(c echo.Context) string {
	if s.PublicURL != nil {
		return s.PublicURL.String()
	}
	return "http://" + c.Request().Host
}
