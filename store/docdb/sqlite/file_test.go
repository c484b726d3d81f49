package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
	"raseed/store/docdb"
	"raseed/store/docdb/sqlite"
)

var ctx = context.Background()

// d makes a document of names and values in turn.
func d(pairs ...any) bson.D {
	out := bson.D{}
	for i := 0; i < len(pairs); i += 2 {
		out = append(out, bson.E{Key: pairs[i].(string), Value: pairs[i+1]})
	}
	return out
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func count(t *testing.T, db docdb.DB, coll string, filter bson.D) int64 {
	t.Helper()
	n, err := db.Count(ctx, coll, filter, 0)
	must(t, err)
	return n
}

// shell runs SQL on the file as another program would.
func shell(t *testing.T, path, query string) string {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	must(t, err)
	defer db.Close()
	var out sql.NullString
	if err := db.QueryRow(query).Scan(&out); err != nil && !errors.Is(err, sql.ErrNoRows) {
		t.Fatalf("%s: %v", query, err)
	}
	return out.String
}

func TestKillKeepsWhatWasAcknowledged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "raseed.db")
	var acknowledged []string
	for round := range 5 {
		cmd, out := child(t, path, fmt.Sprint("r", round))
		for n := 0; n < 150 && out.Scan(); n++ {
			acknowledged = append(acknowledged, out.Text())
		}
		must(t, cmd.Process.Kill())
		for out.Scan() { // what it still said before it died
			acknowledged = append(acknowledged, out.Text())
		}
		cmd.Wait()
	}
	if len(acknowledged) < 5*150 {
		t.Fatalf("only %d writes were acknowledged", len(acknowledged))
	}
	db := openAt(t, path)
	must(t, db.Ensure(ctx, ledger))
	for _, id := range acknowledged {
		if n := count(t, db, "payments", d("_id", id, "note", id)); n != 1 {
			t.Errorf("%s was acknowledged and is lost", id)
		}
	}
	total := count(t, db, "payments", nil)
	if n := count(t, db, "payments", d("institute", "DPS", "awaiting", true)); n != total {
		t.Errorf("the partial index has %d rows, the collection %d", n, total)
	}
	if got := shell(t, path, "PRAGMA integrity_check"); got != "ok" {
		t.Errorf("the file is damaged: %s", got)
	}
}

func TestSecondOpenIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "raseed.db")
	cmd, out := child(t, path, "other")
	if !out.Scan() {
		t.Fatal("the other process wrote nothing")
	}
	_, err := sqlite.Open(ctx, path, sqlite.Options{})
	want := fmt.Sprintf("raseed.db is open in another raseed process (pid %d); stop it first, or point --db elsewhere", cmd.Process.Pid)
	if err == nil || err.Error() != want {
		t.Errorf("error is %v, want %s", err, want)
	}
	must(t, cmd.Process.Kill())
	cmd.Wait()
	db := openAt(t, path) // no stale lock is left
	if _, err := sqlite.Open(ctx, path, sqlite.Options{}); err == nil {
		t.Error("one process opened the file twice")
	}
	must(t, db.Close())
	must(t, openAt(t, path).Ping(ctx))
}

func TestReopenKeepsAll(t *testing.T) {
	path := filepath.Join(t.TempDir(), "raseed.db")
	db := openAt(t, path)
	must(t, db.Ensure(ctx, ledger))
	for i := range 100 {
		must(t, db.InsertOne(ctx, "payments", paymentOf(i)))
	}
	must(t, db.Close())
	if _, err := os.Stat(path + "-wal"); err == nil {
		t.Error("a closed file has a log beside it")
	}
	if err := db.InsertOne(ctx, "payments", paymentOf(101)); !errors.Is(err, docdb.ErrUnavailable) {
		t.Errorf("a write after Close gives %v, want ErrUnavailable", err)
	}
	if err := db.Ping(ctx); !errors.Is(err, docdb.ErrUnavailable) {
		t.Errorf("a read after Close gives %v, want ErrUnavailable", err)
	}
	db = openAt(t, path)
	must(t, db.Ensure(ctx, ledger))
	if n := count(t, db, "payments", d("institute", "DPS")); n != 100 {
		t.Errorf("%d documents after reopening, want 100", n)
	}
}

