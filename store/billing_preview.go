package store

import (
	"cmp"
	"context"
	"slices"

	"raseed/store/fees"
)

// PreviewRun tells what a billing run of a period would do, for one class or
// with "" for all, and writes nothing. Codes: Invalid with Fields period or
// class, NotFound (the institute).
func (s *Store) PreviewRun(ctx context.Context, institute, period, class string) (fees.RunPreview, error) {
	b, err := s.openBilling(ctx, institute, period, class)
	if err != nil {
		return fees.RunPreview{}, err
	}
	preview := fees.RunPreview{Period: b.period}
	perHead := map[string]fees.Amount{}
	for batch, err := range b.batches(ctx) {
		if err != nil {
			return fees.RunPreview{}, err
		}
		all, err := b.compare(ctx, batch)
		if err != nil {
			return fees.RunPreview{}, err
		}
		for _, c := range all {
			c.count(&preview.Tally)
			if c.verdict != toCreate {
				continue
			}
			for _, line := range c.bill.Lines {
				perHead[line.Head] += line.Net
			}
		}
	}
	preview.Tally.Students = preview.Tally.Done
	for head, amount := range perHead {
		preview.PerHead = append(preview.PerHead, fees.HeadAmount{Head: head, HeadName: b.heads[head].Name, Amount: amount})
	}
	slices.SortFunc(preview.PerHead, func(x, y fees.HeadAmount) int {
		return cmp.Or(cmp.Compare(b.heads[x.Head].Order, b.heads[y.Head].Order), cmp.Compare(x.Head, y.Head))
	})
	return preview, nil
}
