package pdf

import (
	"raseed/store/fees"
	"raseed/views/print"
	"raseed/views/qr"
)

// mm is a millimetre in points.
const mm = 72 / 25.4

// Receipt is the receipt as a PDF file of the format: what print.Sheet is on
// paper. logo is its institute's, nil for none.
func (f *Fonts) Receipt(r print.Receipt, format print.Format, logo *fees.Logo) ([]byte, error) {
	d := newDocument(print.NumberOf(r)+" "+r.Title, f)
	s := sheet{Receipt: r, d: d, size: 10, air: 3, columns: 2, roll: format == print.Thermal}
	s.code, _ = qr.Of(r.Verify)
	if s.dense() {
		s.size, s.air = 8, 1
	}
	if logo != nil {
		if err := s.useLogo(*logo); err != nil {
			return nil, err
		}
	}
	switch format {
	case print.A4:
		s.size = 11
		if r.Dense() {
			s.size = 10
		}
		s.flow(newColumn(d, 210*mm, 297*mm, 16*mm, 16*mm), 178*mm)
	case print.Thermal:
		s.size, s.columns = 9, 1
		s.onRoll()
	case print.A5:
		const half = 297 * mm / 2
		margin := 10.0 * mm
		if r.Dense() {
			margin = 8 * mm
		}
		for i, copy := range format.Copies() {
			s.copy = copy
			s.flow(newColumn(d, 297*mm, 210*mm, float64(i)*half+margin, margin), half-2*margin)
		}
		for _, p := range d.pages {
			p.dashed(half)
		}
	}
	return d.bytes()
}

// onRoll makes the page as long as what is on it.
func (s *sheet) onRoll() {
	const endless = 5000 * mm // no receipt comes near it
	c := newColumn(s.d, 80*mm, endless, 4*mm, 4*mm)
	s.flow(c, 72*mm)
	c.page().shorten(c.y - 4*mm)
}
