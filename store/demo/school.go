package demo

import (
	"context"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"strings"

	"raseed/store/fees"
)

// fillSchool makes the school with its week at the counter.
func (f *filler) fillSchool(ctx context.Context) error {
	inst, days, err := f.open(ctx, fees.Institute{
		Code: school, Name: "Dhruvtara Public School", Address: "14 Banyan Road, Nashik 422001",
	})
	if err != nil {
		return err
	}
	people := roll(rand.New(rand.NewPCG(1, 1)), 360, 1001, schoolClasses())
	if err := f.take(ctx, inst, studentsCSV(people), schoolPlan(inst, f.year(inst)), concessionsCSV(people)); err != nil {
		return err
	}
	if err := f.bill(ctx, inst, f.id(inst, 0)); err != nil {
		return err
	}
	return f.week(ctx, inst, days, people, 120)
}

// fillNursery makes the second school: few children, a few receipts.
func (f *filler) fillNursery(ctx context.Context) error {
	inst, days, err := f.open(ctx, fees.Institute{
		Code: nursery, Name: "Little Banyan Kindergarten", Address: "3 Lake View, Nashik 422005",
	})
	if err != nil {
		return err
	}
	people := roll(rand.New(rand.NewPCG(2, 2)), 36, 1, []string{"Playgroup", "LKG", "UKG"})
	if err := f.take(ctx, inst, studentsCSV(people), nurseryPlan(f.year(inst)), concessionsCSV(people)); err != nil {
		return err
	}
	if err := f.bill(ctx, inst, f.id(inst, 0)); err != nil {
		return err
	}
	return f.week(ctx, inst, days, people, 8)
}

// year is the financial year of the demo.
func (f *filler) year(inst fees.Institute) year {
	label := inst.FY(inst.Today(f.now))
	from, _, _ := fees.FYRange(label, inst.FYStart)
	return year{label: label, from: from}
}

type year struct {
	label string
	from  fees.Date
}

// terms are the three terms with their due dates: the tenth of April, August
// and December.
func (y year) terms() [][2]string {
	first := y.from[:len("2006-")]
	return [][2]string{
		{y.label + "/T1", string(first) + "04-10"},
		{y.label + "/T2", string(first) + "08-10"},
		{y.label + "/T3", string(first) + "12-10"},
	}
}

// child is a student of the demo.
type child struct {
	no, name, class, section, category, family, guardian, phone, status, opening string
	sibling                                                                      bool // not the eldest of the family
}

func schoolClasses() []string {
	return []string{"Nursery", "KG", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"}
}

// roll makes n children in families of one to three.
func roll(r *rand.Rand, n, firstNo int, classes []string) []child {
	all := make([]child, 0, n)
	for family := 1; len(all) < n; family++ {
		surname := pick(r, surnames())
		guardian := pick(r, givenNames()) + " " + surname
		phone := fmt.Sprintf("90000%05d", 10000+firstNo*7+family)
		kids := 1 + r.IntN(10)/6 + r.IntN(10)/9
		at := r.IntN(len(classes)) // the class of the eldest
		for kid := range min(kids, n-len(all)) {
			c := child{
				no: fmt.Sprint(firstNo + len(all)), name: pick(r, givenNames()) + " " + surname,
				class: classes[max(at-2*kid, 0)], section: pick(r, []string{"A", "B"}), category: "general",
				family: fmt.Sprintf("F%04d", family), guardian: guardian, phone: phone, status: "active", opening: "0", sibling: kid > 0,
			}
			switch r.IntN(40) {
			case 0, 1:
				c.category = "staff"
			case 2, 3:
				c.category = "rte"
			case 4:
				c.status = "left"
			case 5, 6:
				c.opening = "1500.00"
			case 7:
				c.opening = "-2500.00"
			}
			all = append(all, c)
		}
	}
	return all
}

func pick(r *rand.Rand, from []string) string { return from[r.IntN(len(from))] }

func studentsCSV(people []child) string {
	rows := [][]string{{"admission_no", "name", "class", "section", "category", "family", "guardian", "phone", "email", "status", "opening_balance"}}
	for _, c := range people {
		email := strings.ToLower(c.family) + "@example.org"
		rows = append(rows, []string{c.no, c.name, c.class, c.section, c.category, c.family, c.guardian, c.phone, email, c.status, c.opening})
	}
	return csvOf(rows)
}

// concessionsCSV gives younger siblings a tenth off and every thirtieth child a
// scholarship.
func concessionsCSV(people []child) string {
	rows := [][]string{{"admission_no", "head", "kind", "value", "reason"}}
	for i, c := range people {
		switch {
		case c.category != "general":
		case c.sibling:
			rows = append(rows, []string{c.no, "TUITION", "percent", "10", "sibling"})
		case i%30 == 7:
			rows = append(rows, []string{c.no, "TUITION", "amount", "2500.50", "merit scholarship"})
		}
	}
	return csvOf(rows)
}

// schoolPlan charges tuition by class in each term, the annual fee in the
// first, a laboratory from class 6 and activities below class 6.
func schoolPlan(inst fees.Institute, y year) string {
	rows := [][]string{planHeader()}
	for i, class := range schoolClasses() {
		tuition := fees.Amount(1_250_000 + 100_000*i)
		for t, term := range y.terms() {
			add := func(category, head string, amount fees.Amount) {
				rows = append(rows, []string{y.label, term[0], term[1], class, category, head, inst.Money().Plain(amount)})
			}
			add("general", "TUITION", tuition)
			add("staff", "TUITION", tuition/2)
			if t == 0 {
				add("*", "ANNUAL", 450_000)
			}
			if i >= 7 {
				add("*", "LAB", 133_333)
			} else {
				add("*", "ACTIVITY", 60_000)
			}
		}
	}
	return csvOf(rows)
}

func nurseryPlan(y year) string {
	rows := [][]string{planHeader()}
	for _, term := range y.terms() {
		rows = append(rows,
			[]string{y.label, term[0], term[1], "*", "*", "TUITION", "9000.00"},
			[]string{y.label, term[0], term[1], "*", "staff", "TUITION", "4500.00"},
			[]string{y.label, term[0], term[1], "*", "*", "MEALS", "1200.00"})
	}
	return csvOf(rows)
}

func planHeader() []string {
	return []string{"fy", "period", "due_date", "class", "category", "head", "amount"}
}

func csvOf(rows [][]string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	_ = w.WriteAll(rows) // into memory
	return b.String()
}

func givenNames() []string {
	return []string{
		"Aarav", "Aditi", "Ananya", "Arjun", "Asha", "Ayesha", "Deepa", "Dev", "Diya", "Farhan", "Gauri", "Harsh", "Imran", "Isha",
		"Ishaan", "Kabir", "Karthik", "Kavya", "Lakshmi", "Manav", "Meera", "Mohan", "Nandini", "Neha", "Nikhil", "Pooja", "Pranav",
		"Rahul", "Riya", "Rohan", "Sana", "Sanjay", "Sara", "Simran", "Sunita", "Tanvi", "Tara", "Varun", "Vivaan", "Zoya",
	}
}

func surnames() []string {
	return []string{
		"Ansari", "Banerjee", "Bhatt", "Chauhan", "Das", "Deshpande", "D'Souza", "Fernandes", "Gill", "Iyer", "Joshi", "Kaur", "Khan",
		"Kulkarni", "Mehta", "Menon", "Mishra", "Nair", "Patel", "Patil", "Pillai", "Rao", "Reddy", "Shah", "Sharma", "Singh", "Thakur",
		"Tiwari", "Verma", "Yadav",
	}
}
