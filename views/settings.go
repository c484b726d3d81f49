package views

import (
	"time"

	"raseed/store/fees"
	"raseed/views/ui"
)

// Settings are the facts of an institute, what of them may be changed, and the
// closing of its books.
type Settings struct {
	NotNamed      *ui.AlertView // why the name and address were not saved
	Name, Address ui.FieldView
	Facts         []Fact
	Formats       []SettingsFormat
	ClosedTo      string
	NotClosed     *ui.AlertView // why the books were not closed
	To            ui.FieldView
	Sure          bool   // the box is ticked
	SureWhy       string // what is wrong with it
}

// SettingsFormat is the number format of a series.
type SettingsFormat struct{ Series, Format, Example string }

// SettingsOf is the page with the forms as typed.
func SettingsOf(inst fees.Institute, today fees.Date, naming, closing Typed) Settings {
	v := Settings{
		Facts: []Fact{
			{"Code", inst.Code},
			{"Currency", inst.Currency},
			{"Time zone", inst.TimeZone},
			{"Financial year", "from 1 " + time.Month(inst.FYStart).String() + ", now " + inst.FY(today)},
		},
		Name: ui.FieldView{
			Name: "name", Label: "Name, as printed on receipts", Value: naming.Value("name"), Error: naming.Problem("name"), Required: true, Autocomplete: "off",
		},
		Address:  addressField(naming.Value("address"), naming.Problem("address")),
		ClosedTo: Day(inst.ClosedTo),
		To: ui.FieldView{
			Name: "to", Label: "Close up to and including", Type: "date", Value: closing.Value("to"), Error: closing.Problem("to"), Required: true, Autocomplete: "off",
		},
		Sure:    closing.Value("sure") != "",
		SureWhy: closing.Problem("sure"),
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

// addressField is the institute's address. It ends up on one line.
func addressField(typed, problem string) ui.FieldView {
	return ui.FieldView{
		Name: "address", Label: "Address, as printed on receipts", Value: typed, Error: problem, Autocomplete: "off",
		Hint: "May stay empty. Lines are joined with commas; at most 200 characters.",
	}
}
