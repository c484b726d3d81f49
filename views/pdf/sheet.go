package pdf

import (
	"fmt"
	"strings"

	"raseed/views/print"
	"raseed/views/qr"
)

// sheet is a receipt while it is set in blocks, from its top to its end.
type sheet struct {
	print.Receipt
	d       *document
	size    float64 // of plain text
	air     float64 // above and below a line of the table
	columns int     // of the facts about the payer
	roll    bool
	copy    string // which copy it is
	width   float64
	logo    *picture
	code    qr.Code // of Verify, empty for none
}

// dense says that the sheet is set smaller, which a roll never is.
func (s *sheet) dense() bool { return s.Dense() && !s.roll }

func (s *sheet) plain() style { return style{size: s.size} }
func (s *sheet) heavy() style { return style{size: s.size, bold: true} }
func (s *sheet) times(f float64, bold bool) style {
	return style{size: s.size * f, bold: bold}
}

// flow sets the sheet into a column of that width.
func (s *sheet) flow(c *column, width float64) {
	s.width = width
	if s.Reversed != "" {
		s.watermark(c, "REVERSED")
	}
	if s.Number == "" {
		s.watermark(c, "NO RECEIPT")
	}
	if s.copy != "" {
		c.add(s.d.text(s.copy, s.times(.85, false), width, right))
	}
	if s.Duplicate != "" {
		c.add(stack(s.stamp(s.Duplicate, s.heavy(), 2, .75), gap(6)))
	}
	if s.Reversed != "" {
		c.add(stack(s.stamp(s.Reversed, s.times(1.15, true), s.air*5/3, 2), gap(s.air*2+2)))
	}
	if s.Number == "" {
		c.add(stack(s.stamp("Number pending: not yet a receipt", s.times(1.15, true), s.air*5/3, 2), gap(s.air*2+2)))
	}
	c.add(s.letterhead())
	c.add(s.facts())
	c.add(s.payer())
	if s.Reverses != "" {
		c.add(stack(s.d.text(s.Reverses, s.plain(), width, left), gap(8)))
	}
	head := s.tableHead()
	c.add(head)
	for _, l := range s.Lines {
		c.add(s.line(l), head)
	}
	c.add(s.closing())
}

// stamp is a framed line.
func (s *sheet) stamp(text string, st style, air, thick float64) block {
	return boxed(s.d.text(text, st, s.width-2*air, center), s.width, air, thick)
}

// letterhead is who the receipt is from, and what it is.
func (s *sheet) letterhead() block {
	side := 0.0
	if s.logo != nil && !s.roll {
		side = s.logo.width + 8
	}
	width := s.width - side
	words := []block{s.d.text(s.Institute, s.times(1.4, true), width, center)}
	if s.Address != "" {
		words = append(words, s.d.text(s.Address, s.plain(), width, center))
	}
	words = append(words, gap(4), s.d.text(strings.ToUpper(s.Title), s.heavy(), width, center))
	all := stack(words...)
	switch {
	case s.logo != nil && s.roll:
		all = stack(s.logo.at((s.width-s.logo.width)/2), gap(4), all)
	case s.logo != nil:
		text := all
		all = block{height: max(s.logo.height, text.height), draw: func(p *page, x, y float64) {
			s.logo.at(0).draw(p, x, y)
			text.draw(p, x+side, y)
		}}
	}
	return stack(all, gap(8), rule(s.width, 1.5, 0))
}

// facts are the number and the date.
func (s *sheet) facts() block {
	number, date := print.NumberOf(s.Receipt), s.Date
	no, on := s.labelled("No.", number), s.labelled("Date", date)
	if s.roll || no.width+on.width+12 > s.width {
		return stack(gap(8), no.block, on.block, gap(6))
	}
	return stack(gap(8), row(cell{no.block, 0}, cell{on.block, s.width - on.width}), gap(6))
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
		cell{s.d.text(label, s.plain(), s.width, left), 0},
		cell{s.d.text(value, large, s.width-at, left), at},
	)}
}

