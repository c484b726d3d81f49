package views

import (
	"strconv"
	"strings"
	"time"

	"raseed/store/fees"
	"raseed/views/ui"
)

// Count is a number of things, ungrouped: it is also what a program reads.
func Count(n int64) string { return strconv.FormatInt(n, 10) }

// Plural is a number of things with their name: "1 bill", "412 bills".
func Plural(n int64, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return Count(n) + " " + one + "s"
}

// Moment is an instant on an institute's clock, "30 Nov 2026, 10:12".
func Moment(inst fees.Institute, t time.Time) string {
	return t.In(inst.Location()).Format("2 Jan 2006, 15:04")
}

// ClassOf is a class with its section, "V-A".
func ClassOf(class, section string) string {
	if section == "" {
		return class
	}
	return class + "-" + section
}

// ModesOf names how a payment was handed over, each mode once.
func ModesOf(tenders []fees.Tender) string {
	var titles []string
	seen := map[fees.Mode]bool{}
	for _, t := range tenders {
		if !seen[t.Mode] {
			seen[t.Mode] = true
			titles = append(titles, t.Mode.Title())
		}
	}
	return strings.Join(titles, ", ")
}

// NumberOr is a row's number as printed, or that it has none yet.
func NumberOr(text string) string {
	if text == "" {
		return "Number pending"
	}
	return text
}

// StatusPill is a row's status in a word and a colour.
func StatusPill(s fees.Status) ui.StatusView {
	switch s {
	case fees.StatusReversed:
		return ui.StatusView{Kind: "error", Word: "Reversed"}
	case fees.StatusReversal:
		return ui.StatusView{Kind: "neutral", Word: "Reversal"}
	case fees.StatusAdjustment:
		return ui.StatusView{Kind: "neutral", Word: "Adjustment"}
	case fees.StatusRefund:
		return ui.StatusView{Kind: "neutral", Word: "Refund"}
	case fees.StatusPending:
		return ui.StatusView{Kind: "warning", Word: "Number pending"}
	}
	return ui.StatusView{Kind: "success", Word: "Issued"}
}
