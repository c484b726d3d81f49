package handlers_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"raseed/store/fees"
	"raseed/views/qr"
	"raseed/web"
	"raseed/web/webtest"
)

// The first print is the receipt, every other says that it is a duplicate, in
// whatever format and by whomever; the log is for those who keep the registers.
func TestReceiptPrintIsLogged(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	row := pay(t, s, webtest.Own, "1001", cash(500000))
	at, code := "/receipts/"+row.ShortID(), ""
	if made, ok := qr.Of(s.URL + verifyPath(t, s, row)); ok {
		code = made.Path()
	}
	c, accountant := s.As(t, fees.RoleCashier), s.As(t, fees.RoleAccountant)
	if res := accountant.Get(at); strings.Contains(res.Body, "Prints of this receipt") {
		t.Error("a receipt that was never printed shows a log")
	}
	head, err := http.NewRequest(http.MethodHead, s.URL+at+"/print", nil)
	if err != nil {
		t.Fatal(err)
	}
	c.Do(head) // no print
	for i, path := range []string{"/print?format=a5", "/print?format=a5", "/print?format=a4", "/print?format=thermal", ".pdf?format=a4", "/print"} {
		by := c
		if i == 3 {
			by = accountant
		}
		res := by.Get(at + path)
		if res.Status != http.StatusOK {
			t.Fatalf("print %d: status %d: %s", i+1, res.Status, res.Alert())
		}
		if strings.HasPrefix(path, ".pdf") {
			continue
		}
		doc := res.Doc().Find("main")
		if marked := doc.Find(".duplicate").Length() > 0; marked != (i > 0) {
			t.Errorf("print %d, %s: marked as a duplicate: %t", i+1, path, marked)
		}
		if copies := doc.Find(".paper .copy").Map(text); strings.Contains(path, "a5") && strings.Join(copies, "|") != "Office copy|Payer’s copy" {
			t.Errorf("print %d, %s: the copies are %q", i+1, path, copies)
		}
		if drawn := doc.Find(".paper .qr path").First().AttrOr("d", ""); drawn == "" || drawn != code {
			t.Errorf("print %d, %s has no code, or one that leads elsewhere", i+1, path)
		}
	}
	for _, wrong := range []string{"/print?format=a3", ".pdf?format=a3"} {
		if res := c.Get(at + wrong); res.Status != http.StatusUnprocessableEntity {
			t.Errorf("%s: status %d, want 422", wrong, res.Status)
		}
	}
	log := accountant.Get(at).Doc().Find(".print-log")
	if got := log.Find("summary").Text(); got != "Printed 6 times" {
		t.Errorf("the log says %q", got)
	}
	for _, want := range []string{"A4, PDF", "80 mm roll", "The Cashier", "The Accountant", "30 Nov 2026, 10:00"} {
		if !strings.Contains(log.Text(), want) {
			t.Errorf("the log does not say %q", want)
		}
	}
	if res := c.Get(at); strings.Contains(res.Body, "Prints of this receipt") {
		t.Error("a cashier sees the log")
	}
	foreign := s.AsOf(t, webtest.Foreign, fees.RoleAdmin)
	for _, path := range []string{"/print", ".pdf"} {
		if res := foreign.Get(at + path); res.Status != http.StatusNotFound || strings.Contains(res.Body, "Verma") {
			t.Errorf("another institute's %s: status %d", path, res.Status)
		}
	}
}

func TestReceiptPDF(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	at := "/receipts/" + pay(t, s, webtest.Own, "1001", cash(500000)).ShortID()
	c := s.As(t, fees.RoleCashier)
	res := c.Get(at + ".pdf")
	if res.Status != http.StatusOK || res.Header.Get("Content-Type") != "application/pdf" || !strings.HasPrefix(res.Body, "%PDF-1.7") {
		t.Fatalf("status %d, %s", res.Status, res.Header.Get("Content-Type"))
	}
	if got := res.Header.Get("Content-Disposition"); got != `inline; filename="DPS-26-27-00001.pdf"` {
		t.Errorf("the file is named by %s", got)
	}
	if res := s.Anyone(t).Get(at + ".pdf"); res.Status == http.StatusOK {
		t.Error("anyone gets the file")
	}
	if res := c.Get("/receipts/01ARZ3NDEKTSV4RRFFQ69G5FAV.pdf"); res.Status != http.StatusNotFound {
		t.Errorf("no such receipt: status %d", res.Status)
	}
}

// verifyPath is where the code on the paper of a receipt leads.
func verifyPath(t *testing.T, s *webtest.Server, row fees.Row) string {
	t.Helper()
	code, err := s.Store.VerifyCode(context.Background(), row.Institute, row.ShortID())
	if err != nil {
		t.Fatal(err)
	}
	return "/verify/" + url.PathEscape(code)
}

