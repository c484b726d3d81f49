package handlers

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"raseed/store/fees"
	"raseed/views/qr"
)

// CollectUPI is the code that a payer scans to pay by UPI.
type CollectUPI struct {
	Ledger StudentReader
}

// Get draws the code for the amount in the query, under the payment's id as its
// reference; NotFound where the institute takes no UPI or there is no such
// student, Invalid for what is no amount.
func (h CollectUPI) Get(c echo.Context) error {
	query, err := ReadQuery(c)
	if err != nil {
		return err
	}
	v := VisitorOf(c)
	if !v.Institute.TakesUPI() {
		return fees.Errorf(fees.NotFound, "No UPI address is set for this institute. An administrator enters it in the settings.")
	}
	amount, bad := v.Institute.Money().Parse(query.Value("amount"))
	if bad != nil {
		return bad
	}
	if amount <= 0 || query.Err() != nil {
		return fees.Errorf(fees.Invalid, "Enter an amount above zero, once.")
	}
	student, err := h.Ledger.Student(c.Request().Context(), v.Institute.Code, c.Param("student"))
	if err != nil {
		return err
	}
	code, ok := qr.Of(v.Institute.UPILink(amount, "Fees "+student.AdmissionNo, ownPaymentID(v, query.Value("payment_id"))))
	if !ok {
		return fees.Errorf(fees.Invalid, "The institute's name is too long for a UPI code.")
	}
	return c.Blob(http.StatusOK, "image/svg+xml", []byte(code.SVG()))
}
