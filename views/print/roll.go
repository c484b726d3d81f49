package print

// rollClass is the class of a sheet on a roll. Printers cut a roll where the page
// ends, and style sheets know no page that is as long as what is on it, so there
// are three lengths: 200, 297 and 600 mm.
func rollClass(r Receipt) string {
	// Lines of text, where a line takes about 40 characters.
	lines := 26 + len(r.Address)/40 + len(r.Student)/24 + len(r.Guardian)/24 + len(r.Words)/34 + len(r.Remark)/40 + len(r.Footer)/40 + len(r.Reverses)/40
	for _, l := range r.Lines {
		lines += 2 + (len(l.Head)+len(l.Title))/26
	}
	for _, t := range r.Tenders {
		lines += 1 + (len(t.Mode)+len(t.Details))/26
	}
	if r.Verify != "" {
		lines += 8
	}
	if r.Logo != "" {
		lines += 5
	}
	switch {
	case lines <= 46:
		return "roll-200"
	case lines <= 70:
		return "roll-297"
	}
	return "roll-600"
}
