package pdf

import "fmt"

// column is where blocks flow from the top of a page to its bottom, and on to
// the next page. They are drawn once all are placed, as only then it is known how
// many pages there are.
type column struct {
	d             *document
	width, height float64 // of the pages
	left, inner   float64 // where the text begins, and how wide it is
	margin        float64 // above and below
	short         bool    // a page ends where what is on it does
	head          block   // what every page but the first begins with
	behind        func(p *page)
	placed        []placed
	ends          []float64 // how far down each page goes
}

// placed is a block on its page.
type placed struct {
	block
	page int
	y    float64
}

func newColumn(d *document, width, height, left, inner, margin float64) *column {
	return &column{d: d, width: width, height: height, left: left, inner: inner, margin: margin, ends: []float64{height - margin}}
}

// pages is how many pages the column takes so far.
func (c *column) pages() int { return len(c.ends) }

// add puts a block below what is there, on the next page, under again, where it
// does not fit. A block that is too much for any page goes on from page to page.
func (c *column) add(b block, again ...block) {
	const rounding = 1e-6
	last := len(c.ends) - 1
	if b.height > c.ends[last]-c.margin+rounding {
		top := stack(again...)
		if len(b.parts) > 1 && b.height > c.height-2*c.margin-c.head.height-top.height {
			for _, part := range b.parts {
				c.add(part, again...)
			}
			return
		}
		c.ends = append(c.ends, c.height-c.margin)
		c.place(c.head)
		c.place(top)
	}
	c.place(b)
}

// place puts a block below what is on the last page.
func (c *column) place(b block) {
	if b.draw == nil {
		return
	}
	last := len(c.ends) - 1
	c.placed = append(c.placed, placed{block: b, page: last, y: c.ends[last]})
	c.ends[last] -= b.height
}

// draw draws what was placed, on the document's pages from first on. Where it is
// more than a page, each says which one it is in its lower margin: page is its
// words.
func (c *column) draw(first int, page func(n, of int) block) {
	for n := range c.ends {
		p := c.d.page(first+n, c.width, c.height)
		words, at := block{}, c.margin/2
		if c.pages() > 1 {
			words = page(n+1, c.pages())
			at += words.height / 2
		}
		if c.short {
			p.below = c.ends[n] - c.margin - words.height
			at = c.margin + words.height
		}
		if c.behind != nil {
			c.behind(p)
		}
		if words.draw != nil {
			words.draw(p, c.left, p.below+at)
		}
	}
	for _, b := range c.placed {
		b.draw(c.d.page(first+b.page, c.width, c.height), c.left, b.y)
	}
}

// watermark is a word across the column of a page, behind everything, its middle
// that far from the top.
func (c *column) watermark(word string, large style, down float64) func(p *page) {
	runes, set := c.d.lines(word, large, 1e5)
	return func(p *page) {
		// Turned by 24 degrees about the middle of the column.
		fmt.Fprintf(&p.content, "q .914 .407 -.407 .914 %s %s cm\n", num(c.left+c.inner/2), num(c.height-down))
		c.d.draw(p, runes, set[0], large, -set[0].width/2, 0)
		p.content.WriteString("Q\n")
	}
}
