package sqlite

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// maker makes documents by chance: few names and few values, so that they meet.
type maker struct {
	*rand.Rand
	names []string
}

var texts = []string{"", "a", "b", "ab", "5", "é", "क", "𝒳", "\x00", "a\x00b", "\"\\/\n\t\r\b\f\x1f\x7f", "\u2028", "{\"$date\":1}"}

func (m maker) scalar() any {
	switch m.IntN(5) {
	case 0:
		return []int64{0, 1, 5, -3, 1 << 53, 1<<63 - 1, -1 << 63}[m.IntN(7)]
	case 1:
		return m.IntN(2) == 0
	case 2:
		return bson.DateTime([]int64{0, 1, -1, 1764496800123, 1<<63 - 1, -1 << 63}[m.IntN(6)])
	case 3:
		return bson.Binary{Subtype: byte(m.IntN(2) * 128), Data: []byte("\x00\xff..")[:m.IntN(4)]}
	}
	return texts[m.IntN(len(texts))]
}

func (m maker) value(depth int) any {
	switch n := m.IntN(8); {
	case n == 0 && depth > 0:
		return m.document(depth - 1)
	case n == 1 && depth > 0:
		list := bson.A{}
		for range m.IntN(4) {
			list = append(list, m.value(depth-1))
		}
		return list
	}
	return m.scalar()
}

func (m maker) document(depth int) bson.D {
	doc := bson.D{}
	for _, name := range m.names {
		if m.IntN(3) > 0 {
			doc = append(doc, bson.E{Key: name, Value: m.value(depth)})
		}
	}
	return doc
}

func marshalled(t *testing.T, doc any) []byte {
	t.Helper()
	b, err := bson.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestJSONRoundTrip: what is stored is JSON to everybody, and the document that
// comes back is the one that went in, byte for byte.
func TestJSONRoundTrip(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(1, 2)), []string{"a", "b", "ключ", "x y", "quote\"", "tab\t"}}
	for i := range 20_000 {
		doc := marshalled(t, m.document(4))
		text, err := appendDocument(nil, doc)
		if err != nil {
			t.Fatalf("document %d, %s: %v", i, bson.Raw(doc), err)
		}
		if !json.Valid(text) || !utf8.Valid(text) {
			t.Fatalf("document %d is stored as what is no JSON: %s", i, text)
		}
		back, err := decodeDocument(nil, text)
		if err != nil || !bytes.Equal(back, doc) {
			t.Fatalf("document %d, stored as\n %s, came back as\n %s (%v), was\n %s", i, text, bson.Raw(back), err, bson.Raw(doc))
		}
	}
}

// FuzzText: any text that is UTF-8 survives, as a value and as a name; any
// other is refused.
func FuzzText(f *testing.F) {
	for _, s := range texts {
		f.Add(s)
	}
	f.Add("\xff")
	f.Add("\xed\xa0\x80")
	f.Fuzz(func(t *testing.T, s string) {
		doc := marshalled(t, bson.D{{Key: "v", Value: s}})
		text, err := appendDocument(nil, doc)
		if (err == nil) != utf8.ValidString(s) {
			t.Fatalf("%q: error is %v", s, err)
		}
		if err != nil {
			return
		}
		var std struct{ V string }
		if err := json.Unmarshal(text, &std); err != nil || std.V != s {
			t.Errorf("%q is stored as %s, which others read as %q (%v)", s, text, std.V, err)
		}
		if back, err := decodeDocument(nil, text); err != nil || !bytes.Equal(back, doc) {
			t.Errorf("%q came back as %s (%v)", s, bson.Raw(back), err)
		}
		if s == "" || strings.ContainsAny(s, ".\x00") || s[0] == '$' {
			return
		}
		doc = marshalled(t, bson.D{{Key: s, Value: true}})
		if text, err = appendDocument(nil, doc); err != nil {
			t.Fatalf("name %q: %v", s, err)
		}
		if back, err := decodeDocument(nil, text); err != nil || !bytes.Equal(back, doc) {
			t.Errorf("name %q came back as %s (%v)", s, bson.Raw(back), err)
		}
	})
}

// FuzzStored: whatever stands in the file, decoding answers with a sound
// document or an error, and a sound one is stored as it was meant.
func FuzzStored(f *testing.F) {
	for _, s := range []string{
		`{}`, `{"a":1}`, ` { "a" : [ 1 , "x" , { } ] } `, `{"a":{"$date":"2026-11-30T10:00:00.123Z"}}`,
		`{"a":{"$date":{"$numberLong":"99999999999999"}}}`, `{"a":{"$binary":{"base64":"AQI=","subType":"00"}}}`,
		`{"a":1.5}`, `{"a":1e3}`, `{"a":null}`, `{"a":-}`, `{"a":01}`, `{"a":"\ud800"}`, `{"a":{"$x":1}}`, `[1]`, `{"a":1}x`, `{"a":1,}`, `{`, ``,
		strings.Repeat(`{"a":`, 60) + "1" + strings.Repeat("}", 60),
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		doc, err := decodeDocument(nil, text)
		if err != nil {
			return
		}
		if err := bson.Raw(doc).Validate(); err != nil {
			t.Fatalf("%q decodes to what is no document: %v", text, err)
		}
		again, err := appendDocument(nil, doc)
		if err != nil {
			if !utf8.Valid(text) || bytes.Contains(text, []byte(`\u0000`)) {
				return
			}
			t.Fatalf("%q decodes to what is refused: %v", text, err)
		}
		if back, err := decodeDocument(nil, again); err != nil || !bytes.Equal(back, doc) {
			t.Errorf("%q is stored as %s and comes back as %s (%v)", text, again, bson.Raw(back), err)
		}
	})
}

// BenchmarkJSON is the encoding of a document of a kilobyte, there and back.
func BenchmarkJSON(b *testing.B) {
	doc, err := bson.Marshal(bson.D{{Key: "_id", Value: "DPS:01J"}, {Key: "at", Value: time.UnixMilli(1764496800123)},
		{Key: "text", Value: strings.Repeat("Asha Verma, Sector C ", 50)}, {Key: "lines", Value: bson.A{bson.D{{Key: "head", Value: "T"}, {Key: "amount", Value: int64(450_000)}}}}})
	if err != nil {
		b.Fatal(err)
	}
	text, err := appendDocument(nil, doc)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("encode", func(b *testing.B) {
		b.SetBytes(int64(len(doc)))
		b.ReportAllocs()
		for b.Loop() {
			text, _ = appendDocument(text[:0], doc)
		}
	})
	b.Run("decode", func(b *testing.B) {
		b.SetBytes(int64(len(doc)))
		b.ReportAllocs()
		for b.Loop() {
			doc, _ = decodeDocument(doc[:0], text)
		}
	})
}
