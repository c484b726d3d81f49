package mongodb

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
)

// Explain asks the server's planner. Text is its whole answer; a server that
// explains in other words than MongoDB's gives Text only.
func (db *DB) Explain(ctx context.Context, coll string, filter bson.D, opts docdb.Find) (docdb.Plan, error) {
	ctx, done := db.within(ctx, db.timeout)
	defer done()
	find := bson.D{{Key: "find", Value: coll}, {Key: "filter", Value: where(filter)}}
	if len(opts.Sort) > 0 {
		find = append(find, bson.E{Key: "sort", Value: keyDoc(opts.Sort)})
	}
	if len(opts.Fields) > 0 {
		find = append(find, bson.E{Key: "projection", Value: fieldDoc(opts.Fields)})
	}
	if opts.Limit > 0 {
		find = append(find, bson.E{Key: "limit", Value: opts.Limit})
	}
	command := bson.D{{Key: "explain", Value: find}, {Key: "verbosity", Value: "queryPlanner"}}
	answer, err := db.db.RunCommand(ctx, command).Raw()
	if err != nil {
		return docdb.Plan{}, readError("explain find in", coll, err)
	}
	return readPlan(answer), nil
}

// readPlan reads the plan that won, wherever it is: on a sharded cluster there
// is one per shard, and newer servers nest it in queryPlan.
func readPlan(answer bson.Raw) docdb.Plan {
	plan := docdb.Plan{Text: answer.String()}
	if winner, ok := answer.Lookup("queryPlanner", "winningPlan").DocumentOK(); ok {
		readStage(winner, &plan)
	}
	return plan
}

// readStage adds what a stage and those under it say. Stage names are those of
// the server's src/mongo/db/query/stage_types.cpp.
func readStage(stage bson.Raw, plan *docdb.Plan) {
	name, _ := stage.Lookup("stage").StringValueOK()
	switch name {
	case "COLLSCAN":
		plan.Scan = true
	case "SORT":
		plan.MemorySort = true
	case "IDHACK", "EXPRESS_CLUSTERED_IXSCAN":
		plan.Index = "_id_"
	}
	if index, ok := stage.Lookup("indexName").StringValueOK(); ok {
		plan.Index = index
	}
	elements, err := stage.Elements()
	if err != nil {
		return
	}
	for _, e := range elements {
		if child, ok := e.Value().DocumentOK(); ok {
			readStage(child, plan)
		} else if children, ok := e.Value().ArrayOK(); ok {
			readStage(bson.Raw(children), plan)
		}
	}
}
