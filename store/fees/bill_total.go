package fees

// BillTotal is how many bills a period has and what they come to.
type BillTotal struct {
	Period string `bson:"period"`
	Count  int64  `bson:"count"`
	Net    Amount `bson:"net"`
}
