package views

import (
	"time"

	"github.com/a-h/templ"

	"raseed/store/fees"
	"raseed/views/ui"
)

// Settings are the facts of an institute, what of them may be changed, and the
// closing of its books.
type Settings struct {
	Saved         *ui.AlertView
	NotNamed      *ui.AlertView // why the name and address were not saved
	Name, Address ui.FieldView
	NotSet        *ui.AlertView // why the rest of the receipts was not saved
	Footer, UPI   ui.FieldView
	NotPictured   *ui.AlertView // why the logo was not changed
	Logo          string        // where it is, "" for none
	LogoWhy       string        // what is wrong with the picture that was sent
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
func SettingsOf(inst fees.Institute, today fees.Date, naming, receipts, closing Typed) Settings {
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
		Address: addressField(naming.Value("address"), naming.Problem("address")),
		Footer: ui.FieldView{
			Name: "footer", Label: "Last line of receipts", Value: receipts.Value("footer"), Error: receipts.Problem("footer"), Autocomplete: "off",
			Hint: "May stay empty; at most 200 characters.",
		},
		UPI: ui.FieldView{
			Name: "upi", Label: "UPI address that payers pay to", Value: receipts.Value("upi"), Error: receipts.Problem("upi"), Autocomplete: "off",
			Hint:  fees.UPIHint + ". The counter then shows a code to scan. May stay empty.",
			Attrs: templ.Attributes{"spellcheck": "false", "autocapitalize": "none"},
		},
		Logo:     LogoHref(inst.Logo),
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
