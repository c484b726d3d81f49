package mongodb

import "testing"

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
