package store

import "go.mongodb.org/mongo-driver/v2/bson"

// lastRune sorts after everything that a key may go on with.
const lastRune = "\U0010FFFF"

// under selects the documents whose key begins with prefix.
func under(prefix string) bson.E { return underAfter(prefix, "") }

// underAfter selects those of them whose key is greater than after.
func underAfter(prefix, after string) bson.E {
	from := bson.E{Key: "$gte", Value: prefix}
	if after >= prefix {
		from = bson.E{Key: "$gt", Value: after}
	}
	return bson.E{Key: "_id", Value: bson.D{from, {Key: "$lt", Value: prefix + lastRune}}}
}

// one selects the document of the institute that has this key. The institute
// is part of every write's filter: it is the shard key.
func one(institute, id string) bson.D {
	return bson.D{{Key: "_id", Value: id}, {Key: "institute", Value: institute}}
}

// set is the update that sets one field.
func set(field string, value any) bson.D {
	return bson.D{{Key: "$set", Value: bson.D{{Key: field, Value: value}}}}
}
