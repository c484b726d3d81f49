package mongodb

import (
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
)

// pagedServer has documents P:0 … P:n-1 and serves them in batches of 2.
func pagedServer(t *testing.T, n int) *scriptedServer {
	next := 0
	batch := func(field string) bson.D {
		docs := bson.A{}
		for ; next < n && len(docs) < 2; next++ {
			docs = append(docs, bson.D{{Key: "_id", Value: "P:" + string(rune('0'+next))}})
		}
		id := int64(77)
		if next == n {
			id = 0
		}
		return bson.D{{Key: "ok", Value: 1}, {Key: "cursor", Value: bson.D{
			{Key: "id", Value: id}, {Key: "ns", Value: "ledger.payments"}, {Key: field, Value: docs}}}}
	}
	return startServer(t, &scriptedServer{answer: func(name string, _ bson.Raw) any {
		switch name {
		case "find":
			return batch("firstBatch")
		case "getMore":
			return batch("nextBatch")
		default:
			return ok
		}
	}})
}

func TestFoundDocumentsStayTheCallers(t *testing.T) {
	var kept []bson.Raw
	for raw, err := range openOn(t, pagedServer(t, 5), "").Find(t.Context(), "payments", nil, docdb.Find{}) {
		if err != nil {
			t.Fatal(err)
		}
		kept = append(kept, raw)
	}
	if len(kept) != 5 {
		t.Fatalf("%d documents over three batches, want 5", len(kept))
	}
	for i, raw := range kept {
		if want := "P:" + string(rune('0'+i)); raw.Lookup("_id").StringValue() != want {
			t.Errorf("document %d reads %v after the end, want %s", i, raw, want)
		}
	}
}

func TestALoopThatEndsEarlyClosesItsCursor(t *testing.T) {
	s := pagedServer(t, 5)
	for _, err := range openOn(t, s, "").Find(t.Context(), "payments", nil, docdb.Find{}) {
		if err != nil {
			t.Fatal(err)
		}
		break
	}
	killed := s.commands("killCursors")
	if len(killed) != 1 || killed[0].Lookup("cursors", "0").Int64() != 77 {
		t.Errorf("killCursors sent: %v, want one for cursor 77", killed)
	}
	if n := len(s.commands("getMore")); n != 0 {
		t.Errorf("%d more batches were asked for after the loop ended", n)
	}
}

func TestAConnectionLostMidwayEndsTheSequence(t *testing.T) {
	s := startServer(t, &scriptedServer{answer: func(name string, _ bson.Raw) any {
		if name != "find" {
			return hangUp
		}
		return bson.D{{Key: "ok", Value: 1}, {Key: "cursor", Value: bson.D{{Key: "id", Value: int64(77)},
			{Key: "ns", Value: "ledger.payments"}, {Key: "firstBatch", Value: bson.A{one}}}}}
	}})
	var seen int
	var last error
	for _, err := range openOn(t, s, "timeoutMS=500").Find(t.Context(), "payments", nil, docdb.Find{}) {
		seen, last = seen+1, err
	}
	if seen != 2 || meaning(last) != "unavailable" {
		t.Errorf("%d elements, the last %v; want the one document and then ErrUnavailable", seen, last)
	}
}

func TestFindAsksForWhatItWasToldTo(t *testing.T) {
	s := pagedServer(t, 1)
	opts := docdb.Find{Sort: []docdb.Key{{Path: "a.b"}, {Path: "_id", Desc: true}}, Limit: 200, Fields: []string{"a", "c"}}
	filter := bson.D{{Key: "a.b", Value: bson.D{{Key: "$gt", Value: int64(3)}}}}
	if _, err := docdb.All[bson.D](openOn(t, s, "").Find(t.Context(), "payments", filter, opts)); err != nil {
		t.Fatal(err)
	}
	sent := s.commands("find")[0]
	for field, want := range map[string]string{
		"filter":     `{"a.b": {"$gt": {"$numberLong":"3"}}}`,
		"sort":       `{"a.b": {"$numberInt":"1"},"_id": {"$numberInt":"-1"}}`,
		"projection": `{"a": {"$numberInt":"1"},"c": {"$numberInt":"1"}}`,
		"limit":      `{"$numberLong":"200"}`,
		"batchSize":  `{"$numberInt":"201"}`, // the page in one round trip, cursor closed
	} {
		if got := sent.Lookup(field).String(); got != want {
			t.Errorf("%s is %s, want %s", field, got, want)
		}
	}
}
