package print

import (
	"math"
	"strconv"
)

// A roll is cut where the page ends, and style sheets know no page that is as long
// as what is on it, so there is a page for each of these lengths. What is longer
// goes on on another.
const (
	rollStep = 20 // mm
	rollMin  = 100
	rollMax  = 1500
)

// rollClass is the class of a sheet on a roll that is so long, in points, without
// its margins: "roll-140" for one of 140 mm.
func rollClass(length float64) string {
	const margins = 8
	steps := math.Ceil((length/MM + margins) / rollStep)
	return "roll-" + strconv.Itoa(min(max(int(steps)*rollStep, rollMin), rollMax))
}

// sheetClass says how the sheet is set.
func sheetClass(r Receipt, f Format) string {
	switch {
	case f == Thermal:
		return rollClass(r.length(f, f.Setting(false)))
	case r.Dense(f):
		return "dense"
	}
	return ""
}
