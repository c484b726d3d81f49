package mongodb

import (
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
)

// The shapes below are those that MongoDB 4.4 to 8.0 answer with.
func TestPlans(t *testing.T) {
	for _, c := range []struct {
		name, answer string
		want         docdb.Plan
	}{
		{
			"an index", `{"queryPlanner": {"winningPlan": {"stage": "FETCH", "inputStage": {"stage": "IXSCAN", "indexName": "by_date", "keyPattern": {"institute": 1}}},
				"rejectedPlans": [{"stage": "SORT", "inputStage": {"stage": "COLLSCAN"}}]}}`,
			docdb.Plan{Index: "by_date"},
		},
		{"a scan", `{"queryPlanner": {"winningPlan": {"stage": "COLLSCAN", "filter": {}}}}`, docdb.Plan{Scan: true}},
		{
			"a sort in memory", `{"queryPlanner": {"winningPlan": {"stage": "LIMIT", "inputStage": {"stage": "SORT", "inputStage": {"stage": "FETCH", "inputStage": {"stage": "IXSCAN", "indexName": "by_date"}}}}}}`,
			docdb.Plan{MemorySort: true, Index: "by_date"},
		},
		{"the key", `{"queryPlanner": {"winningPlan": {"stage": "IDHACK"}}}`, docdb.Plan{Index: "_id_"}},
		{"express, version 8", `{"queryPlanner": {"winningPlan": {"isCached": false, "stage": "EXPRESS_IXSCAN", "indexName": "_id_"}}}`, docdb.Plan{Index: "_id_"}},
		{
			"slot based engine", `{"queryPlanner": {"winningPlan": {"queryPlan": {"stage": "FETCH", "planNodeId": 2, "inputStage": {"stage": "IXSCAN", "indexName": "by_date"}}, "slotBasedPlan": {"slots": "s1", "stages": "SORT COLLSCAN"}}}}`,
			docdb.Plan{Index: "by_date"},
		},
		{
			"one branch of an or scans", `{"queryPlanner": {"winningPlan": {"stage": "SUBPLAN", "inputStage": {"stage": "OR", "inputStages": [{"stage": "IXSCAN", "indexName": "by_phone"}, {"stage": "COLLSCAN"}]}}}}`,
			docdb.Plan{Scan: true, Index: "by_phone"},
		},
		{
			"one shard scans", `{"queryPlanner": {"winningPlan": {"stage": "SHARD_MERGE_SORT", "shards": [{"shardName": "a", "winningPlan": {"stage": "IXSCAN", "indexName": "by_date"}}, {"shardName": "b", "winningPlan": {"stage": "COLLSCAN"}}]}}}`,
			docdb.Plan{Scan: true, Index: "by_date"},
		},
		{"merging sorted branches is no sort", `{"queryPlanner": {"winningPlan": {"stage": "SORT_MERGE", "inputStages": [{"stage": "IXSCAN", "indexName": "by_date"}]}}}`, docdb.Plan{Index: "by_date"}},
		{"another server's words", `{"queryPlanner": ["id=2 parent=0 notused=0 detail=SCAN payments"]}`, docdb.Plan{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var answer bson.Raw
			if err := bson.UnmarshalExtJSON([]byte(c.answer), false, &answer); err != nil {
				t.Fatal(err)
			}
			got := readPlan(answer)
			if got.Text != answer.String() {
				t.Errorf("text is %q, want the server's answer", got.Text)
			}
			if got.Text = ""; got != c.want {
				t.Errorf("%s reads as %+v, want %+v", c.answer, got, c.want)
			}
		})
	}
}
