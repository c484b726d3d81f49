package store

import (
	"context"
	"encoding/binary"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"

	"raseed/store/fees"
)

// ledgerSize says how large a ledger generateLedger makes.
type ledgerSize struct {
	Rows, Students, BillsEach int
}

// generateLedger fills the institute with a ledger that audit finds sound,
// without going through RecordPayment: what each step would have written is
// computed and inserted in bulk, tens of thousands of rows a second.
//
// Students are in twelve classes of four sections. Their bills lie in two
// financial years, half in each, and so do the rows: quarters of the bills,
// oldest first, in every mode, and advances once all is paid. Every 64th
// payment is reversed at once, every fourth of these a cheque that bounced and
// was charged for. Rows come in the order of their ids, dates and numbers.
func generateLedger(t testing.TB, s *Store, inst fees.Institute, size ledgerSize) {
	t.Helper()
	g := &ledgerGenerator{
		t: t, s: s, inst: inst, size: size,
		people: make([]generatedStudent, size.Students),
		series: map[seriesKey]*generatedSeries{},
	}
	g.zone = inst.Location()
	g.begin = fees.Date("2025-04-01").Time(g.zone).Add(9 * time.Hour)
	g.insert = make(chan generatedBatch, 4)
	var writing sync.WaitGroup
	writing.Go(g.write)
	g.studentsAndBills()
	g.rows()
	g.accountsAndCounters()
	close(g.insert)
	writing.Wait()
	if g.failed != nil {
		t.Fatalf("generate the ledger: %v", g.failed)
	}
}

type ledgerGenerator struct {
	t    testing.TB
	s    *Store
	inst fees.Institute
	size ledgerSize

	zone   *time.Location
	begin  time.Time
	people []generatedStudent
	series map[seriesKey]*generatedSeries
	minted uint64

	pending map[string][]any
	insert  chan generatedBatch
	failed  error
}

// generatedStudent is a student's account and how many quarters are paid.
type generatedStudent struct {
	account  fees.Account
	quarters int
	payments int
}

type generatedSeries struct {
	counter counter
	hash    string
}

type generatedBatch struct {
	coll string
	docs []any
}

const generateBatch = 4000

// write inserts what the rest computes, beside it.
func (g *ledgerGenerator) write() {
	for b := range g.insert {
		if g.failed == nil {
			_, g.failed = g.s.DB.InsertMany(context.Background(), b.coll, b.docs)
		}
	}
}

func (g *ledgerGenerator) add(coll string, doc any) {
	if g.pending == nil {
		g.pending = map[string][]any{}
	}
	raw, ok := doc.(bson.Raw)
	if !ok {
		var err error
		if raw, err = bson.Marshal(doc); err != nil {
			g.t.Fatal(err)
		}
	}
	if g.pending[coll] = append(g.pending[coll], raw); len(g.pending[coll]) == generateBatch {
		g.flush(coll)
	}
}

func (g *ledgerGenerator) flush(coll string) {
	if len(g.pending[coll]) > 0 {
		g.insert <- generatedBatch{coll, g.pending[coll]}
		g.pending[coll] = nil
	}
}

func (g *ledgerGenerator) studentsAndBills() {
	created := g.begin.Add(-time.Hour).UTC()
	for i := range g.size.Students {
		no := fmt.Sprint(100001 + i)
		st := g.student(i)
		g.add(students, fees.Student{
			ID: fees.Key(g.inst.Code, no), Institute: g.inst.Code, AdmissionNo: no, Name: st.name, Class: st.class, Section: st.section,
			Category: "general", Guardian: "Guardian of " + st.name, Status: fees.StudentActive, Terms: []string{no}, UpdatedAt: created,
		})
		g.people[i].account = fees.Account{ID: fees.Key(g.inst.Code, no), Institute: g.inst.Code, Student: no, Version: 1}
		for n := range g.size.BillsEach {
			fy, period := g.period(n)
			bill := fees.Bill{
				ID: fees.Key(g.inst.Code, no, period), Institute: g.inst.Code, Student: no, FY: fy, Period: period, Title: period,
				DueDate: fees.Date(fy[:4] + "-04-10"), CreatedAt: created,
			}
			for _, h := range generatedHeads() {
				bill.Lines = append(bill.Lines, fees.BillLine{Head: h.Head, HeadName: h.HeadName, Gross: 4*h.Amount + 1000, Concession: 1000, Net: 4 * h.Amount})
				bill.Net += 4 * h.Amount
			}
			g.addBill(i, bill)
		}
	}
	for i, h := range generatedHeads() {
		g.add(heads, fees.Head{ID: fees.Key(g.inst.Code, h.Head), Institute: g.inst.Code, Code: h.Head, Name: h.HeadName, Order: int64(i)})
	}
	for _, coll := range []string{heads, students, bills} {
		g.flush(coll)
	}
}