// payer are the facts about who paid.
func (s *sheet) payer() block {
	const space = 12
	half := (s.width - space) / 2
	class := block{}
	rows := []block{s.fact("Student", s.Student, s.width), gap(2)}
	admission := s.fact("Adm. no.", s.AdmissionNo, half)
	if s.Class != "" {
		class = s.fact("Class", s.Class, half)
	}
	switch {
	case class.draw == nil:
		rows = append(rows, s.fact("Adm. no.", s.AdmissionNo, s.width))
	case s.columns == 1:
		rows = append(rows, s.fact("Adm. no.", s.AdmissionNo, s.width), gap(2), s.fact("Class", s.Class, s.width))
	default:
		rows = append(rows, row(cell{admission, 0}, cell{class, half + space}))
	}
	if s.Guardian != "" {
		rows = append(rows, gap(2), s.fact("Guardian", s.Guardian, s.width))
	}
	return stack(append(rows, gap(8))...)
}

// fact is a name and its value, which may take several lines.
func (s *sheet) fact(name, value string, width float64) block {
	at := s.size * 5.2
	return row(cell{s.d.text(name, s.plain(), at, left), 0}, cell{s.d.text(value, s.heavy(), width-at, left), at})
}

func (s *sheet) tableHead() block {
	amount := "Amount (" + s.Symbol + ")"
	return stack(rule(s.width, .75, 0), gap(3), s.apart("For", amount, s.heavy(), s.heavy()), gap(3), rule(s.width, .75, 0))
}

// apart is a text and, at the other end of the line, a figure that never wraps.
func (s *sheet) apart(text, figure string, st, of style) block {
	const space = 8
	width := s.d.widthOf(figure, of)
	return row(cell{s.d.text(text, st, s.width-width-space, left), 0}, cell{s.d.text(figure, of, width+1, right), s.width - width - 1})
}

// line is what money was for.
func (s *sheet) line(l print.Line) block {
	text := l.Head
	if l.Title != "" {
		text += " · " + l.Title
	}
	return stack(gap(s.air), s.apart(text, l.Amount, s.plain(), s.plain()), gap(s.air), rule(s.width, .5, .73))
}

// closing is everything below the lines. It stays on one page.
func (s *sheet) closing() block {
	wide := gap(5)
	if s.dense() {
		wide = gap(2)
	}
	blocks := []block{
		wide, s.apart("Total", s.Sum, s.heavy(), s.times(1.5, true)), wide, rule(s.width, 1.5, 0),
		wide, s.d.text(s.Words, s.plain(), s.width, left), wide,
	}
	for _, t := range s.Tenders {
		text := t.Mode
		if t.Details != "" {
			text += "  " + t.Details
		}
		blocks = append(blocks, gap(s.air*2/3), s.apart(text, t.Amount, s.plain(), s.plain()), gap(s.air*2/3))
	}
	blocks = append(blocks, rule(s.width, .5, .73), gap(2), s.apart("Balance after this", s.BalanceAfter, s.plain(), s.plain()), gap(2))
	if s.Remark != "" {
		blocks = append(blocks, gap(3), s.d.text(s.Remark, s.plain(), s.width, left), gap(3))
	}
	blocks = append(blocks, wide, wide, s.foot())
	if s.Footer != "" {
		blocks = append(blocks, wide, rule(s.width, .5, .73), wide, s.d.text(s.Footer, s.times(.9, false), s.width, center))
	}
	return stack(blocks...)
}

// foot is who took the money, the code to check it by, and a line to sign on.
func (s *sheet) foot() block {
	small := s.times(.9, false)
	const space = 10.0
	side := 20.0 * mm
	if s.dense() {
		side = 16.5 * mm
	}
	ok := s.code.Size > 0
	start := 0.0
	if ok {
		start = side + space
	}
	sign := s.width * .34
	words := s.width - start - sign - space
	if s.roll {
		sign, words = s.width, s.width-start
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
			line.draw(p, x+s.width-sign, y-high+line.height)
		}
	}}
	if s.roll {
		return stack(left, gap(26), line)
	}
	return left
}

// watermark is a word across the page, behind everything.
func (s *sheet) watermark(c *column, word string) {
	large := style{size: s.size * 4.4, bold: true, gray: .87}
	if s.roll {
		large.size = s.size * 2.4
	}
	runes, set := s.d.lines(word, large, 1e5)
	if len(set) == 0 {
		return
	}
	p := c.page()
	// Turned by 24 degrees about the middle of the column.
	x, y := c.left+s.width/2, c.y-min(c.y, 210*mm)*.45
	if s.roll {
		y = c.y - 60*mm
	}
	fmt.Fprintf(&p.content, "q .914 .407 -.407 .914 %s %s cm\n", num(x), num(y))
	s.d.draw(p, runes, set[0], large, -set[0].width/2, 0)
	p.content.WriteString("Q\n")
}
