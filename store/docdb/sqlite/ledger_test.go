package sqlite_test

import (
	"fmt"
	"strings"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"raseed/store/docdb"
)

// ledger is shaped like the collections that a receipt is written to.
var ledger = []docdb.Collection{
	{Name: "counters"},
	{Name: "payments", Indexes: []docdb.Index{
		{Name: "student", Keys: asc("institute", "student", "_id")},
		{Name: "date", Keys: asc("institute", "date", "_id", "total")},
		{Name: "awaiting", Keys: asc("institute", "_id"), Partial: bson.D{{Key: "awaiting", Value: true}}},
		{Name: "number", Keys: asc("institute", "fy", "series", "number"), Unique: true, Partial: exists("number")},
		{Name: "numberText", Keys: asc("institute", "numberText"), Partial: exists("numberText")},
	}},
}

func asc(paths ...string) []docdb.Key {
	var out []docdb.Key
	for _, p := range paths {
		out = append(out, docdb.Key{Path: p})
	}
	return out
}

func exists(path string) bson.D {
	return bson.D{{Key: path, Value: bson.D{{Key: "$exists", Value: true}}}}
}

type line struct {
	Bill, Title, Head, HeadName string
	Amount                      int64
}

// payment is a row of some 1.3 kB of BSON, as the ledger writes them.
type payment struct {
	ID                              string `bson:"_id"`
	Institute, Kind, Series, FY     string
	Date                            string
	RecordedAt                      time.Time
	Student, StudentName, Class     string
	Section, Guardian               string
	Lines                           []line
	Tenders                         []struct{ Mode, Ref, Bank, Date string }
	Total, BalanceAfter             int64
	Currency, Remark                string
	Cashier, CashierName, From      string
	InstituteName, InstituteAddress string
	Digest, Body                    string
	Awaiting                        bool
}

func paymentOf(i int) *payment {
	p := &payment{
		ID: fmt.Sprintf("DPS:01JDZ%021d", i), Institute: "DPS", Kind: "payment", Series: "receipt", FY: "2026-27",
		Date: fmt.Sprintf("2026-11-%02d", 1+i/10_000%30), RecordedAt: time.UnixMilli(1764496800000 + int64(i)),
		Student: fmt.Sprint(i * 7919 % 20_000), StudentName: "Asha Verma", Class: "VIII", Section: "B", Guardian: "Ramesh Verma",
		Total: 450_000, Currency: "INR", Remark: "second instalment, the rest by the end of the month",
		Cashier: "asha", CashierName: "Asha R", From: "10.0.0.7",
		InstituteName: "Delhi Public School, Vasant Kunj", InstituteAddress: "Sector C, Pocket 5, Vasant Kunj, New Delhi 110070",
		Digest: strings.Repeat("d", 64), Body: strings.Repeat("b", 64), Awaiting: true,
	}
	for range 3 {
		p.Lines = append(p.Lines, line{"2026-27/T1", "Term 1, 2026-27", "TUITION", "Tuition fee", 150_000})
	}
	p.Tenders = append(p.Tenders, struct{ Mode, Ref, Bank, Date string }{"cheque", "004512", "State Bank of India", "2026-11-29"})
	return p
}
