package sqlite_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"raseed/store/docdb"
	"raseed/store/docdb/sqlite"
)

// Whatever somebody edits by hand beside a document, Check tells.
func TestCheckFindsWhatDisagrees(t *testing.T) {
	decl := []docdb.Collection{{Name: "people", Indexes: []docdb.Index{
		{Name: "class", Keys: []docdb.Key{{Path: "school"}, {Path: "class"}}},
		{Name: "terms", Keys: []docdb.Key{{Path: "school"}, {Path: "terms", Multi: true}, {Path: "_id"}}},
	}}}
	for name, c := range map[string]struct{ edit, says string }{
		"nothing":               {"SELECT 1", ""},
		"a key column":          {`UPDATE people SET class='6' WHERE _id='P:2'`, "P:2: the column"},
		"the document":          {`UPDATE people SET doc=json_set(doc,'$.class','6') WHERE _id='P:2'`, "P:2: the column"},
		"the key":               {`UPDATE people SET _id='P:9' WHERE _id='P:2'`, "P:9: the document says that it is P:2"},
		"a document cut short":  {`UPDATE people SET doc='{' WHERE _id='P:2'`, "P:2: the document cannot be read"},
		"a fraction":            {`UPDATE people SET doc=json_set(doc,'$.age',1.5) WHERE _id='P:2'`, "P:2: the document"},
		"a search term less":    {`DELETE FROM people__terms WHERE terms='b'`, "P:2: the table"},
		"a search term more":    {`INSERT INTO people__terms SELECT school, 'z', _id, _row FROM people WHERE _id='P:2'`, "1 entries that no document asks for"},
		"a field that no index": {`UPDATE people SET doc=json_set(doc,'$.name','Other') WHERE _id='P:2'`, ""}, // for the ledger's hashes to find
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "raseed.db")
			db, err := sqlite.Open(ctx, path, sqlite.Options{})
			must(t, err)
			must(t, db.Ensure(ctx, decl))
			for _, p := range [][2]string{{"P:1", "a"}, {"P:2", "b"}, {"P:3", "c"}} {
				must(t, db.InsertOne(ctx, "people", d("_id", p[0], "school", "P", "class", "5", "age", int64(9), "terms", []string{p[1], "x"})))
			}
			must(t, db.Close())
			shell(t, path, c.edit)
			db, err = sqlite.Open(ctx, path, sqlite.Options{ReadOnly: true})
			must(t, err)
			defer db.Close()
			must(t, db.Ensure(ctx, decl))
			var all []string
			for damage, err := range db.Check(ctx) {
				must(t, err)
				all = append(all, damage.ID+": "+damage.Text)
			}
			got := strings.Join(all, "\n")
			if (c.says == "") != (got == "") || !strings.Contains(got, c.says) {
				t.Errorf("Check says %q, want %q", got, c.says)
			}
		})
	}
}

func TestOneFileHasOneName(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "raseed.db")
	db, err := sqlite.Open(ctx, path, sqlite.Options{})
	must(t, err)
	defer db.Close()
	if at, err := os.Stat(path); err != nil || at.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v (%v): others may read it", at.Mode(), err)
	}
	link := filepath.Join(dir, "link.db")
	must(t, os.Symlink(path, link))
	folder := filepath.Join(t.TempDir(), "folder")
	must(t, os.Symlink(dir, folder))
	for _, other := range []string{link, filepath.Join(folder, "raseed.db")} {
		if _, err := sqlite.Open(ctx, other, sqlite.Options{}); err == nil || !strings.Contains(err.Error(), "another raseed process") {
			t.Errorf("%s is a second way to an open file: %v", other, err)
		}
	}
	hard := filepath.Join(dir, "hard.db")
	must(t, os.Link(path, hard))
	if _, err := sqlite.Open(ctx, hard, sqlite.Options{}); err == nil || !strings.Contains(err.Error(), "2 names") {
		t.Errorf("a hard link: %v", err)
	}
}
