package store

import (
	"context"

	"raseed/store/fees"
)

// readFamilies notes who is the second child of a family, or a later one. All
// families are read at the start, though the run may be of one class: brothers
// and sisters are in others, and a family whose name is written in two ways is
// one. Nothing is read where no rule asks for it.
func (b *billing) readFamilies(ctx context.Context) error {
	if len(b.siblings) == 0 {
		return nil
	}
	var failed error
	ranks := fees.SiblingRanks(func(yield func(fees.Student) bool) {
		for batch, err := range b.s.studentBatches(ctx, b.inst.Code, []string{""}, "admissionNo", "family", "status") {
			if failed = err; err != nil {
				return
			}
			for _, st := range batch {
				if !yield(st) {
					return
				}
			}
		}
	})
	if failed != nil {
		return failed
	}
	for no, rank := range ranks {
		if rank > 1 { // most of a school are no sibling
			b.ranks[no] = rank
		}
	}
	return nil
}

// rankOf is the rank of a student in the family.
func (b *billing) rankOf(student string) int64 { return max(b.ranks[student], 1) }