func TestReadOnlyBesideTheServer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "raseed.db")
	if _, err := sqlite.Open(ctx, path, sqlite.Options{ReadOnly: true}); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("reading a file that is not there gives %v", err)
	}
	server := openAt(t, path)
	must(t, server.Ensure(ctx, ledger))
	reader, err := sqlite.Open(ctx, path, sqlite.Options{ReadOnly: true})
	must(t, err)
	defer reader.Close()
	must(t, reader.Ensure(ctx, ledger))
	for i := range 50 {
		must(t, server.InsertOne(ctx, "payments", paymentOf(i)))
		if n := count(t, reader, "payments", d("institute", "DPS")); n != int64(i+1) {
			t.Fatalf("the reader sees %d of %d committed documents", n, i+1)
		}
	}
	if err := reader.InsertOne(ctx, "payments", paymentOf(99)); !errors.Is(err, docdb.ErrUnavailable) {
		t.Errorf("a write gives %v, want ErrUnavailable", err)
	}
	if err := reader.Ensure(ctx, []docdb.Collection{{Name: "more"}}); err == nil || !strings.Contains(err.Error(), "more is not in the file") {
		t.Errorf("ensuring what is not there gives %v", err)
	}
	must(t, reader.Close())
	must(t, server.Close())
	alone, err := sqlite.Open(ctx, path, sqlite.Options{ReadOnly: true})
	must(t, err)
	defer alone.Close()
	must(t, alone.Ensure(ctx, ledger))
	if n := count(t, alone, "payments", nil); n != 50 {
		t.Errorf("without a server %d documents are read, want 50", n)
	}
}

func TestIndexesComeAndGo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "raseed.db")
	db := openAt(t, path)
	must(t, db.Ensure(ctx, []docdb.Collection{{Name: "things"}}))
	for i := range 1300 {
		must(t, db.InsertOne(ctx, "things", d("_id", fmt.Sprintf("%04d", i), "n", int64(i), "sub", d("x", fmt.Sprint("s", i%10)), "tags", bson.A{fmt.Sprint("t", i%7)})))
	}
	indexed := []docdb.Collection{{Name: "things", Indexes: []docdb.Index{
		{Name: "by_n", Keys: asc("n"), Unique: true},
		{Name: "by_x", Keys: asc("sub.x", "_id")},
		{Name: "by_tag", Keys: []docdb.Key{{Path: "sub.x"}, {Path: "tags", Multi: true}}},
		{Name: "even", Keys: asc("_id"), Partial: exists("even")},
	}}}
	check := func(db docdb.DB) {
		t.Helper()
		for filter, want := range map[*bson.D]int64{
			{{Key: "n", Value: int64(700)}}:                                    1,
			{{Key: "sub.x", Value: "s3"}}:                                      130,
			{{Key: "sub.x", Value: "s3"}, {Key: "tags", Value: "t3"}}:          19,
			{{Key: "n", Value: bson.D{{Key: "$lt", Value: int64(9)}}}}:         9,
			{{Key: "even", Value: bson.D{{Key: "$exists", Value: true}}}}:      0,
			{{Key: "sub.x", Value: bson.D{{Key: "$exists", Value: false}}}}:    0,
			{{Key: "tags", Value: "t3"}, {Key: "n", Value: int64(3)}}:          1,
			{{Key: "_id", Value: bson.D{{Key: "$gte", Value: "1290"}}}}:        10,
			{{Key: "sub.x", Value: "s3"}, {Key: "tags", Value: bson.A{"t3"}}}:  19,
			{{Key: "sub.x", Value: "s3"}, {Key: "tags", Value: "nothing"}}:     0,
			{{Key: "sub", Value: bson.D{{Key: "x", Value: "s3"}}}}:             130,
			{{Key: "sub.x", Value: bson.D{{Key: "$in", Value: bson.A{"s3"}}}}}: 130,
		} {
			if n := count(t, db, "things", *filter); n != want {
				t.Errorf("%v counts %d, want %d", *filter, n, want)
			}
		}
	}
	scans := func(db docdb.DB, filter bson.D) bool {
		t.Helper()
		plan, err := db.Explain(ctx, "things", filter, docdb.Find{})
		must(t, err)
		return plan.Scan
	}
	check(db)
	if !scans(db, d("n", int64(1))) {
		t.Error("there is an index before it was declared")
	}
	must(t, db.Ensure(ctx, indexed))
	check(db)
	if scans(db, d("n", int64(1))) || scans(db, d("sub.x", "s1", "tags", "t1")) {
		t.Error("an index that was added is not used")
	}
	if err := db.InsertOne(ctx, "things", d("_id", "twin", "n", int64(5), "sub", d("x", "s"))); !docdb.IsDuplicate(err) {
		t.Errorf("a twin in an index that was added gives %v", err)
	}
	// A vacuum may number rows anew; nothing may depend on that.
	_, err := db.DeleteMany(ctx, "things", d("n", d("$lt", int64(100))))
	must(t, err)
	must(t, db.Close())
	shell(t, path, "VACUUM")
	db = openAt(t, path)
	must(t, db.Ensure(ctx, indexed))
	if n := count(t, db, "things", d("sub.x", "s3", "tags", "t3")); n != 17 {
		t.Errorf("after a vacuum %d documents have the tag, want 17", n)
	}
	must(t, db.Ensure(ctx, []docdb.Collection{{Name: "things"}}))
	if !scans(db, d("n", int64(500))) {
		t.Error("an index that is no longer declared is still there")
	}
	must(t, db.InsertOne(ctx, "things", d("_id", "twin", "n", int64(500))))
	if got := shell(t, path, "SELECT group_concat(name) FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'"); got != "things" {
		t.Errorf("the file still has %s", got)
	}
	if err := db.Ensure(ctx, indexed); err == nil {
		t.Error("a unique index was made over twins")
	}
	if n := count(t, db, "things", d("n", int64(500))); n != 2 {
		t.Errorf("after an index was refused there are %d twins, want 2", n)
	}
}

