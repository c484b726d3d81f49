package wiretest

import (
	"context"
	"iter"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
)

// query is the part that reads have in common.
type query struct {
	coll   string
	filter bson.D
	opts   docdb.Find
}

// queryOf reads a find command, or what is explained like one.
func queryOf(command bson.Raw) (q query, err error) {
	q.coll = collectionOf(command)
	if q.filter, err = document(command, "filter"); err != nil {
		return q, err
	}
	sort, err := document(command, "sort")
	if err != nil {
		return q, err
	}
	fields, err := document(command, "projection")
	if err != nil {
		return q, err
	}
	if n, _ := command.Lookup("skip").AsInt64OK(); n != 0 {
		return q, refuse(2, "BadValue", "skip is outside of the subset")
	}
	q.opts.Sort = keysOf(sort)
	for _, f := range fields {
		q.opts.Fields = append(q.opts.Fields, f.Key)
	}
	q.opts.Limit, _ = command.Lookup("limit").AsInt64OK()
	return q, nil
}

// keysOf is a sort as docdb says it.
func keysOf(sort bson.D) []docdb.Key {
	var keys []docdb.Key
	for _, e := range sort {
		descending := false
		switch n := e.Value.(type) {
		case int32:
			descending = n < 0
		case int64:
			descending = n < 0
		case float64:
			descending = n < 0
		}
		keys = append(keys, docdb.Key{Path: e.Key, Desc: descending})
	}
	return keys
}

// reading runs f on a collection that there is; found is false where there is
// none, which to a read is an empty one.
func (s *Server) reading(command bson.Raw, coll string, f func(ctx context.Context, d *database) error) (d *database, found bool, err error) {
	if d, err = s.database(command); err != nil {
		return nil, false, err
	}
	ctx, cancel := s.deadline(command)
	defer cancel()
	d.mu.RLock()
	defer d.mu.RUnlock()
	if _, found = d.collections[coll]; !found {
		return d, false, nil
	}
	return d, true, f(ctx, d)
}

func (s *Server) find(command bson.Raw) (answer bson.D, err error) {
	q, err := queryOf(command)
	if err != nil {
		return nil, err
	}
	d, found, err := s.reading(command, q.coll, func(_ context.Context, d *database) error {
		c := s.newCursor(d, q.coll, command, func(ctx context.Context) iter.Seq2[bson.Raw, error] {
			return d.db.Find(ctx, q.coll, q.filter, q.opts)
		})
		answer, err = s.first(c, command.Lookup("batchSize"))
		return err
	})
	if err == nil && !found {
		answer = cursorAnswer("firstBatch", bson.A{}, 0, d.name+"."+q.coll)
	}
	return answer, err
}

func (s *Server) count(command bson.Raw) (bson.D, error) {
	filter, err := document(command, "query")
	if err != nil {
		return nil, err
	}
	coll, n := collectionOf(command), int64(0)
	limit, _ := command.Lookup("limit").AsInt64OK()
	_, _, err = s.reading(command, coll, func(ctx context.Context, d *database) error {
		n, err = d.db.Count(ctx, coll, filter, limit)
		return err
	})
	return bson.D{{Key: "n", Value: n}}, err
}

// explain tells the engine's plan in the stages of a mongod's.
func (s *Server) explain(command bson.Raw) (bson.D, error) {
	explained, ok := command.Lookup("explain").DocumentOK()
	if !ok || CommandName(explained) != "find" {
		return nil, refuse(59, "CommandNotFound", "only a find is explained")
	}
	q, err := queryOf(explained)
	if err != nil {
		return nil, err
	}
	stage := bson.D{{Key: "stage", Value: "EOF"}}
	d, _, err := s.reading(command, q.coll, func(ctx context.Context, d *database) error {
		plan, err := d.db.Explain(ctx, q.coll, q.filter, q.opts)
		stage = stageOf(plan)
		return err
	})
	if err != nil {
		return nil, err
	}
	return bson.D{
		{Key: "explainVersion", Value: "1"},
		{Key: "queryPlanner", Value: bson.D{{Key: "namespace", Value: d.name + "." + q.coll}, {Key: "winningPlan", Value: stage}, {Key: "rejectedPlans", Value: bson.A{}}}},
	}, nil
}

func stageOf(plan docdb.Plan) bson.D {
	stage := bson.D{{Key: "stage", Value: "FETCH"}, {Key: "inputStage", Value: bson.D{{Key: "stage", Value: "IXSCAN"}, {Key: "indexName", Value: plan.Index}}}}
	if plan.Scan {
		stage = bson.D{{Key: "stage", Value: "COLLSCAN"}, {Key: "direction", Value: "forward"}}
	}
	if plan.MemorySort {
		stage = bson.D{{Key: "stage", Value: "SORT"}, {Key: "inputStage", Value: stage}}
	}
	return stage
}
