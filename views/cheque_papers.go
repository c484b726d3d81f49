package views

import (
	"strings"

	"raseed/store/fees"
)

// papersOf are cheques as they lie on the table: the parts of one that was split
// over a family's receipts are one again.
func papersOf(all []fees.Cheque) []fees.Cheque {
	var papers []fees.Cheque
	for _, parts := range fees.PapersOf(all) {
		paper, sum := parts[0], fees.Amount(0)
		for n, part := range parts {
			sum += part.Amount
			if n > 0 {
				paper.StudentName += ", " + part.StudentName
				paper.Receipt += ", " + part.Receipt
			}
		}
		paper.Amount = max(sum, paper.MadeOutFor())
		papers = append(papers, paper)
	}
	return papers
}

func sumPapers(papers []fees.Cheque) (sum fees.Amount) {
	for _, p := range papers {
		sum += p.Amount
	}
	return sum
}

// countPapers says how many there are: "2 cheques and 1 draft", "" for none.
func countPapers(papers []fees.Cheque) string {
	var drafts int64
	for _, p := range papers {
		if p.Mode == fees.ModeDraft {
			drafts++
		}
	}
	var kinds []string
	if n := int64(len(papers)) - drafts; n > 0 {
		kinds = append(kinds, Plural(n, "cheque"))
	}
	if drafts > 0 {
		kinds = append(kinds, Plural(drafts, "draft"))
	}
	return strings.Join(kinds, " and ")
}
