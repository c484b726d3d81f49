package views

import (
	"encoding/json"
	"net/url"
	"strconv"
	"time"

	"raseed/store/fees"
	"raseed/views/ui"
)

// Hold is what a counter shows of who collects from its student, and how it
// keeps them. It is a part of its own, so that it changes beside the form.
type Hold struct {
	Page  string // address of the page; below it the hold is kept and given back
	Token string // this page's; "" where somebody else has the student
	Since string // when the other opened theirs, in Unix milliseconds; "" where nobody has
	Until string // when it is free at the latest, as the notice says; in Unix milliseconds, "" where nobody has it
	Every string // how often the page asks, "" for no more
	Alert *ui.AlertView
	Links []Link
}

// HoldKept is a student that this page holds. One that was taken from another
// page of the same person says so, unless from is zero.
func HoldKept(inst fees.Institute, page, token string, from time.Time) Hold {
	h := Hold{Page: page, Token: token, Every: strconv.Itoa(int(fees.HoldRenewal.Seconds())) + "s"}
	if !from.IsZero() {
		h.Alert = &ui.AlertView{
			Kind: "info", Title: "You opened this already at " + clock(inst, from),
			Text: "That page no longer collects, this one does. See that it is not paid twice.",
		}
	}
	return h
}

// HoldOfOther is a student from whom somebody else collects; name is the
// student's. Those who look are told when it is over.
func HoldOfOther(inst fees.Institute, page, name string, other fees.Hold) Hold {
	return Hold{
		Page: page, Since: millis(other.Since), Until: millis(other.Latest()), Every: "5s",
		Alert: &ui.AlertView{
			Kind: "warning", Title: other.Name + " has been collecting from " + name + " since " + clock(inst, other.Since),
			Text: "You can look at what is due. To collect, wait until they have finished: this notice then says so. " + freeBy(inst, other),
		},
		Links: []Link{{Href: page, Text: "Look again"}},
	}
}

// HoldInTheWay is HoldOfOther for a payment that was sent meanwhile.
func HoldInTheWay(inst fees.Institute, page, name string, other fees.Hold) Hold {
	h := HoldOfOther(inst, page, name, other)
	h.Alert.Text = "Nothing was recorded. What you typed is kept: wait until they have finished, see what is due then, and press Record payment again. " + freeBy(inst, other)
	return h
}

// HoldFree is a student from whom somebody else collected until now.
func HoldFree(page string) Hold {
	return Hold{
		Page: page,
		Alert: &ui.AlertView{
			Kind: "success", Title: "The other counter has finished",
			Text: "What is due may have changed since this page was opened.",
		},
		Links: []Link{{Href: page, Text: "Collect now"}},
	}
}

// HoldLost is a student whom this page held until the hold ran out and somebody
// else, or another page of the same person, opened them.
func HoldLost(inst fees.Institute, page string, other fees.Hold, login string) Hold {
	alert := ui.AlertView{
		Kind: "warning", Title: other.Name + " has been collecting here since " + clock(inst, other.Since),
		Text: "Your hold had run out. Money that you were given already can still be recorded; what is no longer due is kept as an advance.",
	}
	if other.Holder == login {
		alert.Title = "You opened this in another page at " + clock(inst, other.Since)
		alert.Text = "That page collects now. See that it is not paid twice."
	}
	return Hold{Page: page, Alert: &alert, Links: []Link{{Href: page, Text: "Look at the dues again"}}}
}

// OtherPageOpen asks somebody who sent a form while another page of theirs holds
// the student.
func OtherPageOpen(inst fees.Institute, other fees.Hold) *Notice {
	return askAgain("You opened this in another page at " + clock(inst, other.Since))
}

// OtherPagePaid asks somebody who sent a form after they recorded a payment of the
// same student from another page.
func OtherPagePaid(inst fees.Institute, row fees.Row) *Notice {
	n := askAgain("You recorded " + Money(moneyOf(inst, row), row.Total) + " from " + row.StudentName + " at " + clock(inst, row.RecordedAt) + ", after this page was opened")
	n.Links = []Link{{Href: ReceiptHref(row.ShortID()), Text: "Receipt " + NumberOr(row.NumberText)}}
	return n
}

func askAgain(title string) *Notice {
	return &Notice{Alert: ui.AlertView{
		Kind: "warning", Title: title,
		Text: "Nothing was recorded from this page yet. See what is due now: only if this is another payment, press Record payment again.",
	}}
}

// vals is what the page sends when it asks, for htmx.
func (h Hold) vals() string {
	text, err := json.Marshal(map[string]string{"hold": h.Token, "since": h.Since, "until": h.Until})
	if err != nil {
		panic(err) // strings always encode
	}
	return string(text)
}

// WithHold is the address of a counter's page for a link on a page that has the
// students with that token: then the one takes over from the other in silence.
func WithHold(page, token string) string {
	if token == "" {
		return page
	}
	return page + "?" + url.Values{"hold": {token}}.Encode()
}

// freeBy says until when a student is kept by a page that was left.
func freeBy(inst fees.Institute, other fees.Hold) string {
	return "If nobody goes on there, it is free by " + clock(inst, other.Latest()) + " at the latest."
}

func millis(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) }

// SameHold says whether a page that sent since and until has been told of h, and
// h does not last longer than it was told.
func SameHold(h fees.Hold, since, until string) bool {
	told, err := strconv.ParseInt(until, 10, 64)
	return millis(h.Since) == since && (err != nil || h.ExpiresAt.UnixMilli() <= told)
}

// idle is for how long a page renews its hold when nobody works at it, in
// milliseconds.
func idle() string { return strconv.FormatInt(fees.HoldIdle.Milliseconds(), 10) }

// clock is a time of day at the institute.
func clock(inst fees.Institute, t time.Time) string { return t.In(inst.Location()).Format("15:04") }
