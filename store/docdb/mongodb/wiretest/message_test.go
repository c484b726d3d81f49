package wiretest

import (
	"bytes"
	"encoding/binary"
	"testing"

	"go.mongodb.org/mongo-driver/v2/bson"
)

func raw(t testing.TB, doc bson.D) bson.Raw {
	t.Helper()
	b, err := bson.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// message is a request of an operation with a body.
func message(op uint32, body ...[]byte) Message {
	m := make(Message, headerSize)
	binary.LittleEndian.PutUint32(m[4:], 7)
	binary.LittleEndian.PutUint32(m[12:], op)
	m = append(m, bytes.Join(body, nil)...)
	binary.LittleEndian.PutUint32(m, uint32(len(m)))
	return m
}

// sequence is a list of documents that travels beside a command.
func sequence(name string, docs ...bson.Raw) []byte {
	b := append([]byte{0, 0, 0, 0}, name...)
	b = append(b, 0)
	for _, doc := range docs {
		b = append(b, doc...)
	}
	binary.LittleEndian.PutUint32(b, uint32(len(b)))
	return append([]byte{1}, b...)
}

func TestCommandOfAMessage(t *testing.T) {
	ping, one, two := raw(t, bson.D{{Key: "ping", Value: int32(1)}}), raw(t, bson.D{{Key: "_id", Value: "1"}}), raw(t, bson.D{{Key: "_id", Value: "2"}})
	insert := raw(t, bson.D{{Key: "insert", Value: "payments"}, {Key: "$db", Value: "ledger"}})
	whole := func(docs bson.A) bson.Raw {
		return raw(t, bson.D{{Key: "insert", Value: "payments"}, {Key: "$db", Value: "ledger"}, {Key: "documents", Value: docs}})
	}
	flags := make([]byte, 4)
	for name, c := range map[string]struct {
		m    Message
		want bson.Raw // nil: refused
	}{
		"one section":         {message(opMsg, flags, []byte{0}, ping), ping},
		"a list after it":     {message(opMsg, flags, []byte{0}, insert, sequence("documents", one, two)), whole(bson.A{one, two})},
		"a list before it":    {message(opMsg, flags, sequence("documents", one), []byte{0}, insert), whole(bson.A{one})},
		"an empty list":       {message(opMsg, flags, []byte{0}, insert, sequence("documents")), whole(bson.A{})},
		"the old hello":       {message(opQuery, flags, []byte("admin.$cmd\x00"), make([]byte, 8), ping), ping},
		"no section":          {message(opMsg, flags), nil},
		"a list only":         {message(opMsg, flags, sequence("documents", one)), nil},
		"another kind":        {message(opMsg, flags, []byte{2}, ping), nil},
		"compressed":          {message(2012, flags, ping), nil},
		"cut document":        {message(opMsg, flags, []byte{0}, ping[:len(ping)-1]), nil},
		"cut list":            {message(opMsg, flags, []byte{0}, insert, sequence("documents", one)[:12]), nil},
		"a list without name": {message(opMsg, flags, []byte{0}, insert, []byte{1, 6, 0, 0, 0, 'a', 'b'}), nil},
		"cut old hello":       {message(opQuery, flags, []byte("admin")), nil},
		"empty old hello":     {message(opQuery), nil},
	} {
		m, err := ReadMessage(bytes.NewReader(c.m))
		if err != nil || !bytes.Equal(m, c.m) {
			t.Errorf("%s: read as %v, %v", name, m, err)
		}
		got, err := m.Command()
		if !bytes.Equal(got, c.want) || (err == nil) != (c.want != nil) {
			t.Errorf("%s: command %v, %v; want %v", name, got, err, c.want)
		}
	}
}

func TestReplyGoesToItsRequest(t *testing.T) {
	ok := raw(t, bson.D{{Key: "ok", Value: 1.0}})
	for name, m := range map[string]Message{"OP_MSG": message(opMsg), "OP_QUERY": message(opQuery)} {
		r := m.Reply(ok)
		if r.To() != 7 || !bytes.HasSuffix(r, ok) || int(binary.LittleEndian.Uint32(r)) != len(r) {
			t.Errorf("%s: reply %v", name, r)
		}
	}
}

func TestMessagesOfAnAbsurdSize(t *testing.T) {
	for _, size := range []uint32{0, 15, maxMessageSize + 1, 1 << 31} {
		head := binary.LittleEndian.AppendUint32(nil, size)
		if m, err := ReadMessage(bytes.NewReader(append(head, make([]byte, 40)...))); err == nil {
			t.Errorf("a message that says it has %d bytes was read: %v", size, m)
		}
	}
}

// Whatever arrives, the server does not panic over it.
func FuzzCommand(f *testing.F) {
	f.Add([]byte(message(opMsg, make([]byte, 5), raw(f, bson.D{{Key: "ping", Value: int32(1)}}))))
	f.Add([]byte(message(opMsg, make([]byte, 4), []byte{0}, raw(f, bson.D{{Key: "insert", Value: "a"}}), sequence("documents", raw(f, bson.D{})))))
	f.Add([]byte(message(opQuery, make([]byte, 4), []byte("a\x00"), make([]byte, 8), raw(f, bson.D{}))))
	f.Fuzz(func(_ *testing.T, b []byte) {
		m, err := ReadMessage(bytes.NewReader(b))
		if err != nil {
			return
		}
		if command, err := m.Command(); err == nil && command.Validate() == nil {
			_, _ = CommandName(command), collectionOf(command)
		}
	})
}
