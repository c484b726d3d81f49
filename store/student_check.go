package store

import (
	"strings"

	"raseed/store/fees"
)

// studentCheck brings a student that was typed or imported into its normal
// form and says what is wrong with it, by the names that CSV columns and form
// fields share. The opening balance is the caller's to read.
func studentCheck(st *fees.Student) map[string]string {
	wrong := map[string]string{}
	no, bad := fees.NormalAdmissionNo(st.AdmissionNo)
	if bad != nil {
		wrong["admission_no"] = bad.Message
	}
	st.AdmissionNo = no
	st.ID = fees.Key(st.Institute, no)
	for _, text := range []struct {
		field    string
		value    *string
		most     int // characters
		required bool
	}{
		{"name", &st.Name, 120, true},
		{"class", &st.Class, 32, true},
		{"section", &st.Section, 32, false},
		{"category", &st.Category, 32, true},
		{"family", &st.Family, 32, false},
		{"guardian", &st.Guardian, 120, false},
		{"phone", &st.Phone, 40, false},
		{"email", &st.Email, 254, false},
	} {
		clean, bad := fees.CleanText(*text.value, text.most)
		switch {
		case bad != nil:
			wrong[text.field] = bad.Message
		case clean == "" && text.required:
			wrong[text.field] = "Enter the " + text.field
		}
		*text.value = clean
	}
	st.Category = strings.ToLower(st.Category)
	for field, value := range map[string]string{"class": st.Class, "category": st.Category} {
		if reason := planWord(value); reason != "" {
			wrong[field] = reason
		}
	}
	if before, after, _ := strings.Cut(st.Email, "@"); st.Email != "" && (before == "" || after == "" || strings.ContainsAny(st.Email, " ,;")) {
		wrong["email"] = "This is no e-mail address"
	}
	switch st.Status = fees.StudentStatus(strings.ToLower(strings.TrimSpace(string(st.Status)))); st.Status {
	case "":
		st.Status = fees.StudentActive
	case fees.StudentActive, fees.StudentLeft:
	default:
		wrong["status"] = "The status is active or left"
	}
	if st.LeftOn = fees.Date(strings.TrimSpace(string(st.LeftOn))); st.Status == fees.StudentActive {
		st.LeftOn = ""
	}
	if st.LeftOn != "" {
		if _, bad := fees.ParseDate(string(st.LeftOn)); bad != nil {
			wrong["left_on"] = bad.Message
		}
	}
	return wrong
}

// planWord says why a word cannot be a student's class or category: a plan's
// key is made of them.
func planWord(word string) string {
	switch {
	case strings.Contains(word, ":"):
		return "A colon may not be in it"
	case word == fees.Any:
		return "“*” is only for plans, where it means any"
	}
	return ""
}
