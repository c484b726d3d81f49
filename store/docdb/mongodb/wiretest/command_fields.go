package wiretest

import (
	"fmt"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// document is a field that holds a document, empty where there is none.
func document(command bson.Raw, name string) (bson.D, error) {
	out := bson.D{}
	v := command.Lookup(name)
	if v.IsZero() {
		return out, nil
	}
	if v.Type != bson.TypeEmbeddedDocument {
		return nil, refuse(14, "TypeMismatch", fmt.Sprintf("%s is a %s, not a document", name, v.Type))
	}
	if err := v.Unmarshal(&out); err != nil {
		return nil, refuse(9, "FailedToParse", err.Error())
	}
	return out, nil
}

// documents is a field that holds a list of documents.
func documents(command bson.Raw, name string) ([]bson.Raw, error) {
	array, ok := command.Lookup(name).ArrayOK()
	if !ok {
		return nil, refuse(9, "FailedToParse", name+" is not a list")
	}
	values, err := array.Values()
	if err != nil {
		return nil, refuse(9, "FailedToParse", err.Error())
	}
	out := make([]bson.Raw, len(values))
	for i, v := range values {
		if out[i], ok = v.DocumentOK(); !ok {
			return nil, refuse(14, "TypeMismatch", fmt.Sprintf("%s holds a %s, not a document", name, v.Type))
		}
	}
	return out, nil
}
