package fees

import "testing"

func TestUPILink(t *testing.T) {
	t.Parallel()
	inst := Institute{Name: "St. Mary's & Sons, दिल्ली", UPI: "school.fees@okbank", Currency: "INR", Decimals: 2}
	const want = "upi://pay?pa=school.fees@okbank&pn=St.%20Mary%27s%20%26%20Sons%2C%20%E0%A4%A6%E0%A4%BF%E0%A4%B2%E0%A5%8D%E0%A4%B2%E0%A5%80&am=4500.05&cu=INR&tn=Fees%20A%2F12-B"
	if got := inst.UPILink(450005, "Fees A/12-B", ""); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := inst.UPILink(450005, "Fees A/12-B", "01JDYAZXW0M6V7J3QK4R5T8N9P"); got != want+"&tr=01JDYAZXW0M6V7J3QK4R5T8N9P" {
		t.Errorf("with a reference: %s", got)
	}
}

func TestValidUPI(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"school@bank": true, "a.b-c_d1@ok-axis": true, "9810000001@upi": true,
		"": false, "school": false, "@bank": false, "s@bank": false, "school@": false, "school@b": false, "a b@bank": false,
		"school@bank&am=1": false, "school@bank@x": false, "sch?ool@bank": false, "स्कूल@bank": false,
	} {
		if got := ValidUPI(address); got != want {
			t.Errorf("%q: %t, want %t", address, got, want)
		}
	}
}