func (g *ledgerGenerator) addBill(student int, bill fees.Bill) {
	a := &g.people[student].account
	a.Billed += bill.Net
	a.Bills++
	bill, err := sealed(bill)
	if err != nil {
		g.t.Fatal(err)
	}
	g.add(bills, bill)
}

// generatedHeads are the heads of every bill with a quarter of what they cost.
func generatedHeads() []fees.HeadAmount {
	return []fees.HeadAmount{{Head: "TUITION", HeadName: "Tuition", Amount: 300_000}, {Head: "LAB", HeadName: "Laboratory", Amount: 25_000}, {Head: "TRANSPORT", HeadName: "Transport", Amount: 90_000}}
}

func (g *ledgerGenerator) period(n int) (fy, code string) {
	fy = "2025-26"
	if n >= (g.size.BillsEach+1)/2 {
		fy = "2026-27"
	}
	return fy, fmt.Sprintf("%s/M%02d", fy, n+1)
}

type generatedName struct{ name, class, section string }

func (g *ledgerGenerator) student(i int) generatedName {
	return generatedName{fmt.Sprintf("Student No %d", 100001+i), fmt.Sprint(1 + i%12), string(rune('A' + i/12%4))}
}

// rows makes the ledger's rows, in order of time.
func (g *ledgerGenerator) rows() {
	const days = 609 // 1 April 2025 to 30 November 2026
	for n := 0; n < g.size.Rows; n++ {
		at := g.begin.Add(time.Duration(n*days/g.size.Rows)*24*time.Hour + time.Duration(n%30_000)*time.Second).UTC()
		i := n * 7919 % g.size.Students
		paid := g.payment(i, n, at)
		if n%64 != 63 || n+1 == g.size.Rows {
			g.addRow(i, paid)
			continue
		}
		n++
		reversal := g.reversal(i, n, paid, at)
		paid.ReversedBy = reversal.ID
		g.addRow(i, paid)
		g.addRow(i, reversal)
	}
	g.flush(payments)
	g.flush(bills)
}

func (g *ledgerGenerator) payment(i, n int, at time.Time) fees.Row {
	p, st := &g.people[i], g.student(i)
	p.payments++
	row := fees.Row{
		ID: fees.Key(g.inst.Code, g.id(at)), Institute: g.inst.Code, Kind: fees.KindPayment, Series: fees.SeriesReceipt,
		Date: fees.DateOf(at, g.zone), RecordedAt: at,
		Student: p.account.Student, StudentName: st.name, Class: st.class, Section: st.section, Guardian: "Guardian of " + st.name,
		Currency: g.inst.Currency, Format: g.inst.Formats.Receipt,
		Cashier: fmt.Sprintf("cashier%d", n%5), CashierName: fmt.Sprintf("Cashier No %d", n%5), From: "10.0.0.7",
		InstituteName: g.inst.Name, InstituteAddress: g.inst.Address,
	}
	row.FY = g.inst.FY(row.Date)
	if p.quarters < 4*g.size.BillsEach {
		_, period := g.period(p.quarters / 4)
		for _, h := range generatedHeads() {
			row.Lines = append(row.Lines, fees.Line{Bill: period, Title: period, Head: h.Head, HeadName: h.HeadName, Amount: h.Amount})
			row.Total += h.Amount
		}
		p.quarters++
	} else {
		row.Lines, row.Total = []fees.Line{{Head: fees.HeadAdvance, HeadName: "Advance", Amount: 50_000}}, 50_000
	}
	modes := []fees.Mode{fees.ModeCash, fees.ModeUPI, fees.ModeCash, fees.ModeCard, fees.ModeCheque, fees.ModeTransfer, fees.ModeDraft}
	tender := fees.Tender{Mode: modes[n/3%len(modes)], Amount: row.Total}
	if n%64 == 63 && n/64%4 == 3 {
		tender.Mode = fees.ModeCheque // the one that bounces
	}
	switch tender.Mode {
	case fees.ModeCash:
	case fees.ModeCheque, fees.ModeDraft:
		tender.Ref, tender.Bank, tender.Date = fmt.Sprintf("%06d", n%1_000_000), "State Bank of India", row.Date
	default:
		tender.Ref = fmt.Sprintf("%012d", n)
	}
	row.Tenders = []fees.Tender{tender}
	if n%16 == 5 { // in two parts
		tender.Amount = row.Total / 2
		row.Tenders = []fees.Tender{{Mode: fees.ModeCash, Amount: row.Total - tender.Amount}, tender}
	}
	row.Digest = digestOf(fees.PaymentOrder{Student: row.Student, Tenders: row.Tenders})
	return row
}

