package sqlite

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// date reads what follows {"$date":.
func (p *parser) date(dst []byte) ([]byte, bson.Type, error) {
	var ms int64
	if p.peek() == '"' {
		s, err := p.str(nil)
		if err != nil {
			return nil, 0, err
		}
		t, err := time.Parse(time.RFC3339, string(s))
		if err != nil {
			return nil, 0, err
		}
		ms = t.UnixMilli()
	} else {
		s, err := p.member("$numberLong", true)
		if err != nil {
			return nil, 0, err
		}
		if ms, err = strconv.ParseInt(string(s), 10, 64); err != nil {
			return nil, 0, err
		}
	}
	dst = binary.LittleEndian.AppendUint64(dst, uint64(ms))
	return dst, bson.TypeDateTime, p.close()
}

// binary reads what follows {"$binary":.
func (p *parser) binary(dst []byte) ([]byte, bson.Type, error) {
	data, err := p.member("base64", false)
	if err != nil {
		return nil, 0, err
	}
	sub, err := p.rest("subType")
	if err != nil {
		return nil, 0, err
	}
	if data, err = base64.StdEncoding.AppendDecode(nil, data); err != nil {
		return nil, 0, err
	}
	if sub, err = hex.AppendDecode(nil, sub); err != nil || len(sub) != 1 {
		return nil, 0, errSyntax
	}
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(data)))
	dst = append(append(dst, sub[0]), data...)
	return dst, bson.TypeBinary, p.close()
}

// member reads {"name":"text" and, where it is the only one, the brace.
func (p *parser) member(name string, only bool) ([]byte, error) {
	if err := p.eat('{'); err != nil {
		return nil, err
	}
	s, err := p.pair(name)
	if err != nil || !only {
		return s, err
	}
	return s, p.close()
}

// rest reads ,"name":"text"}.
func (p *parser) rest(name string) ([]byte, error) {
	if err := p.eat(','); err != nil {
		return nil, err
	}
	s, err := p.pair(name)
	if err != nil {
		return nil, err
	}
	return s, p.close()
}

func (p *parser) pair(name string) ([]byte, error) {
	key, err := p.str(nil)
	if err != nil {
		return nil, err
	}
	if string(key) != name {
		return nil, errSyntax
	}
	if err := p.eat(':'); err != nil {
		return nil, err
	}
	return p.str(nil)
}

func (p *parser) close() error {
	p.space()
	if p.peek() != '}' {
		return errSyntax
	}
	p.at++
	return nil
}
