// Package views holds Raseed's pages: a struct per page that carries exactly
// what the screen shows, already formatted, and the template that shows it.
package views

import (
	"cmp"
	"encoding/json"
)

// Frame is what surrounds a page: who is here, where, and where they may go.
type Frame struct {
	Title     string
	Lang      string // BCP 47; "" for English of nowhere in particular
	Institute string // its name
	FY        string // label of the current financial year
	User      string // name of who is logged in
	Login     string // theirs
	Role      string // what they do at the school
	Nav       []NavItem
	Search    string // where the search in the top bar asks; "" leaves it out
	SearchFor string // what it finds there
	Public    bool   // nobody is logged in: no rail, no top bar
}

func (f Frame) lang() string { return cmp.Or(f.Lang, "en") }

// headers are what every htmx request of the page carries: whose page it is,
// should their session have run out.
func (f Frame) headers() string {
	text, err := json.Marshal(map[string]string{PageOf: f.Login})
	if err != nil {
		panic(err) // strings always encode
	}
	return string(text)
}

// PageOf is the request header that says whose page an htmx request is from.
const PageOf = "X-Raseed-Page-Of"

// NavItem is one of the role's own places.
type NavItem struct {
	Href, Label, Icon string
	Current           bool
}

// current is the value of aria-current.
func (n NavItem) current() string {
	if n.Current {
		return "page"
	}
	return "false"
}

// htmxConfig keeps htmx within the content security policy (no eval, no style
// of its own), keeps pages with people's money out of the browser's storage,
// and lets refusals be shown, since they carry the form with what was typed.
const htmxConfig = `{"includeIndicatorStyles":false,"allowEval":false,"allowScriptTags":false,"selfRequestsOnly":true,` +
	`"historyCacheSize":0,"refreshOnHistoryMiss":true,"timeout":40000,` +
	`"responseHandling":[{"code":"204","swap":false},{"code":"[2345]..","swap":true}]}`
