package store

import (
	"context"
	"maps"
	"slices"

	"raseed/store/fees"
)

// walkLists checks what bills are made from, and the repairs on record: that
// each document is of its key's institute, that no head which bills name is
// gone, and that concessions are somebody's. It comes after the bills and the
// students: a bill is written after its heads, a concession after its student.
func (a *auditor) walkLists(ctx context.Context) error {
	for _, coll := range []string{heads, periods, plans, concessions, repairs} {
		for raw, err := range a.s.pagesByKey(ctx, coll, fees.Key(a.inst.Code, ""), "institute", "student", "code") {
			if err != nil {
				return err
			}
			id := textOf(raw, "_id")
			if textOf(raw, "institute") != a.inst.Code {
				a.find("list", id, "%s: the document's key and what it says differ", coll)
			}
			switch coll {
			case heads:
				delete(a.links.heads, textOf(raw, "code"))
			case concessions:
				if err := a.concession(ctx, id, textOf(raw, "student")); err != nil {
					return err
				}
			}
		}
	}
	for _, head := range slices.Sorted(maps.Keys(a.links.heads)) {
		switch head {
		case fees.HeadOpening, fees.HeadBounce, fees.HeadLateFee: // the program's own, in no list
		default:
			a.find("list", fees.Key(a.inst.Code, head), "the head %s is gone, and the bill %s names it", head, a.links.heads[head])
		}
	}
	return nil
}

func (a *auditor) concession(ctx context.Context, id, student string) error {
	if t := a.people[student]; t != nil && t.there {
		return nil
	}
	n, err := a.s.DB.Count(ctx, students, one(a.inst.Code, fees.Key(a.inst.Code, student)), 1)
	if err == nil && n == 0 {
		a.find("orphan", id, "the concession is of the student %s, who is not there", student)
	}
	return err
}
