package fees

import "strconv"

// Piece is a note or a coin.
type Piece struct {
	ID    string // "note-500", "coin-0.50": its kind and its face value
	Note  bool
	Value Amount
}

// Pieces are the notes and coins that people pay with in the currency, the
// largest first; nil for a currency that is not known, and then the cash is
// counted as one amount. What is out of print or rare is left out.
//
// Sources: the issuing central banks' lists of current notes and coins, 2026.
func (c Currency) Pieces() []Piece {
	notes, coins := pieceValues(c.Code)
	var all []Piece
	for _, v := range notes {
		all = c.appendPiece(all, true, v)
	}
	for _, v := range coins {
		all = c.appendPiece(all, false, v)
	}
	return all
}

// appendPiece adds a piece of so many thousandths of the unit, unless the
// institute keeps fewer decimals than it has.
func (c Currency) appendPiece(all []Piece, note bool, milli int64) []Piece {
	scaled := Amount(milli) * c.unit()
	if scaled%1000 != 0 {
		return all
	}
	kind := "coin-"
	if note {
		kind = "note-"
	}
	return append(all, Piece{ID: kind + faceValue(milli), Note: note, Value: scaled / 1000})
}

// faceValue writes thousandths of a unit as a piece has them on it: "500",
// "0.50", "0.005".
func faceValue(milli int64) string {
	whole, part := strconv.FormatInt(milli/1000, 10), milli%1000
	switch {
	case part == 0:
		return whole
	case part%10 == 0:
		return whole + "." + strconv.FormatInt(100+part/10, 10)[1:]
	}
	return whole + "." + strconv.FormatInt(1000+part, 10)[1:]
}

// pieceValues are a currency's notes and coins in thousandths of its unit.
func pieceValues(code string) (notes, coins []int64) {
	switch code {
	case "INR":
		return units(500, 200, 100, 50, 20, 10), units(20, 10, 5, 2, 1)
	case "NPR":
		return units(1000, 500, 100, 50, 20, 10, 5), units(2, 1)
	case "BDT":
		return units(1000, 500, 200, 100, 50, 20, 10, 5, 2), units(5, 2, 1)
	case "LKR":
		return units(5000, 1000, 500, 100, 50, 20), units(20, 10, 5, 2, 1)
	case "PKR":
		return units(5000, 1000, 500, 100, 50, 20, 10), units(10, 5, 2, 1)

	case "AED":
		return units(1000, 500, 200, 100, 50, 20, 10, 5), []int64{1000, 500, 250}
	case "SAR":
		return units(500, 200, 100, 50, 20, 10, 5), []int64{2000, 1000, 500, 250, 100, 50, 10}
	case "QAR":
		return units(500, 200, 100, 50, 10, 5, 1), []int64{500, 250}
	case "KWD":
		return []int64{20_000, 10_000, 5000, 1000, 500, 250}, []int64{100, 50, 20, 10, 5}
	case "BHD":
		return []int64{20_000, 10_000, 5000, 1000, 500}, []int64{100, 50, 25, 10, 5}
	case "OMR":
		return []int64{50_000, 20_000, 10_000, 5000, 1000, 500, 100}, []int64{50, 25, 10, 5}

	case "USD":
		return units(100, 50, 20, 10, 5, 2, 1), []int64{1000, 500, 250, 100, 50, 10}
	case "CAD":
		return units(100, 50, 20, 10, 5), []int64{2000, 1000, 250, 100, 50}
	case "EUR":
		return units(500, 200, 100, 50, 20, 10, 5), []int64{2000, 1000, 500, 200, 100, 50, 20, 10}
	case "GBP":
		return units(50, 20, 10, 5), []int64{2000, 1000, 500, 200, 100, 50, 20, 10}
	case "CHF":
		return units(1000, 200, 100, 50, 20, 10), []int64{5000, 2000, 1000, 500, 200, 100, 50}
	case "AUD":
		return units(100, 50, 20, 10, 5), []int64{2000, 1000, 500, 200, 100, 50}
	case "NZD":
		return units(100, 50, 20, 10, 5), []int64{2000, 1000, 500, 200, 100}

	case "JPY":
		return units(10_000, 5000, 2000, 1000), units(500, 100, 50, 10, 5, 1)
	case "SGD":
		return units(100, 50, 10, 5, 2), []int64{1000, 500, 200, 100, 50}
	case "HKD":
		return units(1000, 500, 100, 50, 20, 10), []int64{10_000, 5000, 2000, 1000, 500, 200, 100}
	case "MYR":
		return units(100, 50, 20, 10, 5, 1), []int64{500, 200, 100, 50}

	case "KES":
		return units(1000, 500, 200, 100, 50), units(20, 10, 5, 1)
	case "ZAR":
		return units(200, 100, 50, 20, 10), []int64{5000, 2000, 1000, 500, 200, 100}
	}
	return nil, nil
}

// units are whole units in thousandths.
func units(values ...int64) []int64 {
	for i := range values {
		values[i] *= 1000
	}
	return values
}
