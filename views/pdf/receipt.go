package pdf

import (
	"raseed/store/fees"
	"raseed/views/print"
	"raseed/views/qr"
)

const mm = print.MM

// Paper is a receipt and the logo of its institute, nil for none.
type Paper struct {
	Receipt print.Receipt
	Logo    *fees.Logo
}

// Receipts are receipts as one PDF file of the format, each on pages of its own:
// what print.Sheet is on paper. The title is the file's.
func (f *Fonts) Receipts(title string, all []Paper, format print.Format) ([]byte, error) {
	d := newDocument(title, f)
	for _, paper := range all {
		if err := d.set(paper, format); err != nil {
			return nil, err
		}
	}
	return d.bytes()
}

// set sets a receipt on the pages after those that are there, smaller where that
// keeps it on one.
func (d *document) set(paper Paper, format print.Format) error {
	dense := paper.Receipt.Dense(format)
	copies, err := d.copies(paper, format, dense)
	if err == nil && copies[0].pages() > 1 && !dense {
		copies, err = d.copies(paper, format, true)
	}
	if err != nil {
		return err
	}
	first := len(d.pages)
	for _, s := range copies {
		s.draw(first, s.pageOf)
	}
	if format == print.A5 {
		for _, p := range d.pages[first:] {
			p.dashed(p.width / 2)
		}
	}
	return nil
}

// copies are the copies of a receipt, set and not yet drawn.
func (d *document) copies(paper Paper, format print.Format, dense bool) ([]*sheet, error) {
	const endless = 4800 * mm // about as long as a page of a PDF may be
	set := format.Setting(dense)
	if format == print.Thermal {
		set.Height = endless
	}
	var all []*sheet
	for i, name := range paper.Receipt.Copies(format) {
		c := newColumn(d, set.Width, set.Height, float64(i)*set.Width/2+set.Margin, set.Text, set.Margin)
		c.short = format == print.Thermal
		s := &sheet{Receipt: paper.Receipt, Setting: set, column: c, roll: c.short, copy: name}
		s.code, _ = qr.Of(paper.Receipt.Verify)
		if paper.Logo != nil {
			var err error
			if s.logo, err = d.logo(paper.Logo, set.Logo); err != nil {
				return nil, err
			}
		}
		s.flow()
		all = append(all, s)
	}
	return all, nil
}
