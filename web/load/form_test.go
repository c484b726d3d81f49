package load

import (
	"net/url"
	"reflect"
	"testing"
)

func TestFormInIsWhatABrowserSends(t *testing.T) {
	const page = `<form id="search"><input name="q" value="x"></form>
<form method="post" id="payment" action="/payments">
<input type="hidden" name="payment_id" value="D&amp;S:01"/>
<input name="tender_amount" value="10.00"><input name="tender_amount" value="">
<select name="tender_mode"><option value="cash">Cash</option><option value="upi" selected>UPI</option></select>
<select name="tender_mode"><option value="cash">Cash</option><option value="upi">UPI</option></select>
<input type="checkbox" name="again" value="1"><input type="checkbox" name="known" value="1" checked>
<input name="off" value="1" disabled><input value="nameless"><button name="go" value="1">Go</button><input type="submit" name="go" value="2">
<textarea name="remark">a &lt; b</textarea><textarea name="empty"></textarea>
</form><input name="after" value="1">`
	got, err := formIn(page, "payment")
	want := url.Values{
		"payment_id": {"D&S:01"}, "tender_amount": {"10.00", ""}, "tender_mode": {"upi", "cash"},
		"known": {"1"}, "remark": {"a < b"}, "empty": {""},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("the form sends %v, %v\nwant %v", got, err, want)
	}
	for _, broken := range []string{`<form id="other"></form>`, `<form id="payment"><input name="a" value="b">`} {
		if got, err := formIn(broken, "payment"); err == nil {
			t.Errorf("%s: %v and no error", broken, got)
		}
	}
}
