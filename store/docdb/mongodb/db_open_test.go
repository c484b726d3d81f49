package mongodb

import (
	"errors"
	"strings"
	"testing"

	"raseed/store/docdb"
)

func TestDatabaseName(t *testing.T) {
	for _, c := range []struct{ uri, want string }{
		{"mongodb://localhost", "raseed"},
		{"mongodb://localhost/", "raseed"},
		{"mongodb://localhost/?replicaSet=rs", "raseed"},
		{"mongodb://localhost?x=a/b", "raseed"},
		{"mongodb://localhost:27017/dps", "dps"},
		{"mongodb://a:27017,b:27018,c:27019/dps?replicaSet=rs", "dps"},
		{"mongodb+srv://u:p%2Fw@cluster.example/fees%2D1?w=majority", "fees-1"},
		{"mongodb://%2Ftmp%2Fmongodb-27017.sock/dps", "dps"},
		{"localhost/dps", ""},
		{"mongodb://localhost/%zz", ""},
	} {
		got, err := databaseName(c.uri)
		if got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%s: %q, %v; want %q", c.uri, got, err, c.want)
		}
	}
}

// A wrong password sends nobody to look for a firewall, and is not repeated.
func TestOpenWithoutALogin(t *testing.T) {
	s := startServer(t, &scriptedServer{}) // knows no login
	refused := 0
	for range 10 { // now and then the driver forgets why the connection failed
		_, err := Open(t.Context(), "mongodb://asha:wrong@"+s.addr+"/raseed?serverSelectionTimeoutMS=300", Options{})
		if err == nil || strings.Contains(err.Error(), "wrong") {
			t.Fatalf("open with a login that is refused: %v", err)
		}
		if strings.Contains(err.Error(), "user or password") && !errors.Is(err, docdb.ErrUnavailable) {
			refused++
		}
	}
	if refused == 0 {
		t.Error("a login that is refused is told as a server that is away")
	}
}
