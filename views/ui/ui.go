// Package ui holds the pieces that every page is made of: fields, alerts,
// buttons, pills, pagers. Each piece has a view struct that carries exactly
// what it shows; none of them knows a page.
package ui

// fieldID is what label, hint and error of a field refer to. Repeated fields
// share a name, so they need an id of their own.
func fieldID(id, name string) string {
	if id != "" {
		return id
	}
	return name
}

// describedBy lists the ids of a field's hint and error, "" when it has none.
func describedBy(id, hint, problem string) string {
	switch {
	case hint != "" && problem != "":
		return id + "-hint " + id + "-error"
	case hint != "":
		return id + "-hint"
	case problem != "":
		return id + "-error"
	}
	return ""
}
