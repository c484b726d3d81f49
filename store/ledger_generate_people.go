package store

import (
	"fmt"
	"time"

	"raseed/store/fees"
)

// FirstGenerated is the admission number of the first student that
// GenerateLedger makes; the others follow it one by one.
const FirstGenerated = 100001

// generatedStudent is a student, the account, and how many quarters are paid.
type generatedStudent struct {
	student  fees.Student
	account  fees.Account
	quarters int
}

func (g *ledgerGenerator) studentsAndBills(first fees.Date) {
	created := g.begin.Add(-time.Hour).UTC()
	due := map[string]fees.Date{g.years[0]: first.AddDays(9), g.years[1]: first.AddDays(375)}
	for i := range g.size.Students {
		st := g.student(i)
		st.UpdatedAt = created
		g.add(students, st)
		p := &g.people[i]
		p.student = st
		p.account = fees.Account{ID: st.ID, Institute: st.Institute, Student: st.AdmissionNo, Version: 1}
		for n := range g.size.BillsEach {
			fy, period := g.period(n)
			bill := fees.Bill{
				ID: fees.Key(st.ID, period), Institute: st.Institute, Student: st.AdmissionNo, FY: fy, Period: period, Title: period,
				DueDate: due[fy], CreatedAt: created,
			}
			for _, h := range generatedHeads() {
				bill.Lines = append(bill.Lines, fees.BillLine{Head: h.Head, HeadName: h.HeadName, Gross: 4*h.Amount + 1000, Concession: 1000, Net: 4 * h.Amount})
				bill.Net += 4 * h.Amount
			}
			g.addBill(p, bill)
		}
	}
	for i, h := range generatedHeads() {
		g.add(heads, fees.Head{ID: fees.Key(g.inst.Code, h.Head), Institute: g.inst.Code, Code: h.Head, Name: h.HeadName, Order: int64(i)})
	}
	for _, coll := range []string{heads, students, bills} {
		g.flush(coll)
	}
}

// student is the i-th student. Names repeat, as they do.
func (g *ledgerGenerator) student(i int) fees.Student {
	given := [...]string{"Aarav", "Ananya", "Arjun", "Diya", "Farhan", "Ishaan", "Kavya", "Meera", "Neel", "Pooja", "Rohan", "Sara", "Tanvi", "Vikram", "Zoya"}
	family := [...]string{"Agarwal", "Bose", "Chawla", "D'Souza", "Fernandes", "Iyer", "Joshi", "Khan", "Menon", "Nair", "Patel", "Rao", "Sharma", "Singh", "Thomas", "Verma"}
	name := family[i/7%len(family)]
	no := fmt.Sprint(FirstGenerated + i)
	st := fees.Student{
		ID: fees.Key(g.inst.Code, no), Institute: g.inst.Code, AdmissionNo: no, Name: given[i%len(given)] + " " + name,
		Class: fmt.Sprint(1 + i%12), Section: string(rune('A' + i/12%4)), Category: "general",
		Guardian: given[i/5%len(given)] + " " + name, Phone: fmt.Sprintf("98%08d", 10_000_000+i), Status: fees.StudentActive,
	}
	st.Terms = termsOf(st)
	return st
}

func (g *ledgerGenerator) addBill(p *generatedStudent, bill fees.Bill) {
	p.account.Billed += bill.Net
	p.account.Bills++
	bill, err := sealed(bill)
	if err != nil {
		g.fail(err)
		return
	}
	g.add(bills, bill)
}

// generatedHeads are the heads of every bill with a quarter of what they cost.
func generatedHeads() []fees.HeadAmount {
	return []fees.HeadAmount{{Head: "TUITION", HeadName: "Tuition", Amount: 300_000}, {Head: "LAB", HeadName: "Laboratory", Amount: 25_000}, {Head: "TRANSPORT", HeadName: "Transport", Amount: 90_000}}
}

func (g *ledgerGenerator) period(n int) (fy, code string) {
	fy = g.years[0]
	if n >= (g.size.BillsEach+1)/2 {
		fy = g.years[1]
	}
	return fy, fmt.Sprintf("%s/M%02d", fy, n+1)
}
