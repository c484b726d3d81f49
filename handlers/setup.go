package handlers

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views"
	"raseed/views/ui"
)

// ErrNotSetUp is the answer of every page until somebody can log in. It does
// not tell the one-time link, which only the server's terminal shows.
var ErrNotSetUp = fees.Errorf(fees.Unavailable, "This Raseed is not set up yet. Whoever started it finds a one-time link to the first page in its terminal.")

// Founder is a store that can be set up once.
type Founder interface {
	Founded(ctx context.Context) (bool, error)
	Found(ctx context.Context, inst fees.Institute, login, name, password string) (fees.User, error)
}

// FirstRun is the page that sets up an empty store. Its link is a secret kept
// in memory only: a new one at each start, worth nothing once it was used.
type FirstRun struct {
	Store    Founder
	Sessions Sessions
	Token    string // at least 32 random bytes' worth

	one     sync.Mutex // two forms at once: one wins
	founded atomic.Bool
}

// NewFirstRun makes the page with a fresh link.
func NewFirstRun(store Founder, sessions Sessions) *FirstRun {
	return &FirstRun{Store: store, Sessions: sessions, Token: rand.Text() + rand.Text()}
}

// Pending says whether the store still waits to be set up. The store is asked
// until it no longer does, since a command may have set it up meanwhile.
func (h *FirstRun) Pending(ctx context.Context) (bool, error) {
	if h.founded.Load() {
		return false, nil
	}
	founded, err := h.Store.Founded(ctx)
	if err != nil {
		return false, err
	}
	if founded {
		h.founded.Store(true)
	}
	return !founded, nil
}

// Get shows the form to whoever has the link.
func (h *FirstRun) Get(c echo.Context) error {
	if err := h.admit(c); err != nil {
		return err
	}
	return h.show(c, http.StatusOK, views.SetupView{Currency: "INR", FYStart: "4", TimeZone: "Asia/Kolkata"})
}

// Post sets up the store and logs its first admin in.
func (h *FirstRun) Post(c echo.Context) error {
	h.one.Lock()
	defer h.one.Unlock()
	if err := h.admit(c); err != nil {
		return err
	}
	f, err := ReadForm(c)
	if err != nil {
		return err
	}
	v := views.SetupView{
		Code: f.Value("code"), Name: f.Value("name"), Address: f.Value("address"), Currency: f.Value("currency"),
		FYStart: f.Value("fy_start"), TimeZone: f.Value("tz"),
		Login: f.Value("login"), UserName: f.Value("user_name"),
	}
	password := f.Value("password")
	month, _ := strconv.ParseInt(v.FYStart, 10, 64)
	for name, value := range map[string]string{"currency": v.Currency, "tz": v.TimeZone} {
		if value == "" { // the store would fill in its own
			f.Fail(name, "This is needed")
		}
	}
	if month < 1 || month > 12 {
		f.Fail("fy_start", "Choose a month")
	}
	if bad := f.Err(); bad != nil {
		return h.refuse(c, v, bad)
	}
	ctx, cancel := ledgerWrite(c)
	defer cancel()
	u, err := h.Store.Found(ctx, fees.Institute{
		Code: v.Code, Name: v.Name, Address: v.Address, Currency: v.Currency, FYStart: month, TimeZone: v.TimeZone,
	}, v.Login, v.UserName, password)
	if bad := refusalIn(c, err); bad != nil {
		return h.refuse(c, v, bad)
	}
	if err != nil {
		return err
	}
	h.founded.Store(true)
	if err := h.Sessions.Begin(c, u); err != nil {
		return SeeOther(c, "/login") // set up all the same
	}
	return SeeOther(c, "/")
}

// admit lets pass who has the link, while it is worth something. A wrong one
// is answered like any other page.
func (h *FirstRun) admit(c echo.Context) error {
	c.Response().Header().Set("Referrer-Policy", "no-referrer")
	pending, err := h.Pending(c.Request().Context())
	switch {
	case err != nil:
		return err
	case !pending:
		return fees.Errorf(fees.NotFound, "This link has been used: Raseed is set up. Go to the start page to log in.")
	case subtle.ConstantTimeCompare([]byte(c.Param("token")), []byte(h.Token)) != 1:
		return ErrNotSetUp
	}
	return nil
}

func (h *FirstRun) refuse(c echo.Context, v views.SetupView, bad *fees.Error) error {
	v.Problem, v.Errors = bad.Message, bad.Fields
	return h.show(c, StatusOf(bad.Code), v)
}

func (h *FirstRun) show(c echo.Context, status int, v views.SetupView) error {
	v.Token = h.Token
	for m := time.January; m <= time.December; m++ {
		v.Months = append(v.Months, ui.Option{Value: strconv.Itoa(int(m)), Label: m.String()})
	}
	return Render(c, status, views.Setup(FrameOf(c, "Set up"), v))
}
