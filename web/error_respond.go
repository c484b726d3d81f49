package web

import (
	"context"
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"raseed/handlers"
	"raseed/store/fees"
	"raseed/views"
	"raseed/views/ui"
)

// respondError is the one mapping from an error to what a person sees: a page,
// or for a part of a page an alert at its top (#alerts). Only a fees.Error and
// our own echo.HTTPErrors speak to people; the text of any other error stays
// in the log, tied to the screen by the request id.
func (s *Server) respondError(err error, c echo.Context) {
	if c.Response().Committed {
		return
	}
	// The request's own time may be what ran out.
	c.SetRequest(c.Request().WithContext(context.WithoutCancel(c.Request().Context())))
	status, view := problemOf(err)
	view.Home = !errors.Is(err, handlers.ErrNotSetUp)
	if status == http.StatusServiceUnavailable && view.Home {
		view.Again = handlers.AgainOf(c)
		if code := fees.CodeOf(err); code == fees.Unavailable && isSafe(c.Request().Method) {
			view.Text = "The ledger cannot be reached at the moment. What was recorded is safe."
		}
	}
	if status >= http.StatusInternalServerError && view.Home {
		view.RequestID = requestID(c)
	}
	var unsent error
	if handlers.IsHTMX(c) {
		unsent = handlers.RenderAlert(c, status, ui.AlertView{Kind: "error", Title: view.Title, Text: view.Text})
	} else {
		unsent = handlers.Render(c, status, views.Problem(handlers.FrameOf(c, view.Title), view))
	}
	if unsent != nil {
		s.Log.Error("error page not sent", "id", requestID(c), "error", unsent)
	}
}

// statusGone is what the log says of a request whose client went away.
const statusGone = 499

func problemOf(err error) (int, views.ProblemView) {
	var said *fees.Error
	if errors.As(err, &said) {
		status := handlers.StatusOf(said.Code)
		view := views.ProblemView{Title: titleOf(status), Text: said.Message}
		switch {
		case said.Code == fees.Unconfirmed:
			view.Title = "Not confirmed"
		case errors.Is(err, handlers.ErrNotSetUp):
			view.Title = "Not set up yet"
		}
		return status, view
	}
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return http.StatusRequestEntityTooLarge, views.ProblemView{
			Title: titleOf(http.StatusRequestEntityTooLarge),
			Text:  "What was sent is larger than any form of Raseed. Nothing was recorded.",
		}
	}
	var refused *echo.HTTPError
	if errors.As(err, &refused) {
		view := views.ProblemView{Title: titleOf(refused.Code), Text: textOf(refused.Code)}
		if own, ok := refused.Message.(string); ok && own != http.StatusText(refused.Code) {
			view.Text = own
		}
		return refused.Code, view
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return http.StatusServiceUnavailable, views.ProblemView{
			Title: titleOf(http.StatusServiceUnavailable),
			Text:  "This took too long and was given up. Try again in a moment.",
		}
	case errors.Is(err, context.Canceled):
		return statusGone, views.ProblemView{Title: "Stopped", Text: "The browser stopped waiting."}
	}
	return http.StatusInternalServerError, views.ProblemView{
		Title: titleOf(http.StatusInternalServerError),
		Text:  "This is a fault of Raseed, not of yours. Try again; if it stays, report it with the code below.",
	}
}

func titleOf(status int) string {
	switch status {
	case http.StatusBadRequest:
		return "Not understood"
	case http.StatusForbidden:
		return "Not allowed"
	case http.StatusNotFound:
		return "Not found"
	case http.StatusMethodNotAllowed:
		return "Not possible here"
	case http.StatusConflict:
		return "Not recorded"
	case http.StatusRequestEntityTooLarge:
		return "Too large"
	case http.StatusUnsupportedMediaType:
		return "Not a form"
	case http.StatusUnprocessableEntity:
		return "Not accepted"
	case http.StatusTooManyRequests:
		return "Too many tries"
	case http.StatusServiceUnavailable:
		return "Not available at the moment"
	}
	return "Something went wrong"
}

func textOf(status int) string {
	switch status {
	case http.StatusNotFound:
		return "There is no such page. Check the address, or start from your own places."
	case http.StatusMethodNotAllowed:
		return "This address does not answer to that kind of request."
	}
	return "The request was refused."
}
