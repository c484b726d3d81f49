package store

import (
	"cmp"
	"context"
	"slices"

	"raseed/store/fees"
)

// PreviewRun tells what a billing run of a period would do, with re-pricing and
// without, for one class or with "" for all, and writes nothing. Codes: Invalid
// with Fields period or class, NotFound (the institute).
func (s *Store) PreviewRun(ctx context.Context, institute, period, class string) (fees.RunPreview, error) {
	b, err := s.openBilling(ctx, institute, period, class)
	if err != nil {
		return fees.RunPreview{}, err
	}
	b.pricing = true
	if err := b.readFamilies(ctx); err != nil {
		return fees.RunPreview{}, err
	}
	p := previewer{b: b, heads: map[string]*fees.HeadAmount{}}
	p.preview.Period, p.preview.Class = b.period, b.class
	for batch, err := range b.batches(ctx) {
		if err != nil {
			return fees.RunPreview{}, err
		}
		all, err := b.compare(ctx, batch)
		if err == nil {
			err = outageOrNil("read payments", b.readMoney(ctx, all))
		}
		if err != nil {
			return fees.RunPreview{}, err
		}
		for i := range all {
			p.add(&all[i])
		}
	}
	p.preview.Tally.Students = p.preview.Tally.Done
	p.sumHeads()
	return p.preview, nil
}

// previewer adds up what a run would do.
type previewer struct {
	b       *billing
	preview fees.RunPreview
	heads   map[string]*fees.HeadAmount
}

// add adds a student.
func (p *previewer) add(c *compared) {
	c.count(&p.preview.Tally)
	for _, l := range c.there.lines() {
		p.head(l).Billed += l.Net
	}
	switch c.verdict {
	case toCreate:
		for _, l := range c.bill.Lines {
			p.head(l).Amount += l.Net
		}
	case changed:
		for _, l := range fees.Difference(c.there.lines(), c.bill.Lines) {
			p.head(l).Repriced += l.Net
		}
		if len(p.preview.Changes) < fees.RunPreviewList {
			p.preview.Changes = append(p.preview.Changes, fees.RunChange{
				Student: c.student.AdmissionNo, Name: c.student.Name, Class: c.student.Class,
				Before: c.there.net(), After: c.bill.Net, Difference: c.there.differs(),
			})
		}
	case inactive:
		p.skip(c.student, fees.SkipInactive)
	case noLine:
		p.skip(c.student, fees.SkipNoLine)
	case cancelled:
		p.skip(c.student, fees.SkipCancelled)
	}
}

func (p *previewer) skip(st fees.Student, why fees.SkipReason) {
	if len(p.preview.Skips) < fees.RunPreviewList {
		p.preview.Skips = append(p.preview.Skips, fees.RunSkip{Student: st.AdmissionNo, Name: st.Name, Class: st.Class, Reason: why})
	}
}

// head is the sum of the line's head.
func (p *previewer) head(l fees.BillLine) *fees.HeadAmount {
	h := p.heads[l.Head]
	if h == nil {
		h = &fees.HeadAmount{Head: l.Head, HeadName: cmp.Or(p.b.heads[l.Head].Name, l.HeadName)}
		p.heads[l.Head] = h
	}
	return h
}

// sumHeads puts the heads in their order; what comes to nothing is left out.
func (p *previewer) sumHeads() {
	for _, h := range p.heads {
		if h.Amount != 0 || h.Billed != 0 || h.Repriced != 0 {
			p.preview.PerHead = append(p.preview.PerHead, *h)
		}
	}
	slices.SortFunc(p.preview.PerHead, func(x, y fees.HeadAmount) int {
		return cmp.Or(cmp.Compare(p.b.heads[x.Head].Order, p.b.heads[y.Head].Order), cmp.Compare(x.Head, y.Head))
	})
}
