package views

import (
	"net/url"
	"slices"
	"strconv"

	"raseed/store/fees"
	"raseed/views/print"
)

// LogoHref is where a logo is, "" for none.
func LogoHref(hash string) string {
	if hash == "" {
		return ""
	}
	return "/logo/" + hash
}

// VerifyHref is where anybody can ask whether the paper with this code is
// genuine.
func VerifyHref(code string) string { return "/verify/" + url.PathEscape(code) }

// DuplicateOf is what the paper of a print says of its not being the first, ""
// on the first. All duplicates are the same; the log tells them apart.
func DuplicateOf(inst fees.Institute, p fees.Print) string {
	if p.N <= 1 {
		return ""
	}
	return "DUPLICATE, first printed " + Moment(inst, p.First)
}

// PrintLine is a print of a receipt as its log shows it.
type PrintLine struct{ N, At, By, Format string }

// PrintLinesOf is the log of a receipt's prints, the latest first.
func PrintLinesOf(inst fees.Institute, log fees.Prints) []PrintLine {
	all := log.All()
	lines := make([]PrintLine, 0, len(all))
	for i := len(all) - 1; i >= 0; i-- {
		p := all[i]
		lines = append(lines, PrintLine{N: strconv.FormatInt(p.N, 10), At: Moment(inst, p.At), By: p.Name, Format: formatTitle(p.Format)})
	}
	return lines
}

// formatTitle is what people call a format in the log of prints.
func formatTitle(format string) string {
	const file = " pdf"
	if n := len(format) - len(file); n > 0 && format[n:] == file {
		return print.Format(format[:n]).Title() + ", PDF"
	}
	return print.Format(format).Title()
}

// last4 are the last digits of a card as paper shows them, after the word card.
func last4(digits string) string {
	if digits == "" {
		return ""
	}
	return "ending " + digits
}

// printLinks lead to the paper of a page, first in the format that the counter
// uses.
func printLinks(page string, first print.Format) []Link {
	var links []Link
	for _, f := range print.Formats() {
		link := Link{Href: page + "/print?format=" + string(f), Text: f.Title()}
		if f == first {
			links = slices.Insert(links, 0, link)
		} else {
			links = append(links, link)
		}
	}
	return links
}

// Paid is what the ways of payment of a row are headed by.
type Paid struct{ How, By string }

func paidOf(row fees.Row) Paid {
	switch row.Kind {
	case fees.KindRefund:
		return Paid{How: "How it was given back", By: "Given back by"}
	case fees.KindReversal:
		return Paid{How: "How it had been paid", By: "Had been paid by"}
	}
	return Paid{How: "How it was paid", By: "Paid by"}
}
