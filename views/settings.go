package views

import (
	"time"

	"raseed/store/fees"
	"raseed/views/ui"
)

// Settings are the facts of an institute and the closing of its books.
type Settings struct {
	Facts    []Fact
	Formats  []SettingsFormat
	ClosedTo string
	Alert    *ui.AlertView // why the books were not closed
	To       ui.FieldView
	Sure     bool   // the box is ticked
	SureWhy  string // what is wrong with it
}

// SettingsFormat is the number format of a series.
type SettingsFormat struct{ Series, Format, Example string }

// SettingsOf is the page with the form as typed.
func SettingsOf(inst fees.Institute, today fees.Date, t Typed) Settings {
	v := Settings{
		Facts: []Fact{
			{"Name", inst.Name},
			{"Code", inst.Code},
			{"Address", inst.Address},
			{"Currency", inst.Currency},
			{"Time zone", inst.TimeZone},
			{"Financial year", "from 1 " + time.Month(inst.FYStart).String() + ", now " + inst.FY(today)},
		},
		ClosedTo: Day(inst.ClosedTo),
		To: ui.FieldView{
			Name: "to", Label: "Close up to and including", Type: "date", Value: t.Value("to"), Error: t.Problem("to"), Required: true, Autocomplete: "off",
		},
		Sure:    t.Value("sure") != "",
		SureWhy: t.Problem("sure"),
	}
	for _, series := range fees.AllSeries() {
		row := SettingsFormat{Series: seriesName(series), Format: inst.Formats.Of(series)}
		if format, wrong := inst.Format(series); wrong == nil {
			row.Example = format.Example(inst.FY(today))
		}
		v.Formats = append(v.Formats, row)
	}
	return v
}
