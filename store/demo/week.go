package demo

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/oklog/ulid/v2"

	"raseed/store/fees"
)

// id is the same for the n-th thing of an institute whenever the demo is made
// in one financial year, so that making it again finds what is there.
func (f *filler) id(inst fees.Institute, n int) string {
	from := f.year(inst).from.Time(inst.Location())
	r := rand.New(rand.NewPCG(uint64(inst.Code[0]), uint64(n)))
	var entropy [10]byte
	for i := range entropy {
		entropy[i] = byte(r.UintN(256))
	}
	var id ulid.ULID
	_ = id.SetTime(ulid.Timestamp(from.Add(time.Duration(n) * time.Second))) // far from the year 10889
	_ = id.SetEntropy(entropy[:])
	return id.String()
}

// week records n payments over the days, of all modes, whole and in part, some
// ahead, some in two tenders; and takes a few back.
func (f *filler) week(ctx context.Context, inst fees.Institute, days []time.Time, people []child, n int) error {
	payers := payersOf(people)
	perDay := (n + len(days) - 1) / len(days)
	for i := range n {
		morning := days[i/perDay]
		evening := morning.Add(6 * time.Hour)
		if evening.After(f.now) {
			evening = f.now
		}
		f.clock = morning.Add(evening.Sub(morning) / time.Duration(perDay+1) * time.Duration(i%perDay+1))
		id := f.id(inst, 1+i)
		paid, err := f.s.Row(ctx, inst.Code, id)
		if fees.CodeOf(err) == fees.NotFound {
			paid, err = f.pay(ctx, inst, id, payers[i%len(payers)], i)
		}
		if err != nil {
			return err
		}
		if err := f.takeBack(ctx, inst, id, paid, i); err != nil {
			return err
		}
		if err := f.bank(ctx, inst, paid, i); err != nil {
			return err
		}
	}
	return nil
}

// payersOf shuffles the children who are still there.
func payersOf(people []child) []child {
	var payers []child
	for _, c := range people {
		if c.status == "active" {
			payers = append(payers, c)
		}
	}
	r := rand.New(rand.NewPCG(3, 3))
	r.Shuffle(len(payers), func(i, j int) { payers[i], payers[j] = payers[j], payers[i] })
	return payers
}

// bounced is the payment whose cheque comes back.
const bounced = 5

func (f *filler) pay(ctx context.Context, inst fees.Institute, id string, payer child, i int) (fees.Row, error) {
	dues, err := f.s.Dues(ctx, inst.Code, payer.no)
	if err != nil {
		return fees.Row{}, err
	}
	r := rand.New(rand.NewPCG(4, uint64(i)))
	total := max(dues.Due, 100_000) // who owes nothing pays ahead
	switch {
	case i%4 == 1:
		total = max(total/2/50_000*50_000, 50_000)
	case i%11 == 3:
		total += 500_000
	}
	today := inst.Today(f.clock)
	modes := fees.Modes()
	mode := modes[(i*5+r.IntN(2))%len(modes)]
	if i == bounced {
		mode = fees.ModeCheque
	}
	tenders := []fees.Tender{tender(r, mode, total, today)}
	if i%8 == 7 && tenders[0].IsCheque() {
		tenders[0].Date = today.AddDays(30)
	}
	if i%9 == 4 {
		cash := total / 3 / 10_000 * 10_000
		tenders[0].Amount -= cash
		if cash > 0 {
			tenders = append(tenders, tender(r, fees.ModeCash, cash, today))
		}
	}
	return f.s.RecordPayment(ctx, inst.Code, fees.PaymentOrder{ID: id, Student: payer.no, Tenders: tenders, By: cashierOf(inst)})
}

func cashierOf(inst fees.Institute) fees.Actor {
	for _, l := range Logins() {
		if l.Institute == inst.Code && l.Role == fees.RoleCashier {
			return fees.Actor{Login: l.Login, Name: l.Name, Role: l.Role, From: "127.0.0.1"}
		}
	}
	return fees.Actor{}
}

// tender is an amount with the references that its mode needs.
func tender(r *rand.Rand, mode fees.Mode, amount fees.Amount, today fees.Date) fees.Tender {
	t := fees.Tender{Mode: mode, Amount: amount}
	switch mode {
	case fees.ModeCash:
	case fees.ModeCheque, fees.ModeDraft:
		t.Ref = fmt.Sprintf("%06d", 100_000+r.IntN(900_000))
		t.Bank = pick(r, []string{"State Bank of India", "Bank of Baroda", "Canara Bank", "HDFC Bank", "ICICI Bank"})
		t.Date = today
	case fees.ModeUPI:
		t.Ref = fmt.Sprintf("%012d", 400_000_000_000+r.Int64N(100_000_000_000))
	case fees.ModeCard:
		t.Ref = fmt.Sprintf("%06d", r.IntN(1_000_000))
	case fees.ModeTransfer:
		t.Ref = fmt.Sprintf("NEFT%09d", r.IntN(1_000_000_000))
	}
	return t
}

// wrong says whether the i-th payment was entered for the wrong student.
func wrong(i int) bool { return i%40 == 17 }

// takeBack reverses a few payments: wrong entries.
func (f *filler) takeBack(ctx context.Context, inst fees.Institute, id string, paid fees.Row, i int) error {
	o := fees.ReversalOrder{ID: id, By: accountantOf()}
	switch {
	case inst.Code != school || paid.ReversedBy != "":
		return nil
	case wrong(i):
		o.Reason = "Entered for the wrong student"
	default:
		return nil
	}
	f.clock = f.clock.Add(time.Minute)
	if f.clock.After(f.now) {
		f.clock = f.now
	}
	_, err := f.s.ReversePayment(ctx, inst.Code, o)
	return err
}
