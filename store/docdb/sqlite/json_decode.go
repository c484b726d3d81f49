package sqlite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// decodeDocument appends to dst the BSON of a stored document.
func decodeDocument(dst, text []byte) ([]byte, error) {
	p := parser{in: text}
	p.space()
	out, kind, err := p.object(dst, 1)
	if err == nil {
		p.space()
		if kind != bson.TypeEmbeddedDocument || p.at != len(p.in) {
			err = errors.New("not a JSON document")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("stored document is damaged near byte %d: %w", p.at, err)
	}
	return out, nil
}

// parser reads the JSON that appendDocument writes, with white space where a
// person who edited it may have put some.
type parser struct {
	in []byte
	at int
}

var errSyntax = errors.New("unexpected JSON")

func (p *parser) space() {
	for p.at < len(p.in) {
		switch p.in[p.at] {
		case ' ', '\n', '\t', '\r':
			p.at++
		default:
			return
		}
	}
}

// peek is the byte at hand, 0 at the end.
func (p *parser) peek() byte {
	if p.at < len(p.in) {
		return p.in[p.at]
	}
	return 0
}

func (p *parser) eat(c byte) error {
	p.space()
	if p.peek() != c {
		return errSyntax
	}
	p.at++
	p.space()
	return nil
}

// frame ends the document that begins at start.
func frame(dst []byte, start int) []byte {
	dst = append(dst, 0)
	binary.LittleEndian.PutUint32(dst[start:], uint32(len(dst)-start))
	return dst
}

// object reads a document, or one of the objects that stand for a datetime or
// binary.
func (p *parser) object(dst []byte, depth int) ([]byte, bson.Type, error) {
	if depth > maxDepth {
		return nil, 0, errors.New("nested too deep")
	}
	if err := p.eat('{'); err != nil {
		return nil, 0, err
	}
	start := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	for first := true; ; first = false {
		if p.peek() == '}' && first {
			break
		}
		at := len(dst)
		dst = append(dst, 0)
		var err error
		if dst, err = p.str(dst); err != nil {
			return nil, 0, err
		}
		if err := p.eat(':'); err != nil {
			return nil, 0, err
		}
		if key := dst[at+1:]; first && len(key) > 0 && key[0] == '$' {
			switch string(key) {
			case "$date":
				return p.date(dst[:start])
			case "$binary":
				return p.binary(dst[:start])
			}
		}
		if err := checkName(dst[at+1:]); err != nil {
			return nil, 0, err
		}
		dst = append(dst, 0)
		var kind bson.Type
		if dst, kind, err = p.value(dst, depth); err != nil {
			return nil, 0, err
		}
		dst[at] = byte(kind)
		p.space()
		if p.peek() != ',' {
			break
		}
		p.at++
		p.space()
	}
	if err := p.eat('}'); err != nil {
		return nil, 0, err
	}
	return frame(dst, start), bson.TypeEmbeddedDocument, nil
}

func (p *parser) array(dst []byte, depth int) ([]byte, bson.Type, error) {
	if depth > maxDepth {
		return nil, 0, errors.New("nested too deep")
	}
	if err := p.eat('['); err != nil {
		return nil, 0, err
	}
	start := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	for n := int64(0); ; n++ {
		if p.peek() == ']' && n == 0 {
			break
		}
		at := len(dst)
		dst = append(dst, 0)
		dst = append(strconv.AppendInt(dst, n, 10), 0)
		var kind bson.Type
		var err error
		if dst, kind, err = p.value(dst, depth); err != nil {
			return nil, 0, err
		}
		dst[at] = byte(kind)
		p.space()
		if p.peek() != ',' {
			break
		}
		p.at++
		p.space()
	}
	if err := p.eat(']'); err != nil {
		return nil, 0, err
	}
	return frame(dst, start), bson.TypeArray, nil
}

func (p *parser) value(dst []byte, depth int) ([]byte, bson.Type, error) {
	switch c := p.peek(); {
	case c == '"':
		start := len(dst)
		dst, err := p.str(append(dst, 0, 0, 0, 0))
		if err != nil {
			return nil, 0, err
		}
		dst = append(dst, 0)
		binary.LittleEndian.PutUint32(dst[start:], uint32(len(dst)-start-4))
		return dst, bson.TypeString, nil
	case c == '{':
		return p.object(dst, depth+1)
	case c == '[':
		return p.array(dst, depth+1)
	case c == '-' || c >= '0' && c <= '9':
		n, err := p.integer()
		return binary.LittleEndian.AppendUint64(dst, uint64(n)), bson.TypeInt64, err
	case p.word("true"):
		return append(dst, 1), bson.TypeBoolean, nil
	case p.word("false"):
		return append(dst, 0), bson.TypeBoolean, nil
	}
	return nil, 0, errSyntax
}

func (p *parser) word(w string) bool {
	if end := p.at + len(w); end <= len(p.in) && string(p.in[p.at:end]) == w {
		p.at = end
		return true
	}
	return false
}

// integer reads an int64. A fraction or exponent is an error: numbers are
// never floats.
func (p *parser) integer() (int64, error) {
	start := p.at
	for p.at < len(p.in) {
		switch c := p.in[p.at]; {
		case c >= '0' && c <= '9' || c == '-':
			p.at++
			continue
		case c == '.' || c == 'e' || c == 'E':
			return 0, errors.New("a number that is no int64")
		}
		break
	}
	return strconv.ParseInt(string(p.in[start:p.at]), 10, 64)
}

// str appends the bytes of a JSON string.
func (p *parser) str(dst []byte) ([]byte, error) {
	if p.peek() != '"' {
		return nil, errSyntax
	}
	p.at++
	from := p.at
	for p.at < len(p.in) {
		c := p.in[p.at]
		if plain[c] {
			p.at++
			continue
		}
		dst = append(dst, p.in[from:p.at]...)
		p.at++
		if c == '"' {
			return dst, nil
		}
		if c != '\\' {
			return nil, errSyntax
		}
		var err error
		if dst, err = p.escape(dst); err != nil {
			return nil, err
		}
		from = p.at
	}
	return nil, errSyntax
}

func (p *parser) escape(dst []byte) ([]byte, error) {
	c := p.peek()
	p.at++
	switch c {
	case '"', '\\', '/':
		return append(dst, c), nil
	case 'n':
		return append(dst, '\n'), nil
	case 't':
		return append(dst, '\t'), nil
	case 'r':
		return append(dst, '\r'), nil
	case 'b':
		return append(dst, '\b'), nil
	case 'f':
		return append(dst, '\f'), nil
	case 'u':
		r, err := p.unit()
		if err != nil {
			return nil, err
		}
		if utf16.IsSurrogate(r) {
			if !p.word(`\u`) {
				return nil, errSyntax
			}
			low, err := p.unit()
			if err != nil {
				return nil, err
			}
			if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
				return nil, errSyntax
			}
		}
		return utf8.AppendRune(dst, r), nil
	}
	return nil, errSyntax
}

// unit reads the four digits of a \u escape.
func (p *parser) unit() (rune, error) {
	if p.at+4 > len(p.in) {
		return 0, errSyntax
	}
	n, err := strconv.ParseUint(string(p.in[p.at:p.at+4]), 16, 16)
	p.at += 4
	return rune(n), err
}