// Anybody may ask whether a paper is genuine, and learns nothing about a person.
func TestVerify(t *testing.T) {
	public := &url.URL{Scheme: "https", Host: "fees.example.org"}
	s := webtest.Start(t, webtest.Options{Config: web.Config{PublicURL: public}})
	row := pay(t, s, webtest.Own, "1001", cash(500000))
	path := verifyPath(t, s, row)
	s.AddUser(t, webtest.Own, fees.RoleCashier) // a store that nobody can log in to is not set up
	anyone := s.Anyone(t)
	res := anyone.Get(path)
	if res.Status != http.StatusOK || res.ByTestID("receipt-number") != "DPS/26-27/00001" || res.ByTestID("receipt-total") != "₹5,000.00" || !strings.Contains(res.ByTestID("receipt-status"), "Issued") {
		t.Fatalf("status %d: %s, %s, %s", res.Status, res.ByTestID("receipt-number"), res.ByTestID("receipt-total"), res.ByTestID("receipt-status"))
	}
	for _, want := range []string{"Delta Public School", "30 Nov 2026"} {
		if !strings.Contains(res.Body, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	for _, private := range []string{"Verma", "1001", "Tuition", "The Cashier", "9810000001"} {
		if strings.Contains(res.Body, private) {
			t.Errorf("the page says %q", private)
		}
	}
	if _, err := s.Store.ReversePayment(context.Background(), webtest.Own, fees.ReversalOrder{ID: row.ShortID(), Reason: "private reason"}); err != nil {
		t.Fatal(err)
	}
	res = anyone.Get(path)
	if got := res.ByTestID("receipt-status"); !strings.Contains(got, "Reversed by RV/26-27/00001 on 30 Nov 2026") || strings.Contains(res.Body, "private reason") {
		t.Errorf("after the reversal: %s", got)
	}
	if res := anyone.Get(path[:len(path)-1]); res.Status != http.StatusNotFound || !strings.Contains(res.Body, "not one of ours") {
		t.Errorf("a wrong code: status %d", res.Status)
	}
	for range 40 {
		res = anyone.Get("/verify/DPS:01JDYAZXW0M6V7J3QK4R5T8N9P:AAAAAAAAAAAAAAAAAAAAAA")
	}
	if res.Status != http.StatusTooManyRequests {
		t.Errorf("the 41st wrong code: status %d, want 429", res.Status)
	}
	if res := anyone.Get(path); res.Status != http.StatusOK {
		t.Errorf("a good code after many wrong ones: status %d", res.Status)
	}
}

func TestSettingsReceipts(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	old := pay(t, s, webtest.Own, "1001", cash(100))
	c := s.As(t, fees.RoleAdmin)
	if res := s.As(t, fees.RoleAccountant).Post("/settings/receipts", url.Values{"footer": {"x"}}); res.Status != http.StatusForbidden {
		t.Errorf("accountant: status %d, want 403", res.Status)
	}
	res := c.Post("/settings/receipts", url.Values{"footer": {"Keep this"}, "upi": {"no address"}})
	if res.Status != http.StatusUnprocessableEntity || res.Doc().Find("#upi-error").Text() == "" || res.Input("footer") != "Keep this" || res.Input("upi") != "no address" {
		t.Errorf("a wrong address: status %d, %q", res.Status, res.Alert())
	}
	upi := "/collect/1001/upi.svg?amount=4,500.50"
	if res := c.Get(upi); res.Status != http.StatusNotFound {
		t.Errorf("a code without an address: status %d", res.Status)
	}
	if res := c.Post("/settings/receipts", url.Values{"footer": {"Keep this"}, "upi": {"delta@bank"}}); res.Status != http.StatusSeeOther {
		t.Fatalf("status %d: %s", res.Status, res.Alert())
	}
	now := pay(t, s, webtest.Own, "1002", cash(100))
	for id, want := range map[string]string{old.ShortID(): "", now.ShortID(): "Keep this"} {
		if got := c.Get("/receipts/" + id + "/print?format=a4").Doc().Find(".paper .last").Text(); got != want {
			t.Errorf("%s ends with %q, want %q", id, got, want)
		}
	}
	if res := c.Get(upi); res.Status != http.StatusOK || res.Header.Get("Content-Type") != "image/svg+xml" || !strings.Contains(res.Body, "<path") {
		t.Errorf("the code: status %d, %s", res.Status, res.Header.Get("Content-Type"))
	}
	for _, wrong := range []string{"", "0", "-5", "abc", "1e3", "1.234", "5&amount=6"} {
		if res := c.Get("/collect/1001/upi.svg?amount=" + wrong); res.Status != http.StatusUnprocessableEntity {
			t.Errorf("amount %q: status %d, want 422", wrong, res.Status)
		}
	}
	if res := c.Get("/collect/9999/upi.svg?amount=5"); res.Status != http.StatusNotFound {
		t.Errorf("no such student: status %d", res.Status)
	}
	if res := s.As(t, fees.RoleAuditor).Get(upi); res.Status != http.StatusForbidden {
		t.Errorf("an auditor: status %d", res.Status)
	}
}

// sendPicture posts a file as the form of the settings does.
func sendPicture(t *testing.T, s *webtest.Server, c *webtest.Client, file []byte) webtest.Response {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("logo", "logo.png")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := part.Write(file); err != nil {
		t.Fatal(err)
	}
	if err := form.Close(); err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequest(http.MethodPost, s.URL+"/settings/logo", &body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", form.FormDataContentType())
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	return c.Do(req)
}

// tiffPicture is one grey pixel, of a kind that package image can read here and
// that is no logo.
func tiffPicture() []byte {
	file := binary.LittleEndian.AppendUint16([]byte("II*\x00\x08\x00\x00\x00"), 10)
	const short, long = 3, 4
	for _, entry := range [][3]uint32{
		{256, short, 1}, {257, short, 1}, {258, short, 8}, {259, short, 1}, {262, short, 1},
		{273, long, 134}, {277, short, 1}, {278, short, 1}, {279, long, 1}, {284, short, 1},
	} {
		file = binary.LittleEndian.AppendUint16(file, uint16(entry[0]))
		file = binary.LittleEndian.AppendUint16(file, uint16(entry[1]))
		file = binary.LittleEndian.AppendUint32(file, 1)
		file = binary.LittleEndian.AppendUint32(file, entry[2])
	}
	return append(file, 0, 0, 0, 0, 0xFF)
}

func TestSettingsLogo(t *testing.T) {
	s := webtest.Start(t, webtest.Options{})
	c := s.As(t, fees.RoleAdmin)
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 60, 30))); err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string][]byte{"no picture": []byte("<svg/>"), "too large": make([]byte, fees.MaxLogo+1),
		"from a camera": make([]byte, 4<<20), "TIFF": tiffPicture()} {
		if res := sendPicture(t, s, c, file); res.Status != http.StatusUnprocessableEntity || res.Doc().Find("#logo-error").Text() == "" {
			t.Errorf("%s: status %d, %q", name, res.Status, res.Alert())
		}
	}
	if res := c.Post("/settings/logo", nil); res.Status != http.StatusUnprocessableEntity {
		t.Errorf("no file: status %d, want 422", res.Status)
	}
	if res := sendPicture(t, s, s.As(t, fees.RoleAccountant), picture.Bytes()); res.Status != http.StatusForbidden {
		t.Errorf("accountant: status %d, want 403", res.Status)
	}
	if res := sendPicture(t, s, c, picture.Bytes()); res.Status != http.StatusSeeOther {
		t.Fatalf("status %d: %s", res.Status, res.Alert())
	}
	row := pay(t, s, webtest.Own, "1001", cash(100))
	src, _ := c.Get("/receipts/" + row.ShortID() + "/print").Doc().Find(".paper .logo").Attr("src")
	res := c.Get(src)
	if res.Status != http.StatusOK || res.Header.Get("Content-Type") != "image/png" || !strings.Contains(res.Header.Get("Cache-Control"), "immutable") {
		t.Fatalf("%s: status %d, %s, %s", src, res.Status, res.Header.Get("Content-Type"), res.Header.Get("Cache-Control"))
	}
	if res := s.AsOf(t, webtest.Foreign, fees.RoleAdmin).Get(src); res.Status != http.StatusNotFound {
		t.Errorf("another institute: status %d, want 404", res.Status)
	}
	if res := c.Get("/receipts/" + row.ShortID() + ".pdf"); res.Status != http.StatusOK || !strings.Contains(res.Body, "/Subtype/Image") {
		t.Errorf("the PDF has no logo: status %d", res.Status)
	}
	if res := c.Post("/settings/logo/remove", url.Values{}); res.Status != http.StatusSeeOther {
		t.Fatalf("remove: status %d", res.Status)
	}
	if res := c.Get("/settings"); res.Doc().Find("img.logo").Length() != 0 {
		t.Error("the settings still show a logo")
	}
	if res := c.Get(src); res.Status != http.StatusOK {
		t.Errorf("the old receipt's logo: status %d", res.Status)
	}
}
