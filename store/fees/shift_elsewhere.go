package fees

// TakenBack is a receipt of a till that was reversed, or of which something was
// refunded, by a row that did not go through that till: it is in none of its sums.
type TakenBack struct {
	Receipt Row // with ID, NumberText and Total
	By      Row // with ID, Kind, NumberText, Total, Tenders, CashierName, RecordedAt and Shift, "" for no till
}
