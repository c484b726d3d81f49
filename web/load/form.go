package load

import (
	"fmt"
	"net/url"
	"strings"

	"golang.org/x/net/html"
)

// formIn is what a browser would send of the form with this id, untouched.
func formIn(page, id string) (url.Values, error) {
	// Reading the whole page costs as much as the server's making it.
	at := strings.Index(page, ` id="`+id+`"`)
	if at < 0 {
		return nil, fmt.Errorf("the page has no form %q", id)
	}
	f := formReader{form: url.Values{}}
	tokens := html.NewTokenizer(strings.NewReader(page[at+strings.Index(page[at:], ">")+1:]))
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return nil, fmt.Errorf("the form %q does not end: %w", id, tokens.Err())
		case html.StartTagToken, html.SelfClosingTagToken:
			switch name, _ := tokens.TagName(); string(name) {
			case "input", "select", "option", "textarea":
				f.begin(string(name), attributes(tokens))
			}
		case html.TextToken:
			if f.text != "" {
				f.form.Add(f.text, string(tokens.Text()))
				f.text = ""
			}
		case html.EndTagToken:
			name, _ := tokens.TagName()
			if string(name) == "form" {
				return f.form, nil
			}
			f.end(string(name))
		}
	}
}

// attributes are those of the tag that was just read.
func attributes(tokens *html.Tokenizer) map[string]string {
	all := map[string]string{}
	for more := true; more; {
		var key, value []byte
		key, value, more = tokens.TagAttr()
		all[string(key)] = string(value)
	}
	return all
}

type formReader struct {
	form url.Values
	// The list or text that is open, and the option that a browser would choose.
	list, text string
	chosen     string
	some       bool
}

func (f *formReader) begin(tag string, attr map[string]string) {
	name, has := attr["name"], func(key string) bool { _, there := attr[key]; return there }
	switch tag {
	case "input":
		switch attr["type"] {
		case "submit", "button", "reset", "file", "image":
			return
		case "checkbox", "radio":
			if !has("checked") {
				return
			}
		}
		if name != "" && !has("disabled") {
			f.form.Add(name, attr["value"])
		}
	case "select":
		f.list, f.some = name, false
	case "option":
		if !f.some || has("selected") {
			f.chosen, f.some = attr["value"], true
		}
	case "textarea":
		f.text = name
	}
}

func (f *formReader) end(tag string) {
	switch {
	case tag == "select" && f.list != "" && f.some:
		f.form.Add(f.list, f.chosen)
		f.list = ""
	case tag == "textarea" && f.text != "": // an empty one
		f.form.Add(f.text, "")
		f.text = ""
	}
}
