package pdf

import (
	"fmt"
	"strings"

	"raseed/views/print"
	"raseed/views/qr"
)

// sheet is one copy of a receipt while it is set in blocks, from its top to its
// end.
type sheet struct {
	print.Receipt
	print.Setting
	*column
	roll bool
	copy string // which copy it is
	logo *picture
	code qr.Code // of Verify, empty for none
}

func (s *sheet) plain() style { return style{size: s.Size} }
func (s *sheet) heavy() style { return style{size: s.Size, bold: true} }
func (s *sheet) times(f float64, bold bool) style {
	return style{size: s.Size * f, bold: bold}
}

// flow sets the sheet into its column.
func (s *sheet) flow() {
	switch {
	case s.Reversed != "":
		s.behind = s.watermark("REVERSED", s.across(), s.middle())
	case s.Number == "":
		s.behind = s.watermark("NO RECEIPT", s.across(), s.middle())
	}
	strip := s.strip()
	s.add(s.letterhead())
	s.add(strip)
	s.head = strip
	if s.Guardian != "" {
		s.add(stack(s.fact("Guardian", s.Guardian, s.Text), gap(8)))
	}
	if s.Reverses != "" {
		s.add(stack(s.d.text(s.Reverses, s.plain(), s.Text, left), gap(8)))
	}
	head := s.tableHead()
	s.add(head)
	last := max(len(s.Lines)-1, 0)
	for _, l := range s.Lines[:last] {
		s.add(s.line(l), head)
	}
	end := make([]block, 0, 2)
	for _, l := range s.Lines[last:] {
		end = append(end, s.line(l))
	}
	s.add(stack(append(end, s.total())...), head) // never parted
	s.add(stack(gap(s.Space), s.d.text(s.Words, s.plain(), s.Text, left), gap(s.Space)))
	for _, t := range s.Tenders {
		s.add(s.tender(t))
	}
	s.add(s.closing())
}

// pageOf says which of its pages this is.
func (s *sheet) pageOf(n, of int) block {
	return s.d.text(fmt.Sprintf("%s, page %d of %d", print.NumberOf(s.Receipt), n, of), style{size: 7, gray: .2}, s.Text, right)
}

// strip is what each page of the sheet is known by.
func (s *sheet) strip() block {
	blocks := []block{gap(4)}
	if s.copy != "" {
		blocks = []block{s.d.text(s.copy, s.times(.85, false), s.Text, right)}
	}
	blocks = append(blocks, s.facts(), s.payer())
	if s.Duplicate != "" {
		blocks = append(blocks, s.stamp(s.Duplicate, s.heavy(), 2, .75), gap(6))
	}
	if s.Reversed != "" {
		blocks = append(blocks, s.stamp(s.Reversed, s.times(1.15, true), s.Air*5/3, 2), gap(s.Air*2+2))
	}
	if s.Number == "" {
		blocks = append(blocks, s.stamp("Number pending: not yet a receipt", s.times(1.15, true), s.Air*5/3, 2), gap(s.Air*2+2))
	}
	return stack(blocks...)
}

// stamp is a framed line.
func (s *sheet) stamp(text string, st style, air, thick float64) block {
	return boxed(s.d.text(text, st, s.Text-2*air, center), s.Text, air, thick)
}

// letterhead is who the receipt is from, and what it is.
func (s *sheet) letterhead() block {
	side := 0.0
	if s.logo != nil && !s.roll {
		side = s.logo.width + 8
	}
	width := s.Text - side
	words := []block{s.d.text(s.Institute, s.times(1.4, true), width, center)}
	if s.Address != "" {
		words = append(words, s.d.text(s.Address, s.plain(), width, center))
	}
	words = append(words, gap(4), s.d.text(strings.ToUpper(s.Title), s.heavy(), width, center))
	all := stack(words...)
	switch {
	case s.logo != nil && s.roll:
		all = stack(s.logo.at((s.Text-s.logo.width)/2), gap(4), all)
	case s.logo != nil:
		text := all
		all = block{height: max(s.logo.height, text.height), draw: func(p *page, x, y float64) {
			s.logo.at(0).draw(p, x, y)
			text.draw(p, x+side, y)
		}}
	}
	return stack(all, gap(8), rule(s.Text, 1.5, 0))
}

// facts are the number and the date.
func (s *sheet) facts() block {
	number, date := print.NumberOf(s.Receipt), s.Date
	no, on := s.labelled("No.", number), s.labelled("Date", date)
	if s.roll || no.width+on.width+12 > s.Text {
		return stack(gap(8), no.block, on.block, gap(6))
	}
	return stack(gap(8), row(cell{no.block, 0}, cell{on.block, s.Text - on.width}), gap(6))
}

type labelled struct {
	block
	width float64
}

// labelled is a small word and what it names, large, on one line.
func (s *sheet) labelled(label, value string) labelled {
	large := s.times(1.35, true)
	at := s.d.widthOf(label, s.plain()) + 4
	width := at + s.d.widthOf(value, large)
	return labelled{width: width, block: row(
		cell{s.d.text(label, s.plain(), s.Text, left), 0},
		cell{s.d.text(value, large, s.Text-at, left), at},
	)}
}

