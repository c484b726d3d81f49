package print

// Setting is how a sheet is set. Lengths are points.
type Setting struct {
	Size          float64 // of plain text
	Air           float64 // above and below a line of the table
	Space         float64 // between the parts of what is below it
	Code          float64 // side of the code to scan
	Logo          float64 // how high a logo may be
	Width, Height float64 // of the page; a roll has no height of its own
	Margin        float64
	Text          float64 // how wide the text is
}

// MM is a millimetre in points.
const MM = 72 / 25.4

// Setting is how the format is set, as in print.css; dense says smaller, which a
// roll never is.
func (f Format) Setting(dense bool) Setting {
	s := Setting{Size: 10, Air: 3, Space: 5, Code: 20 * MM, Logo: 16 * MM, Width: 297 * MM, Height: 210 * MM, Margin: 10 * MM}
	switch f {
	case A4:
		s.Size, s.Width, s.Height, s.Margin = 11, 210*MM, 297*MM, 16*MM
	case Thermal:
		s.Size, s.Width, s.Height, s.Margin = 9, 80*MM, 0, 4*MM
	}
	if dense && f != Thermal {
		s.Air, s.Space, s.Code, s.Logo = 1, 2, 16.5*MM, 12*MM
		if f == A4 {
			s.Size = 9
		} else {
			s.Size, s.Margin = 8, 8*MM
		}
	}
	s.Text = s.Width - 2*s.Margin
	if f == A5 {
		s.Text = s.Width/2 - 2*s.Margin
	}
	return s
}

// Dense says that there is so much on the receipt that it is set smaller, to stay
// on one sheet where it can.
func (r Receipt) Dense(f Format) bool {
	if f == Thermal {
		return false
	}
	s := f.Setting(false)
	return r.length(f, s) > s.Height-2*s.Margin
}

// Long says that the receipt takes several sheets, or may.
func (r Receipt) Long(f Format) bool {
	if f == Thermal {
		return false
	}
	s := f.Setting(true)
	return r.length(f, s) > s.Height-2*s.Margin
}
