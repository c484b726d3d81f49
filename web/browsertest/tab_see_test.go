package browsertest

import (
	"errors"
	"fmt"
	"strings"
)

// sees waits until something is on screen and its text contains the words.
func (p *tab) sees(what, words string) {
	p.t.Helper()
	p.until(fmt.Sprintf("“%s” says %q", what, words), func() (bool, error) {
		text, err := ask[*string](p, "text", what)
		if err != nil || text == nil {
			return false, errors.Join(err, errors.New("it is not there"))
		}
		if !strings.Contains(*text, words) {
			return false, fmt.Errorf("it says %q", *text)
		}
		return true, nil
	})
}

// text is what something on screen says; "" when it is not there.
func (p *tab) text(what string) string {
	p.t.Helper()
	p.settle()
	text := asked[*string](p, "text", what)
	if text == nil {
		return ""
	}
	return *text
}

// texts is what all that match say.
func (p *tab) texts(what string) []string {
	p.t.Helper()
	p.settle()
	return asked[[]string](p, "texts", what)
}

// has says whether something is on screen now.
func (p *tab) has(what string) bool { p.t.Helper(); return asked[bool](p, "sees", what) }

// gone waits until something is no longer on screen.
func (p *tab) gone(what string) {
	p.t.Helper()
	p.until("“"+what+"” goes away", func() (bool, error) {
		sees, err := ask[bool](p, "sees", what)
		return err == nil && !sees, err
	})
}

// value is what is in a field.
func (p *tab) value(field string) string {
	p.t.Helper()
	v := asked[*string](p, "value", field)
	if v == nil {
		p.fatalf("there is no field “%s”", field)
	}
	return *v
}

// focused waits until the focus is on the element of this id, name or text.
func (p *tab) focused(on string) {
	p.t.Helper()
	p.until("the focus is on "+on, func() (bool, error) {
		at, err := ask[string](p, "focused")
		return at == on, errors.Join(err, errors.New("it is on "+at))
	})
}

func asked[T any](p *tab, call string, args ...any) T {
	p.t.Helper()
	answer, err := ask[T](p, call, args...)
	if err != nil {
		p.fatalf("ask the page for %s(%v): %v", call, args, err)
	}
	return answer
}

// byTestID selects what a check reads.
func byTestID(id string) string { return `[data-testid="` + id + `"]` }