// payer are the facts about who paid.
func (s *sheet) payer() block {
	const space = 12
	half := (s.Text - space) / 2
	class := block{}
	rows := []block{s.fact("Student", s.Student, s.Text), gap(2)}
	admission := s.fact("Adm. no.", s.AdmissionNo, half)
	if s.Class != "" {
		class = s.fact("Class", s.Class, half)
	}
	switch {
	case class.draw == nil:
		rows = append(rows, s.fact("Adm. no.", s.AdmissionNo, s.Text))
	case s.roll:
		rows = append(rows, s.fact("Adm. no.", s.AdmissionNo, s.Text), gap(2), s.fact("Class", s.Class, s.Text))
	default:
		rows = append(rows, row(cell{admission, 0}, cell{class, half + space}))
	}
	return stack(append(rows, gap(8))...)
}

// fact is a name and its value, which may take several lines.
func (s *sheet) fact(name, value string, width float64) block {
	at := s.Size * 5.2
	return row(cell{s.d.text(name, s.plain(), at, left), 0}, cell{s.d.text(value, s.heavy(), width-at, left), at})
}

func (s *sheet) tableHead() block {
	amount := "Amount (" + s.Symbol + ")"
	return stack(rule(s.Text, .75, 0), gap(3), s.apart("For", amount, s.heavy(), s.heavy()), gap(3), rule(s.Text, .75, 0))
}

// apart is a text and, at the other end of the line, a figure that never wraps,
// or, where that leaves the text too little room, below it.
func (s *sheet) apart(text, figure string, st, of style) block {
	const space = 8
	width := s.d.widthOf(figure, of)
	if width > s.Text {
		of.size *= (s.Text - 1) / width
		width = s.Text - 1
	}
	room := s.Text - width - space
	if room < s.Text/4 && room < s.d.widthOf(text, st) {
		return stack(s.d.text(text, st, s.Text, left), s.d.text(figure, of, s.Text, right))
	}
	return row(cell{s.d.text(text, st, room, left), 0}, cell{s.d.text(figure, of, width+1, right), s.Text - width - 1})
}

// line is what money was for.
func (s *sheet) line(l print.Line) block {
	text := l.Head
	if l.Title != "" {
		text += " · " + l.Title
	}
	return stack(gap(s.Air), s.apart(text, l.Amount, s.plain(), s.plain()), gap(s.Air), rule(s.Text, .5, .73))
}

// total is the last line of the table.
func (s *sheet) total() block {
	return stack(gap(s.Space), s.apart("Total", s.Sum, s.heavy(), s.times(1.5, true)), gap(s.Space), rule(s.Text, 1.5, 0))
}

// tender is how money was handed over.
func (s *sheet) tender(t print.Tender) block {
	text := t.Mode
	if t.Details != "" {
		text += "  " + t.Details
	}
	return stack(gap(s.Air*2/3), s.apart(text, t.Amount, s.plain(), s.plain()), gap(s.Air*2/3))
}

// closing is what the sheet ends with, on one page.
func (s *sheet) closing() block {
	wide := gap(s.Space)
	blocks := []block{rule(s.Text, .5, .73), gap(2), s.apart("Balance after this", s.BalanceAfter, s.plain(), s.plain()), gap(2)}
	for _, said := range []string{s.Note, s.Remark} {
		if said != "" {
			blocks = append(blocks, gap(3), s.d.text(said, s.plain(), s.Text, left), gap(3))
		}
	}
	blocks = append(blocks, wide, wide, s.foot())
	if s.Footer != "" {
		blocks = append(blocks, wide, rule(s.Text, .5, .73), wide, s.d.text(s.Footer, s.times(.9, false), s.Text, center))
	}
	return stack(blocks...)
}

// foot is who took the money, the code to check it by, and a line to sign on.
func (s *sheet) foot() block {
	small := s.times(.9, false)
	const space = 10.0
	side := s.Code
	ok := s.code.Size > 0
	start := 0.0
	if ok {
		start = side + space
	}
	sign := s.Text * .34
	words := s.Text - start - sign - space
	if s.roll {
		sign, words = s.Text, s.Text-start
	}
	by := []block{s.d.text(s.By+" "+s.Cashier+", "+s.RecordedAt, small, words, left)}
	if ok {
		by = append(by, s.d.text("Scan to verify", style{size: small.size, gray: .2}, words, left))
	}
	said := stack(by...)
	line := stack(rule(sign, .75, 0), gap(2), s.d.text(s.Sign, small, sign, center))
	high := max(said.height, line.height+20)
	if ok {
		high = max(high, side)
	}
	left := block{height: high, draw: func(p *page, x, y float64) {
		if ok {
			p.qr(s.code, x, y-high, side)
		}
		said.draw(p, x+start, y-high+said.height)
		if !s.roll {
			line.draw(p, x+s.Text-sign, y-high+line.height)
		}
	}}
	if s.roll {
		return stack(left, gap(26), line)
	}
	return left
}

// across is how a word across the sheet is set.
func (s *sheet) across() style {
	large := style{size: s.Size * 4.4, bold: true, gray: .87}
	if s.roll {
		large.size = s.Size * 2.4
	}
	return large
}

// middle is how far down that word stands.
func (s *sheet) middle() float64 {
	if s.roll {
		return 64 * mm
	}
	return min(s.Height*.45, 105*mm)
}
