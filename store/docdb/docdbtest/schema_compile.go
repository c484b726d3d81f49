package docdbtest

import (
	"errors"
	"fmt"
	"regexp"
	"unicode/utf8"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// check says why a value at path does not fit a schema, "" when it does.
type check func(path string, v bson.RawValue) string

// compileSchema makes the check of a schema in MongoDB's $jsonSchema language
// (draft 4 of JSON Schema, with bsonType). As there, a keyword says something
// only about values of its type, so that {minimum: 1} takes every string. A
// keyword outside the part that is understood here is an error, as an unknown
// one is on a server.
func compileSchema(schema bson.Raw) (check, error) {
	elements, err := schema.Elements()
	if err != nil {
		return nil, err
	}
	all := make([]check, len(elements))
	for i, e := range elements {
		if all[i], err = compileKeyword(e.Key(), e.Value()); err != nil {
			return nil, fmt.Errorf("keyword %s: %w", e.Key(), err)
		}
	}
	return func(path string, v bson.RawValue) string {
		for _, c := range all {
			if why := c(path, v); why != "" {
				return why
			}
		}
		return ""
	}, nil
}

func compileKeyword(keyword string, v bson.RawValue) (check, error) {
	switch keyword {
	case "bsonType":
		return compileType(v)
	case "enum":
		return compileEnum(v)
	case "minimum":
		return compileLimit(v, "at least", func(n, limit int64) bool { return n >= limit })
	case "maximum":
		return compileLimit(v, "at most", func(n, limit int64) bool { return n <= limit })
	case "minLength":
		return compileMinLength(v)
	case "pattern":
		return compilePattern(v)
	case "required":
		return compileRequired(v)
	case "properties":
		return compileProperties(v)
	case "items":
		return compileItems(v)
	case "minItems":
		return compileMinItems(v)
	case "anyOf":
		return compileAnyOf(v)
	}
	return nil, errors.New("not in the part of $jsonSchema that is used here")
}

// typeNames are the aliases that $type and bsonType know, of what docdb stores.
func typeNames() map[string]bson.Type {
	return map[string]bson.Type{
		"string": bson.TypeString, "long": bson.TypeInt64, "bool": bson.TypeBoolean, "date": bson.TypeDateTime,
		"binData": bson.TypeBinary, "object": bson.TypeEmbeddedDocument, "array": bson.TypeArray,
	}
}

func compileType(v bson.RawValue) (check, error) {
	name, _ := v.StringValueOK()
	want, known := typeNames()[name]
	if !known {
		return nil, fmt.Errorf("%s is no type of docdb", v)
	}
	return func(path string, v bson.RawValue) string {
		if v.Type != want {
			return fmt.Sprintf("%s is a %s, want %s", path, v.Type, name)
		}
		return ""
	}, nil
}

func compileEnum(v bson.RawValue) (check, error) {
	allowed, err := valuesOf(v)
	return func(path string, v bson.RawValue) string {
		for _, a := range allowed {
			if a.Equal(v) {
				return ""
			}
		}
		return fmt.Sprintf("%s is %s, want one of %v", path, v, allowed)
	}, err
}

func compileLimit(v bson.RawValue, words string, within func(n, limit int64) bool) (check, error) {
	limit, ok := v.Int64OK()
	if !ok {
		return nil, fmt.Errorf("%s is no int64", v)
	}
	return func(path string, v bson.RawValue) string {
		if n, ok := v.Int64OK(); ok && !within(n, limit) {
			return fmt.Sprintf("%s is %d, want %s %d", path, n, words, limit)
		}
		return ""
	}, nil
}

func compileMinLength(v bson.RawValue) (check, error) {
	least, ok := v.Int64OK()
	if !ok {
		return nil, fmt.Errorf("%s is no int64", v)
	}
	return func(path string, v bson.RawValue) string {
		if s, ok := v.StringValueOK(); ok && utf8.RuneCountInString(s) < int(least) {
			return fmt.Sprintf("%s is %q, want at least %d characters", path, s, least)
		}
		return ""
	}, nil
}

// compilePattern takes what Go's regexp and the server's PCRE read alike.
func compilePattern(v bson.RawValue) (check, error) {
	text, _ := v.StringValueOK()
	pattern, err := regexp.Compile(text)
	return func(path string, v bson.RawValue) string {
		if s, ok := v.StringValueOK(); ok && !pattern.MatchString(s) {
			return fmt.Sprintf("%s is %q, want it to match %s", path, s, text)
		}
		return ""
	}, err
}

func compileRequired(v bson.RawValue) (check, error) {
	names, err := valuesOf(v)
	if err == nil && len(names) == 0 {
		err = errors.New("the list is empty, which a server refuses")
	}
	return func(path string, v bson.RawValue) string {
		doc, ok := v.DocumentOK()
		for _, name := range names {
			if ok && doc.Lookup(name.StringValue()).IsZero() {
				return fmt.Sprintf("%s.%s is missing", path, name.StringValue())
			}
		}
		return ""
	}, err
}

func compileProperties(v bson.RawValue) (check, error) {
	doc, ok := v.DocumentOK()
	if !ok {
		return nil, fmt.Errorf("%s is no document", v)
	}
	elements, err := doc.Elements()
	if err != nil {
		return nil, err
	}
	fields := make(map[string]check, len(elements))
	for _, e := range elements {
		if fields[e.Key()], err = compileValue(e.Value()); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Key(), err)
		}
	}
	return func(path string, v bson.RawValue) string {
		doc, _ := v.DocumentOK()
		elements, _ := doc.Elements()
		for _, e := range elements {
			if c, known := fields[e.Key()]; known {
				if why := c(path+"."+e.Key(), e.Value()); why != "" {
					return why
				}
			}
		}
		return ""
	}, nil
}

func compileItems(v bson.RawValue) (check, error) {
	item, err := compileValue(v)
	return func(path string, v bson.RawValue) string {
		list, _ := v.ArrayOK()
		values, _ := list.Values()
		for i, v := range values {
			if why := item(fmt.Sprintf("%s[%d]", path, i), v); why != "" {
				return why
			}
		}
		return ""
	}, err
}

func compileMinItems(v bson.RawValue) (check, error) {
	least, ok := v.Int64OK()
	if !ok {
		return nil, fmt.Errorf("%s is no int64", v)
	}
	return func(path string, v bson.RawValue) string {
		list, ok := v.ArrayOK()
		values, _ := list.Values()
		if ok && len(values) < int(least) {
			return fmt.Sprintf("%s has %d items, want at least %d", path, len(values), least)
		}
		return ""
	}, nil
}

func compileAnyOf(v bson.RawValue) (check, error) {
	list, err := valuesOf(v)
	if err != nil {
		return nil, err
	}
	branches := make([]check, len(list))
	for i, b := range list {
		if branches[i], err = compileValue(b); err != nil {
			return nil, err
		}
	}
	return func(path string, v bson.RawValue) string {
		reasons := ""
		for _, c := range branches {
			why := c(path, v)
			if why == "" {
				return ""
			}
			reasons += "; " + why
		}
		return "none of anyOf" + reasons
	}, nil
}

func compileValue(v bson.RawValue) (check, error) {
	doc, ok := v.DocumentOK()
	if !ok {
		return nil, fmt.Errorf("%s is no schema", v)
	}
	return compileSchema(doc)
}

func valuesOf(v bson.RawValue) ([]bson.RawValue, error) {
	list, ok := v.ArrayOK()
	if !ok {
		return nil, fmt.Errorf("%s is no list", v)
	}
	return list.Values()
}
