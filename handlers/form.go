package handlers

import (
	"errors"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
)

// What a form may carry at most. The largest form of ours, a payment spread
// line by line, stays far below.
const (
	maxFormValues  = 500
	maxTableValues = 10_000 // a fee plan of 300 rows
	maxFieldBytes  = 4 << 10
)

// Form is what a person sent, exactly as typed, so that it can be shown again,
// together with what is wrong with it. Nothing in it is parsed or believed.
type Form struct {
	values   url.Values
	problems map[string]string
}

// ReadForm reads the body of a request: a URL-encoded or multipart form. A
// body that is no form is 400 or 415, one too large 413, one with absurdly many
// fields fees.Invalid. Text that no field takes is a problem of the form, which
// keeps as much of it as can be shown.
func ReadForm(c echo.Context) (*Form, error) { return readForm(c, maxFormValues) }

// readForm is ReadForm for a form of at most limit values.
func readForm(c echo.Context, limit int) (*Form, error) {
	r := c.Request()
	kind, _, err := mime.ParseMediaType(r.Header.Get(echo.HeaderContentType))
	if err != nil && r.ContentLength != 0 {
		return nil, echo.NewHTTPError(http.StatusUnsupportedMediaType, "What was sent is not a form.")
	}
	switch kind {
	case echo.MIMEMultipartForm:
		err = r.ParseMultipartForm(1 << 20)
	case echo.MIMEApplicationForm, "":
		err = r.ParseForm()
	default:
		return nil, echo.NewHTTPError(http.StatusUnsupportedMediaType, "What was sent is not a form.")
	}
	if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
		return nil, echo.NewHTTPError(http.StatusRequestEntityTooLarge, "What was sent is too large.").SetInternal(err)
	}
	if err != nil {
		return nil, echo.NewHTTPError(http.StatusBadRequest, "What was sent is not a well-formed form.").SetInternal(err)
	}
	if r.MultipartForm != nil && len(r.MultipartForm.File) > 0 {
		return nil, echo.NewHTTPError(http.StatusUnsupportedMediaType, "This form takes no files.")
	}
	form, err := newForm(r.PostForm, limit)
	if err != nil {
		return nil, err
	}
	c.Set(formKey, form)
	return form, nil
}

// formKey is where the request's form is kept once it was read.
const formKey = "raseed.form"

// ReadQuery reads the query of a request. Text that no field takes is
// fees.Invalid: nobody typed it into a form that could be shown again.
func ReadQuery(c echo.Context) (*Form, error) {
	values, err := url.ParseQuery(c.Request().URL.RawQuery)
	if err != nil {
		return nil, echo.NewHTTPError(http.StatusBadRequest, "The address of this page is malformed.").SetInternal(err)
	}
	form, err := newForm(values, maxFormValues)
	if err != nil {
		return nil, err
	}
	for _, reason := range form.problems {
		return nil, fees.Errorf(fees.Invalid, "The address of this page is not right. %s.", reason)
	}
	return form, nil
}

func newForm(values url.Values, limit int) (*Form, error) {
	form := &Form{values: values, problems: map[string]string{}}
	n := 0
	for name, list := range values {
		n += len(list)
		if len(name) > maxFieldBytes || !utf8.ValidString(name) {
			return nil, fees.Errorf(fees.Invalid, "A field has a name that no field here has.")
		}
		for i, v := range list {
			if len(v) > maxFieldBytes {
				form.Fail(views.FieldKey(name, i), "This is more text than any field here takes, so only its beginning was kept")
				v = v[:maxFieldBytes]
			}
			if !utf8.ValidString(v) {
				form.Fail(views.FieldKey(name, i), "Part of this is not text and was replaced by \uFFFD")
				v = strings.ToValidUTF8(v, "\uFFFD")
			}
			list[i] = v
		}
	}
	if n > limit {
		return nil, fees.Errorf(fees.Invalid, "There are more fields than any form here has.")
	}
	return form, nil
}

// Value is the text of a field that is given once; "" when it is absent. A
// field given more than once is a problem of the form: which of the two was
// meant cannot be known.
func (f *Form) Value(name string) string {
	list := f.values[name]
	if len(list) == 0 {
		return ""
	}
	if len(list) > 1 {
		f.Fail(name, "The field "+name+" was sent more than once")
	}
	// It is no row of a repeated field.
	if reason, ok := f.problems[views.FieldKey(name, 0)]; ok {
		delete(f.problems, views.FieldKey(name, 0))
		f.Fail(name, reason)
	}
	return list[0]
}

// Require fails the fields that did not come at all, where an empty one would
// take away what is there: a page of ours sends each of its fields.
func (f *Form) Require(names ...string) {
	for _, name := range names {
		if !f.values.Has(name) {
			f.Fail(name, "This came without the field "+name+", and nothing was changed. Open the page again and begin from there")
		}
	}
}

// Values are the texts of a repeated field, in the order of the form.
func (f *Form) Values(name string) []string { return f.values[name] }

// Fail notes what is wrong with a field; the first reason stays.
func (f *Form) Fail(name, reason string) {
	if _, ok := f.problems[name]; !ok {
		f.problems[name] = reason
	}
}

// FailAll notes the fields of an error.
func (f *Form) FailAll(e *fees.Error) {
	if e == nil {
		return
	}
	for name, reason := range e.Fields {
		f.Fail(name, reason)
	}
}

// Problem is what is wrong with a field, "" when nothing is.
func (f *Form) Problem(name string) string { return f.problems[name] }

// Err is the refusal of the form; nil when nothing is wrong with it.
func (f *Form) Err() *fees.Error { return f.refuses("Nothing was recorded.", nil) }

// refuses is Err with what did not happen, of a form and what is wrong with the
// order made of it. A single reason is said in the message: its field may be one
// that nobody sees.
func (f *Form) refuses(summary string, order *fees.Error) *fees.Error {
	f.FailAll(order)
	if len(f.problems) == 0 {
		return nil
	}
	text := "Correct what is marked and send it again."
	if len(f.problems) == 1 {
		for _, reason := range f.problems {
			text = strings.TrimSuffix(reason, ".") + "."
		}
	}
	return &fees.Error{Code: fees.Invalid, Message: summary + " " + text, Fields: f.problems}
}
