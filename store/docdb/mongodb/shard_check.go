package mongodb

import (
	"context"
	"fmt"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo/options"

	"raseed/store/docdb"
)

// keptShards is a sharded collection as a cluster's config.collections has it.
type keptShards struct {
	Namespace string `bson:"_id"`
	Key       bson.D `bson:"key"`
}

// checkShards refuses a sharded cluster that has distributed a collection in
// another way than its unique keys allow: "_id" is unique within a shard only.
func (db *DB) checkShards(ctx context.Context, collections []docdb.Collection, l lacks) error {
	var hello struct {
		Msg string `bson:"msg"`
	}
	if err := db.db.RunCommand(ctx, bson.D{{Key: "hello", Value: int32(1)}}).Decode(&hello); err != nil {
		return readError("say hello to", "the server", err)
	}
	if hello.Msg != "isdbgrid" { // no mongos
		return nil
	}
	declared := map[string]docdb.Collection{}
	var namespaces bson.A
	for _, c := range collections {
		declared[db.db.Name()+"."+c.Name] = c
		namespaces = append(namespaces, db.db.Name()+"."+c.Name)
	}
	cursor, err := db.client.Database("config").Collection("collections").Find(ctx, bson.D{
		{Key: "_id", Value: bson.D{{Key: "$in", Value: namespaces}}},
		{Key: "dropped", Value: bson.D{{Key: "$ne", Value: true}}},
	}, options.Find().SetComment("how collections are sharded"))
	var sharded []keptShards
	if err == nil {
		err = cursor.All(ctx, &sharded)
	}
	if hasCode(err, codeUnauthorized) {
		l.add(lacksShardKeys, db.db.Name())
		return nil
	}
	if err != nil {
		return readError("look how collections are sharded in", "config", err)
	}
	for _, s := range sharded {
		if err := checkShardKey(declared[s.Namespace], s.Key); err != nil {
			return err
		}
	}
	return nil
}

func checkShardKey(c docdb.Collection, key bson.D) error {
	switch {
	case c.Shard == "":
		return fmt.Errorf("collection %s: it is sharded by %v and has to stay whole, for its keys are unique over all of it; "+
			"move it to one shard (sh.unshardCollection) and start again", c.Name, key)
	case !sameKeys(key, []docdb.Key{{Path: c.Shard}}):
		return fmt.Errorf("collection %s: it is sharded by %v, and its keys are unique only where that is {%s: 1}; "+
			"change it (sh.reshardCollection) and start again", c.Name, key, c.Shard)
	}
	return nil
}
