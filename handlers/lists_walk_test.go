package handlers_test

import (
	"context"
	"net/http"
	"net/url"
	"testing"

	"raseed/store/fees"
	"raseed/web/webtest"
)

// Every list shows every filter, state and place in it to every role, or says
// why not: none of them fails.
func TestEveryListShowsEverySelection(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	ctx := context.Background()
	office := fees.Actor{Login: webtest.LoginOf(webtest.Own, fees.RoleAccountant), Name: "The Accountant", Role: fees.RoleAccountant}
	var ids []string
	for _, number := range []string{"1", "2", "3", "4", "5"} { // in hand, at the bank, cleared, bounced, withdrawn
		ids = append(ids, pay(t, s, webtest.Own, "1001", byCheque(number, 10000)).ShortID()+":0")
	}
	must := func(what string, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	_, err := s.Store.DepositCheques(ctx, webtest.Own, fees.DepositOrder{ID: s.Store.NewID(), Cheques: ids[1:4], Account: "SBI", By: office})
	must("deposit", err)
	_, err = s.Store.ClearCheques(ctx, webtest.Own, fees.ClearOrder{Cheques: ids[2:3], By: office})
	must("clear", err)
	_, err = s.Store.BounceCheque(ctx, webtest.Own, fees.BounceOrder{Cheque: ids[3], Reason: "no funds", By: office})
	must("bounce", err)
	_, err = s.Store.ReversePayment(ctx, webtest.Own, fees.ReversalOrder{ID: ids[4][:26], Reason: "wrong student", By: office})
	must("reverse", err)
	paid := pay(t, s, webtest.Own, "1002", cash(900000))
	refund, err := s.Store.AskRefund(ctx, webtest.Own, fees.RefundOrder{
		ID: s.Store.NewID(), Student: "1002", Parts: []fees.RefundPart{{Head: fees.HeadAdvance, Amount: 100}}, Mode: fees.ModeCash, Reason: "Left", By: office,
	})
	must("ask", err)
	till, err := s.Store.OpenShift(ctx, webtest.Own, fees.ShiftOrder{ID: s.Store.NewID(), By: office})
	must("open a till", err)

	days := []string{"", "2026-11-30", "2027-01-01", "x"}
	day := "2026-11-30"
	lists := []struct {
		path   string
		fields map[string][]string
	}{
		{"/cheques", map[string][]string{
			"state": {"", "received", "deposited", "cleared", "bounced", "withdrawn", "x"}, "from": days, "to": {"", day},
			"after": {"", day + "~" + ids[4][:26] + ":0", day + "~" + ids[0], "x"},
		}},
		{"/refunds", map[string][]string{"state": {"", "requested", "approved", "paid", "refused", "x"}, "after": {"", refund.ShortID(), "x"}}},
		{"/tills", map[string][]string{"cashier": {"", office.Login, "x"}, "after": {"", till.ShortID(), "x"}}},
		{"/till", nil},
		{"/tills/" + till.ShortID(), nil},
		{"/students", map[string][]string{"q": {"", "asha", "1001", "\x00"}, "after": {"", "1001", "x~y"}}},
		{"/receipts", map[string][]string{
			"from": {"", day, "x"}, "to": {"", day}, "mode": {"", "cash", "cheque", "x"}, "status": {"", "issued", "reversed", "reversal", "adjustment", "refund", "pending", "x"},
			"cashier": {"", office.Login}, "after": {"", day + "~" + paid.ShortID(), "x"},
		}},
		{"/receipts.csv", map[string][]string{"from": {"", "x"}, "mode": {"", "cheque", "x"}, "status": {"", "reversal", "x"}}},
		{"/concessions", map[string][]string{"head": {"", "TUITION", "x"}, "reason": {"", "staff"}, "after": {"", "1001", "x"}}},
		{"/billing", nil}, {"/billing/charges", nil}, {"/billing/late-fees", map[string][]string{"as_of": days}},
		{"/plan", map[string][]string{"fy": {"", "2026-27", "x"}, "period": {"", "x"}}}, {"/plan/periods", nil}, {"/plan/heads", nil}, {"/plan/rules", nil},
		{"/users", nil}, {"/reports/series", nil}, {"/collect", map[string][]string{"q": {"", "asha", "x"}}}, {"/collect/1001", nil},
	}
	for _, role := range fees.Roles() {
		c := s.As(t, role)
		shown := 0
		for _, list := range lists {
			for _, query := range selections(list.fields) {
				res := c.Get(list.path + "?" + query)
				switch res.Status {
				case http.StatusOK:
					shown++
				case http.StatusForbidden, http.StatusUnprocessableEntity, http.StatusNotFound, http.StatusBadRequest:
				default:
					t.Errorf("%s: %s?%s: status %d", role, list.path, query, res.Status)
				}
			}
		}
		if shown < 20 {
			t.Errorf("%s: only %d pages were shown", role, shown)
		}
	}
}

// selections are the queries with every choice of every field.
func selections(fields map[string][]string) []string {
	all := []url.Values{{}}
	for name, choices := range fields {
		var more []url.Values
		for _, base := range all {
			for _, choice := range choices {
				q := url.Values{name: {choice}}
				for other, value := range base {
					q[other] = value
				}
				more = append(more, q)
			}
		}
		all = more
	}
	queries := make([]string, len(all))
	for i, q := range all {
		queries[i] = q.Encode()
	}
	return queries
}
