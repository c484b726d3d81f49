package store

import "go.mongodb.org/mongo-driver/v2/bson"

// The words in which schema_rules.go is written: MongoDB's $jsonSchema, as much
// of it as the ledger needs and docdbtest understands.

// rule is a field of a document.
type rule struct {
	field    string
	value    bson.D
	required bool
}

func must(field string, value bson.D) rule { return rule{field, value, true} }

func may(field string, value bson.D) rule { return rule{field, value, false} }

// isDocument is a document that has these fields and perhaps others.
func isDocument(rules ...rule) bson.D {
	required, properties := bson.A{}, bson.D{}
	for _, r := range rules {
		properties = append(properties, bson.E{Key: r.field, Value: r.value})
		if r.required {
			required = append(required, r.field)
		}
	}
	return bson.D{{Key: "bsonType", Value: "object"}, {Key: "required", Value: required}, {Key: "properties", Value: properties}}
}

// isOwned is a document of an institute, whose code is in its key.
func isOwned(rules ...rule) bson.D {
	return isDocument(append([]rule{must("_id", isLike("^([a-z]+:)?[A-Z][A-Z0-9]{0,7}:.")), must("institute", isCode())}, rules...)...)
}

// isAnyText may be empty, isText may not.
func isAnyText() bson.D { return bson.D{{Key: "bsonType", Value: "string"}} }

func isText() bson.D { return append(isAnyText(), bson.E{Key: "minLength", Value: int64(1)}) }

func isLike(pattern string) bson.D {
	return append(isAnyText(), bson.E{Key: "pattern", Value: pattern})
}

func isCode() bson.D { return isLike("^[A-Z][A-Z0-9]{0,7}$") }

func isDate() bson.D { return isLike("^[0-9]{4}-[0-9]{2}-[0-9]{2}$") }

func isYear() bson.D { return isLike("^[0-9]{4}(-[0-9]{2})?$") }

func isOneOf[T ~string](allowed ...T) bson.D {
	names := make(bson.A, len(allowed))
	for i, a := range allowed {
		names[i] = string(a)
	}
	return bson.D{{Key: "enum", Value: names}}
}

// isAmount is money, or another whole number: an int64 and never a double.
func isAmount() bson.D { return bson.D{{Key: "bsonType", Value: "long"}} }

func isAtLeast(n int64) bson.D { return append(isAmount(), bson.E{Key: "minimum", Value: n}) }

func isAtMost(n int64) bson.D { return append(isAmount(), bson.E{Key: "maximum", Value: n}) }

func isWhole(least, most int64) bson.D {
	return append(isAtLeast(least), bson.E{Key: "maximum", Value: most})
}

// isYes is a mark that is there and true, or is not there.
func isYes() bson.D { return bson.D{{Key: "enum", Value: bson.A{true}}} }

func isBinary() bson.D { return bson.D{{Key: "bsonType", Value: "binData"}} }

func isInstant() bson.D { return bson.D{{Key: "bsonType", Value: "date"}} }

func isList(least int64, item bson.D) bson.D {
	return bson.D{{Key: "bsonType", Value: "array"}, {Key: "minItems", Value: least}, {Key: "items", Value: item}}
}