func TestDocumentsAreReadableInTheShell(t *testing.T) {
	path := filepath.Join(t.TempDir(), "raseed.db")
	db := openAt(t, path)
	must(t, db.Ensure(ctx, ledger))
	must(t, db.InsertOne(ctx, "counters", d("_id", "c", "n", int64(7), "s", "a\"b\nआ\x01", "at", now(), "ok", true, "bin", []byte{1, 2}, "list", bson.A{int64(1), d("x", "y")})))
	want := `{"_id":"c","n":7,"s":"a\"b\nआ\u0001","at":{"$date":"2026-11-30T10:00:00.000Z"},"ok":true,"bin":{"$binary":{"base64":"AQI=","subType":"00"}},"list":[1,{"x":"y"}]}`
	if got := shell(t, path, "SELECT doc FROM counters"); got != want {
		t.Errorf("document is\n %s, want\n %s", got, want)
	}
	if got := shell(t, path, "SELECT json_extract(doc, '$.list[1].x') FROM counters WHERE json_valid(doc)"); got != "y" {
		t.Errorf("SQLite reads %q in it, want y", got)
	}
	// And one that a person wrote there.
	shell(t, path, `INSERT INTO counters(_id, doc) VALUES('d', ' { "_id" : "d", "list" : [ 1 , { } ], "at": {"$date" : "2026-11-30T15:30:00+05:30"}, "s": "\u0041\ud835\udcb3\/" } ') RETURNING 1`)
	var got bson.Raw
	must(t, db.FindOne(ctx, "counters", d("_id", "d"), docdb.Find{}, &got))
	wantRaw, err := bson.Marshal(d("_id", "d", "list", bson.A{int64(1), bson.D{}}, "at", now(), "s", "A𝒳/"))
	must(t, err)
	if string(got) != string(wantRaw) {
		t.Errorf("document is %s, want %s", got, bson.Raw(wantRaw))
	}
	shell(t, path, `INSERT INTO counters(_id, doc) VALUES('e', '{"_id":"e","n":1.5}') RETURNING 1`)
	if err := db.FindOne(ctx, "counters", d("_id", "e"), docdb.Find{}, &got); err == nil || !strings.Contains(err.Error(), "no int64") {
		t.Errorf("a float that got in gives %v", err)
	}
}

func TestWhatCannotBeOpened(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		must(t, os.WriteFile(path, []byte(content), 0o600))
		return path
	}
	foreign, newer := filepath.Join(dir, "foreign.db"), filepath.Join(dir, "newer.db")
	shell(t, foreign, "CREATE TABLE x(y)")
	must(t, openAt(t, newer).Close())
	shell(t, newer, "PRAGMA user_version=99")
	for path, want := range map[string]string{
		write("text.db", strings.Repeat("this is no database\n", 100)): "not a SQLite database",
		foreign:                               "not one of raseed",
		newer:                                 "written by a newer raseed",
		filepath.Join(dir, "missing", "x.db"): "does not exist",
		filepath.Join(foreign, "x.db"):        "is not a directory",
		dir:                                   "is a directory",
	} {
		db, err := sqlite.Open(ctx, path, sqlite.Options{})
		if err == nil {
			db.Close()
			t.Errorf("%s was opened", path)
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error is %q, want %q in it", path, err, want)
		}
	}
	must(t, openAt(t, write("empty.db", "")).Ping(ctx))
}

// A filter that names its documents goes by their keys, however many it names
// and whatever else it says: an index on the institute holds the whole ledger.
func TestKeysComeFirst(t *testing.T) {
	db, err := sqlite.Open(ctx, filepath.Join(t.TempDir(), "raseed.db"), sqlite.Options{})
	must(t, err)
	defer db.Close()
	must(t, db.Ensure(ctx, []docdb.Collection{{Name: "rows", Indexes: []docdb.Index{{Name: "school", Keys: []docdb.Key{{Path: "school"}, {Path: "date"}}}}}}))
	for _, n := range []int{1, 2, 16, 300} {
		var keys []string
		for i := range n {
			keys = append(keys, fmt.Sprint("P:", i))
		}
		plan, err := db.Explain(ctx, "rows", d("_id", d("$in", keys), "school", "P"), docdb.Find{})
		must(t, err)
		if plan.Index != "_id_" || plan.Scan {
			t.Errorf("%d keys: %+v", n, plan)
		}
	}
}
