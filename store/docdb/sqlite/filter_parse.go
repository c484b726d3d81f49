package sqlite

import (
	"errors"
	"fmt"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// operator is what a condition asks.
type operator uint8

const (
	opEq operator = iota
	opGt
	opGte
	opLt
	opLte
	opIn
	opNe
	opExists
	opMissing // $exists: false
	opOr
)

var operators = map[string]operator{
	"$eq": opEq, "$gt": opGt, "$gte": opGte, "$lt": opLt, "$lte": opLte,
	"$in": opIn, "$ne": opNe, "$exists": opExists,
}

// condition is one term of a filter. A filter is a conjunction of them: $and
// is dissolved while parsing.
type condition struct {
	op   operator
	path path
	val  raw
	vals []raw         // of opIn
	any  [][]condition // of opOr
}

// parseFilter reads a filter. The error names what is outside of the subset.
func parseFilter(filter bson.D) ([]condition, error) {
	out, err := appendFilter(make([]condition, 0, len(filter)), filter)
	if err != nil {
		return nil, fmt.Errorf("filter: %w", err)
	}
	return out, nil
}

func appendFilter(out []condition, filter bson.D) ([]condition, error) {
	for _, e := range filter {
		var err error
		switch {
		case e.Key == "$and":
			var parts []bson.D
			if parts, err = filters(e); err != nil {
				return nil, err
			}
			for _, part := range parts {
				if out, err = appendFilter(out, part); err != nil {
					return nil, err
				}
			}
		case e.Key == "$or":
			var parts []bson.D
			if parts, err = filters(e); err != nil {
				return nil, err
			}
			c := condition{op: opOr}
			for _, part := range parts {
				branch, err := appendFilter(nil, part)
				if err != nil {
					return nil, err
				}
				c.any = append(c.any, branch)
			}
			out = append(out, c)
		case strings.HasPrefix(e.Key, "$"):
			return nil, fmt.Errorf("operator %s is outside of the subset", e.Key)
		default:
			if out, err = appendField(out, e); err != nil {
				return nil, fmt.Errorf("%s: %w", e.Key, err)
			}
		}
	}
	return out, nil
}

// filters are the operands of $and and $or.
func filters(e bson.E) ([]bson.D, error) {
	var out []bson.D
	switch v := e.Value.(type) {
	case []bson.D:
		out = v
	case bson.A:
		for _, part := range v {
			d, ok := part.(bson.D)
			if !ok {
				return nil, fmt.Errorf("%s wants documents", e.Key)
			}
			out = append(out, d)
		}
	default:
		return nil, fmt.Errorf("%s wants an array", e.Key)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s is empty", e.Key)
	}
	return out, nil
}

func appendField(out []condition, e bson.E) ([]condition, error) {
	p, err := parsePath(e.Key)
	if err != nil {
		return nil, err
	}
	d, ok := e.Value.(bson.D)
	if !ok || len(d) == 0 || !strings.HasPrefix(d[0].Key, "$") {
		v, err := rawOf(e.Value)
		return append(out, condition{op: opEq, path: p, val: v}), err
	}
	for _, o := range d {
		c, err := parseOperator(p, o)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

func parseOperator(p path, o bson.E) (condition, error) {
	op, ok := operators[o.Key]
	if !ok {
		return condition{}, fmt.Errorf("operator %s is outside of the subset", o.Key)
	}
	c := condition{op: op, path: p}
	if op == opExists {
		want, ok := o.Value.(bool)
		if !ok {
			return c, errors.New("$exists wants a bool")
		}
		if !want {
			c.op = opMissing
		}
		return c, nil
	}
	var err error
	if c.val, err = rawOf(o.Value); err != nil {
		return c, fmt.Errorf("%s: %w", o.Key, err)
	}
	switch op {
	case opIn:
		if c.val.kind != bson.TypeArray {
			return c, errors.New("$in wants an array")
		}
		for _, item := range items(c.val) {
			c.vals = append(c.vals, item.raw)
		}
		if len(c.vals) > maxIn {
			return c, fmt.Errorf("$in has %d values, more than %d", len(c.vals), maxIn)
		}
	case opGt, opGte, opLt, opLte:
		if !scalar(c.val.kind) {
			return c, fmt.Errorf("%s wants a scalar", o.Key)
		}
	}
	return c, nil
}

// scalar says whether values of a type are compared as a whole.
func scalar(kind bson.Type) bool {
	return kind != bson.TypeEmbeddedDocument && kind != bson.TypeArray
}
