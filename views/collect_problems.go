package views

import (
	"maps"
	"slices"

	"raseed/views/ui"
)

// tellProblems sums up what is wrong with the form, in the order of the form,
// and puts the cursor where the first correction is due. What is wrong with
// something that the form does not show is told as well.
func (t *Till) tellProblems(problems map[string]string) {
	told := map[string]bool{}
	focused := false
	tell := func(id, label, problem string, focus *bool) {
		if problem == "" {
			return
		}
		told[problem] = true
		t.Problems = append(t.Problems, Link{Href: "#" + id, Text: label + ": " + problem})
		if !focused {
			*focus, focused = true, true
		}
	}
	field := func(f *ui.FieldView, label string) {
		id := f.ID
		if id == "" {
			id = f.Name
		}
		tell(id, label, f.Error, &f.Autofocus)
	}
	if t.Student != nil {
		field(t.Student, t.Student.Label)
	}
	for n := range t.Tenders {
		v := &t.Tenders[n]
		which := ""
		if t.Split {
			which = ordinal(n)
		}
		field(&v.Amount, which+"Amount")
		tell(v.Mode.ID, which+v.Mode.Label, v.Mode.Error, &v.Mode.Autofocus)
		if v.Again != nil && v.Ref.Error != "" { // the cursor goes to the answer
			tell(v.Ref.ID, which+v.Ref.Label, v.Ref.Error, &v.Again.Autofocus)
		} else {
			field(&v.Ref, which+v.Ref.Label)
		}
		field(&v.Last4, which+v.Last4.Label)
		field(&v.Bank, which+v.Bank.Label)
		field(&v.Branch, which+v.Branch.Label)
		field(&v.Date, which+v.Date.Label)
	}
	for n := range t.Lines {
		field(&t.Lines[n].Amount, t.Lines[n].Amount.Label)
	}
	field(&t.Date, "Date")
	field(&t.Remark, t.Remark.Label)
	for _, key := range slices.Sorted(maps.Keys(problems)) {
		if problem := problems[key]; !told[problem] {
			told[problem] = true
			t.Problems = append(t.Problems, Link{Text: problem})
		}
	}
	if !focused && len(t.Tenders) > 0 {
		t.Tenders[0].Amount.Autofocus = true
	}
}

// ordinal tells the ways of paying of one payment apart.
func ordinal(n int) string {
	return Count(int64(n+1)) + ". "
}