func (g *ledgerGenerator) reversal(i, n int, paid fees.Row, at time.Time) fees.Row {
	p := &g.people[i]
	if paid.Lines[0].Head != fees.HeadAdvance {
		p.quarters-- // is owed again
	}
	row := paid
	row.ID = fees.ReversalID(paid.ID)
	row.Kind, row.Series, row.Format = fees.KindReversal, fees.SeriesReversal, g.inst.Formats.Reversal
	row.Lines = append([]fees.Line(nil), paid.Lines...)
	for k := range row.Lines {
		row.Lines[k].Amount = -row.Lines[k].Amount
	}
	row.Tenders = append([]fees.Tender(nil), paid.Tenders...)
	for k := range row.Tenders {
		row.Tenders[k].Amount = -row.Tenders[k].Amount
	}
	row.Total = -paid.Total
	row.Reverses, row.Reason = paid.ID, "wrong entry"
	row.ReversesText = g.numberText(paid, g.of(paid).counter.Seq+1)
	row.RecordedAt = at
	row.Digest = digestOf(fees.PaymentOrder{Student: paid.ID})
	if n/64%4 == 3 {
		row.Charge, row.Reason = 25_000, "cheque bounced"
		g.addBill(i, bounceBill(row))
	}
	return row
}

// id is a ULID of that moment, in order.
func (g *ledgerGenerator) id(at time.Time) string {
	g.minted++
	var id ulid.ULID
	if err := id.SetTime(ulid.Timestamp(at)); err != nil {
		g.t.Fatal(err)
	}
	binary.BigEndian.PutUint64(id[8:], g.minted)
	return id.String()
}

func (g *ledgerGenerator) of(row fees.Row) *generatedSeries {
	key := seriesOf(row)
	s := g.series[key]
	if s == nil {
		s = &generatedSeries{counter: counter{ID: key.id(), Institute: key.institute}}
		g.series[key] = s
	}
	return s
}

func (g *ledgerGenerator) numberText(row fees.Row, number int64) string {
	format, bad := fees.ParseFormat(row.Format, g.inst.Code)
	if bad != nil {
		g.t.Fatal(bad)
	}
	return format.Text(row.FY, number)
}

// addRow counts, seals, numbers and chains the row.
func (g *ledgerGenerator) addRow(i int, row fees.Row) {
	p, of := &g.people[i], g.of(row)
	p.account.Received += row.Total
	p.account.Rows++
	row.BalanceAfter = p.account.Billed - p.account.Received
	c := &of.counter
	c.Seq, c.Holders, c.BaseHash = c.Seq+1, []string{row.ID}, of.hash
	row.Number, row.NumberText, row.NumberedAt = c.Seq, g.numberText(row, c.Seq), row.RecordedAt
	raw, err := bson.Marshal(row)
	if err != nil {
		g.t.Fatal(err)
	}
	body, err := bodyOf(raw)
	if err != nil {
		g.t.Fatal(err)
	}
	prev := of.hash
	of.hash = chainHash(body, c.Seq, prev)
	raw = raw[:len(raw)-1]
	for _, f := range [][2]string{{"body", body}, {"prevHash", prev}, {"hash", of.hash}} {
		if f[1] != "" {
			raw = bsoncore.AppendStringElement(raw, f[0], f[1])
		}
	}
	raw = append(raw, 0)
	binary.LittleEndian.PutUint32(raw, uint32(len(raw)))
	g.add(payments, bson.Raw(raw))
}

func (g *ledgerGenerator) accountsAndCounters() {
	for _, p := range g.people {
		p.account.Balance = p.account.Billed - p.account.Received
		g.add(accounts, p.account)
	}
	for _, s := range g.series {
		g.add(counters, s.counter)
	}
	g.flush(accounts)
	g.flush(counters)
}
