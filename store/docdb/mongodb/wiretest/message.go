package wiretest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"
)

// The operations of the wire protocol that are still spoken: OP_MSG, and the
// OP_QUERY by which a driver says its first hello.
const (
	opReply = 1
	opQuery = 2004
	opMsg   = 2013
)

const (
	headerSize     = 16
	maxMessageSize = 48_000_000
)

// Message is one message of the wire protocol, header and all. Layout:
// https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/
type Message []byte

// ReadMessage reads the next message.
func ReadMessage(r io.Reader) (Message, error) {
	var size [4]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint32(size[:])
	if n < headerSize || n > maxMessageSize {
		return nil, fmt.Errorf("a message of %d bytes", n)
	}
	m := make(Message, n)
	copy(m, size[:])
	if _, err := io.ReadFull(r, m[4:]); err != nil {
		return nil, err
	}
	return m, nil
}

// ID is what the sender calls the message.
func (m Message) ID() int32 { return int32(binary.LittleEndian.Uint32(m[4:])) }

// To is the ID of the message that this one answers.
func (m Message) To() int32 { return int32(binary.LittleEndian.Uint32(m[8:])) }

func (m Message) op() int32 { return int32(binary.LittleEndian.Uint32(m[12:])) }

var errMalformed = errors.New("a malformed message")

// Command is the document of a request. Lists that travel beside it (the
// documents of an insert) are put in it.
func (m Message) Command() (bson.Raw, error) {
	body := m[headerSize:]
	switch {
	case len(body) < 4:
		return nil, errMalformed
	case m.op() == opMsg:
		return commandOf(body[4:]) // after the flags
	case m.op() == opQuery:
		_, rest, named := bytes.Cut(body[4:], []byte{0})
		if !named || len(rest) < 8 {
			return nil, errMalformed
		}
		return documentOf(rest[8:]) // after how many to skip and to return
	default:
		return nil, fmt.Errorf("%w: operation %d", errMalformed, m.op())
	}
}

// list is a section of kind 1: documents of a field of the command.
type list struct {
	name string
	docs []bson.Raw
}

// commandOf puts the sections of an OP_MSG together.
func commandOf(sections []byte) (bson.Raw, error) {
	var command bson.Raw
	var lists []list
	for len(sections) > 0 {
		kind, rest := sections[0], sections[1:]
		switch kind {
		case 0:
			doc, err := documentOf(rest)
			if err != nil {
				return nil, err
			}
			command, sections = doc, rest[len(doc):]
		case 1:
			one, size, err := listOf(rest)
			if err != nil {
				return nil, err
			}
			lists, sections = append(lists, one), rest[size:]
		default:
			return nil, errMalformed
		}
	}
	if command == nil {
		return nil, errMalformed
	}
	return with(command, lists)
}

// listOf reads a list, and how many bytes it takes.
func listOf(b []byte) (out list, size int, err error) {
	if len(b) < 4 {
		return out, 0, errMalformed
	}
	if size = int(binary.LittleEndian.Uint32(b)); size < 4 || size > len(b) {
		return out, 0, errMalformed
	}
	name, docs, named := bytes.Cut(b[4:size], []byte{0})
	if !named {
		return out, 0, errMalformed
	}
	out.name = string(name)
	for len(docs) > 0 {
		doc, err := documentOf(docs)
		if err != nil {
			return out, 0, err
		}
		out.docs, docs = append(out.docs, doc), docs[len(doc):]
	}
	return out, size, nil
}

// with is a command with lists as further fields.
func with(command bson.Raw, lists []list) (bson.Raw, error) {
	if len(lists) == 0 {
		return command, nil
	}
	start, whole := bsoncore.AppendDocumentStart(nil)
	whole = append(whole, command[4:len(command)-1]...)
	for _, l := range lists {
		var at int32
		at, whole = bsoncore.AppendArrayElementStart(whole, l.name)
		for i, doc := range l.docs {
			whole = bsoncore.AppendDocumentElement(whole, strconv.Itoa(i), bsoncore.Document(doc))
		}
		whole, _ = bsoncore.AppendArrayEnd(whole, at)
	}
	return bsoncore.AppendDocumentEnd(whole, start)
}

// documentOf is the document that b begins with.
func documentOf(b []byte) (bson.Raw, error) {
	if len(b) < 5 {
		return nil, errMalformed
	}
	n := int(binary.LittleEndian.Uint32(b))
	if n < 5 || n > len(b) {
		return nil, errMalformed
	}
	return bson.Raw(b[:n]), nil
}

// Reply is the answer to m, in the form that m was asked in.
func (m Message) Reply(doc bson.Raw) Message {
	out := make(Message, headerSize, headerSize+20+len(doc))
	binary.LittleEndian.PutUint32(out[8:], uint32(m.ID()))
	if m.op() == opQuery { // flags, cursor, from, one document
		binary.LittleEndian.PutUint32(out[12:], opReply)
		out = append(out, make([]byte, 20)...)
		out[headerSize+16] = 1
	} else { // flags, and a section of kind 0
		binary.LittleEndian.PutUint32(out[12:], opMsg)
		out = append(out, 0, 0, 0, 0, 0)
	}
	out = append(out, doc...)
	binary.LittleEndian.PutUint32(out, uint32(len(out)))
	return out
}

// CommandName is what a command asks for: the name of its first field.
func CommandName(command bson.Raw) string {
	first, err := command.IndexErr(0)
	if err != nil {
		return ""
	}
	return first.Key()
}

// collectionOf is the collection that a command is about, "" for none.
func collectionOf(command bson.Raw) string {
	if name, ok := command.Lookup("collection").StringValueOK(); ok {
		return name // getMore
	}
	first, err := command.IndexErr(0)
	if err != nil {
		return ""
	}
	name, _ := first.Value().StringValueOK()
	return name
}
