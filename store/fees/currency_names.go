package fees

// unitNames are the English names of a currency's units and the decimals they
// stand for (ISO 4217).
type unitNames struct {
	major, majors string
	minor, minors string
	decimals      int64
}

// currencyNames knows the currencies of the countries where schools count in
// rupees, riyals, dinars and shillings, and the large ones. Rupees are plain
// "Rupees", as every country that has them prints on its own receipts.
func currencyNames(code string) (unitNames, bool) {
	switch code {
	case "INR", "NPR", "PKR":
		return unitNames{"Rupee", "Rupees", "Paisa", "Paise", 2}, true
	case "LKR", "MUR", "SCR":
		return unitNames{"Rupee", "Rupees", "Cent", "Cents", 2}, true
	case "BDT":
		return unitNames{"Taka", "Taka", "Poisha", "Poisha", 2}, true
	case "BTN":
		return unitNames{"Ngultrum", "Ngultrum", "Chhertum", "Chhertum", 2}, true
	case "MVR":
		return unitNames{"Rufiyaa", "Rufiyaa", "Laari", "Laari", 2}, true
	case "AFN":
		return unitNames{"Afghani", "Afghanis", "Pul", "Puls", 2}, true
	case "MMK":
		return unitNames{"Myanmar Kyat", "Myanmar Kyats", "Pya", "Pyas", 2}, true

	case "AED":
		return unitNames{"UAE Dirham", "UAE Dirhams", "Fils", "Fils", 2}, true
	case "SAR":
		return unitNames{"Saudi Riyal", "Saudi Riyals", "Halala", "Halalas", 2}, true
	case "QAR":
		return unitNames{"Qatari Riyal", "Qatari Riyals", "Dirham", "Dirhams", 2}, true
	case "OMR":
		return unitNames{"Omani Rial", "Omani Rials", "Baisa", "Baisa", 3}, true
	case "KWD":
		return unitNames{"Kuwaiti Dinar", "Kuwaiti Dinars", "Fils", "Fils", 3}, true
	case "BHD":
		return unitNames{"Bahraini Dinar", "Bahraini Dinars", "Fils", "Fils", 3}, true
	case "JOD":
		return unitNames{"Jordanian Dinar", "Jordanian Dinars", "Fils", "Fils", 3}, true
	case "IQD":
		return unitNames{"Iraqi Dinar", "Iraqi Dinars", "Fils", "Fils", 3}, true
	case "TND":
		return unitNames{"Tunisian Dinar", "Tunisian Dinars", "Millime", "Millimes", 3}, true
	case "EGP":
		return unitNames{"Egyptian Pound", "Egyptian Pounds", "Piastre", "Piastres", 2}, true

	case "KES":
		return unitNames{"Kenyan Shilling", "Kenyan Shillings", "Cent", "Cents", 2}, true
	case "TZS":
		return unitNames{"Tanzanian Shilling", "Tanzanian Shillings", "Cent", "Cents", 2}, true
	case "UGX":
		return unitNames{major: "Ugandan Shilling", majors: "Ugandan Shillings"}, true
	case "RWF":
		return unitNames{major: "Rwandan Franc", majors: "Rwandan Francs"}, true
	case "NGN":
		return unitNames{"Naira", "Naira", "Kobo", "Kobo", 2}, true
	case "GHS":
		return unitNames{"Ghana Cedi", "Ghana Cedis", "Pesewa", "Pesewas", 2}, true
	case "ZAR":
		return unitNames{"South African Rand", "South African Rand", "Cent", "Cents", 2}, true
	case "ZMW":
		return unitNames{"Zambian Kwacha", "Zambian Kwacha", "Ngwee", "Ngwee", 2}, true
	case "ETB":
		return unitNames{"Ethiopian Birr", "Ethiopian Birr", "Santim", "Santims", 2}, true

	case "USD":
		return unitNames{"US Dollar", "US Dollars", "Cent", "Cents", 2}, true
	case "AUD":
		return unitNames{"Australian Dollar", "Australian Dollars", "Cent", "Cents", 2}, true
	case "CAD":
		return unitNames{"Canadian Dollar", "Canadian Dollars", "Cent", "Cents", 2}, true
	case "NZD":
		return unitNames{"New Zealand Dollar", "New Zealand Dollars", "Cent", "Cents", 2}, true
	case "SGD":
		return unitNames{"Singapore Dollar", "Singapore Dollars", "Cent", "Cents", 2}, true
	case "HKD":
		return unitNames{"Hong Kong Dollar", "Hong Kong Dollars", "Cent", "Cents", 2}, true
	case "FJD":
		return unitNames{"Fiji Dollar", "Fiji Dollars", "Cent", "Cents", 2}, true
	case "EUR":
		return unitNames{"Euro", "Euros", "Cent", "Cents", 2}, true
	case "GBP":
		return unitNames{"Pound Sterling", "Pounds Sterling", "Penny", "Pence", 2}, true
	case "CHF":
		return unitNames{"Swiss Franc", "Swiss Francs", "Centime", "Centimes", 2}, true

	case "MYR":
		return unitNames{"Malaysian Ringgit", "Malaysian Ringgit", "Sen", "Sen", 2}, true
	case "IDR":
		return unitNames{"Indonesian Rupiah", "Indonesian Rupiah", "Sen", "Sen", 2}, true
	case "THB":
		return unitNames{"Thai Baht", "Thai Baht", "Satang", "Satang", 2}, true
	case "PHP":
		return unitNames{"Philippine Peso", "Philippine Pesos", "Centavo", "Centavos", 2}, true
	case "CNY":
		return unitNames{"Chinese Yuan", "Chinese Yuan", "Fen", "Fen", 2}, true
	case "JPY":
		return unitNames{major: "Japanese Yen", majors: "Japanese Yen"}, true
	case "KRW":
		return unitNames{major: "South Korean Won", majors: "South Korean Won"}, true
	case "VND":
		return unitNames{major: "Vietnamese Dong", majors: "Vietnamese Dong"}, true
	}
	return unitNames{}, false
}
