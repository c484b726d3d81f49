package pdf

import "fmt"

// block is a piece of a sheet: so high, with its first line of text that far
// down, drawn with its top left corner at x, y. All lengths are points, y counts
// upwards. One that no page can hold is drawn by its parts, where it has any.
type block struct {
	height, baseline float64
	draw             func(p *page, x, y float64)
	parts            []block
}

// text is a paragraph of that width.
func (d *document) text(s string, st style, width float64, to align) block {
	runes, set := d.lines(s, st, width)
	lines := make([]block, len(set))
	for i, l := range set {
		indent := 0.0
		switch to {
		case center:
			indent = (width - l.width) / 2
		case right:
			indent = width - l.width
		}
		lines[i] = block{height: st.size * lineHeight, baseline: st.size * ascent, draw: func(p *page, x, y float64) {
			d.draw(p, runes, l, st, x+max(indent, 0), y-st.size*ascent)
		}}
	}
	all := stack(lines...)
	all.baseline = st.size * ascent
	return all
}

// widthOf is how wide a text is on one line.
func (d *document) widthOf(s string, st style) float64 {
	width := 0.0
	_, set := d.lines(s, st, 1e5)
	for _, l := range set {
		width = max(width, l.width)
	}
	return width
}

// gap is white space.
func gap(height float64) block {
	return block{height: height, draw: func(*page, float64, float64) {}}
}

// rule is a line across.
func rule(width, thick, gray float64) block {
	return block{height: thick, draw: func(p *page, x, y float64) {
		fmt.Fprintf(&p.content, "%s g %s %s %s %s re f\n", num(gray), num(x), num(y-thick), num(width), num(thick))
	}}
}

// stack puts blocks one below the other, parted by the end of a page only where
// no page has room for all of them.
func stack(blocks ...block) block {
	b := block{parts: blocks}
	for i, part := range blocks {
		if i == 0 {
			b.baseline = part.baseline
		}
		b.height += part.height
	}
	b.draw = func(p *page, x, y float64) {
		for _, part := range blocks {
			part.draw(p, x, y)
			y -= part.height
		}
	}
	return b
}

// cell is a block within a row.
type cell struct {
	block
	x float64
}

// row puts blocks side by side, their first lines of text on one line.
func row(cells ...cell) block {
	b := block{}
	for _, c := range cells {
		b.baseline = max(b.baseline, c.baseline)
	}
	for _, c := range cells {
		b.height = max(b.height, b.baseline-c.baseline+c.height)
	}
	b.draw = func(p *page, x, y float64) {
		for _, c := range cells {
			c.draw(p, x+c.x, y-b.baseline+c.baseline)
		}
	}
	return b
}

// boxed frames a block, with that much air inside and a line of that thickness.
func boxed(inner block, width, air, thick float64) block {
	return block{height: inner.height + 2*air, baseline: inner.baseline + air, draw: func(p *page, x, y float64) {
		fmt.Fprintf(&p.content, "0 G %s w %s %s %s %s re S\n", num(thick),
			num(x+thick/2), num(y-inner.height-2*air+thick/2), num(width-thick), num(inner.height+2*air-thick))
		inner.draw(p, x+air, y-air)
	}}
}
