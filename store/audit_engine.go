package store

import (
	"cmp"
	"context"
	"strings"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// auditEngine has an engine that keeps more than documents check itself, and
// tells of its damage what concerns the institute, with "" all.
func (s *Store) auditEngine(ctx context.Context, institute string) (damage []fees.Finding, err error) {
	checker, ok := s.DB.(docdb.Checker)
	if !ok {
		return nil, nil
	}
	others := false
	for d, err := range checker.Check(ctx) {
		if err != nil {
			return damage, err
		}
		owner := ownerOf(d.Coll, d.ID)
		if institute != "" && owner != institute && d.ID != "" {
			others = true
			continue
		}
		damage = append(damage, fees.Finding{
			Institute: owner, What: "damage", ID: cmp.Or(d.ID, d.Coll, "file"), Text: strings.TrimSpace(d.Coll + " " + d.Text),
		})
	}
	if others {
		damage = append(damage, fees.Finding{
			Institute: institute, What: "damage", ID: "file", Text: "Documents in the same file that are not of " + institute + " are damaged: an audit of all institutes names them",
		})
	}
	return damage, nil
}

// ownerOf is the institute that a document's key names, "" where keys name
// none.
func ownerOf(coll, id string) string {
	switch coll {
	case users, sessions, attempts:
		return ""
	case counters:
		id = fees.After(id)
	}
	institute, _, _ := strings.Cut(id, ":")
	return institute
}
