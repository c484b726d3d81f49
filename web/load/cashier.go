package load

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
)

// cashier is one person at one browser.
type cashier struct {
	url      string
	http     *http.Client
	students []string // of this cashier alone
	random   *rand.Rand
	newID    func() string
}

// newCashier is the n-th of the plan, with every len(p.Cashiers)-th student.
func newCashier(p Plan, n int) *cashier {
	jar, _ := cookiejar.New(nil) // never fails
	c := &cashier{
		url: p.URL, newID: p.NewID,
		random: rand.New(rand.NewPCG(uint64(p.Seed), uint64(n))),
		http: &http.Client{
			Jar:           jar,
			Transport:     &http.Transport{DisableCompression: true}, // a connection of its own
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	for i := n; i < len(p.Students); i += len(p.Cashiers) {
		c.students = append(c.students, p.Students[i])
	}
	return c
}

func (c *cashier) logIn(ctx context.Context, l Login) error {
	_, err := c.post(ctx, "/login", url.Values{"login": {l.Login}, "password": {l.Password}})
	return err
}

// flow serves one payer.
func (c *cashier) flow(ctx context.Context, t *tally) error {
	student := c.students[c.random.IntN(len(c.students))]
	counter := "/collect/" + url.PathEscape(student)
	return t.measure(Flow, func() error {
		err := t.measure(Search, func() error {
			return c.search(ctx, student, counter)
		})
		if err != nil {
			return err
		}
		var form url.Values
		err = t.measure(Dues, func() error {
			page, err := c.get(ctx, counter, nil)
			if err == nil {
				form, err = formIn(page, "payment")
			}
			return err
		})
		if err != nil {
			return err
		}
		form["tender_amount"][0] = "100.00"
		var receipt string
		err = t.measure(Payment, func() (err error) {
			receipt, err = c.post(ctx, "/payments", form)
			return err
		})
		if err != nil {
			return err
		}
		return t.measure(Receipt, func() error { return c.receipt(ctx, receipt) })
	})
}

// search types an admission number and sees it found.
func (c *cashier) search(ctx context.Context, student, counter string) error {
	found, err := c.get(ctx, "/collect?q="+url.QueryEscape(student), http.Header{"Hx-Request": {"true"}, "Hx-Target": {"results"}})
	if err == nil && !strings.Contains(found, `href="`+counter+`"`) {
		err = fmt.Errorf("the search for %s does not find that student", student)
	}
	return err
}

// receipt looks at the receipt, which has its number.
func (c *cashier) receipt(ctx context.Context, path string) error {
	page, err := c.get(ctx, path, nil)
	if err == nil && !strings.Contains(page, "data-issued=") {
		err = errors.New("a receipt has no number yet")
	}
	return err
}

// pay posts a payment with nothing around it, as a script does.
func (c *cashier) pay(ctx context.Context, t *tally) error {
	form := url.Values{
		"payment_id":    {c.newID()},
		"student":       {c.students[c.random.IntN(len(c.students))]},
		"tender_mode":   {"cash"},
		"tender_amount": {"100.00"},
	}
	return t.measure(Payment, func() error {
		_, err := c.post(ctx, "/payments", form)
		return err
	})
}
