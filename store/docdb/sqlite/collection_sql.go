package sqlite

import (
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"raseed/store/docdb"
)

// createSQL makes the table, key columns before the document so that reading
// them never has to go through it. _row is declared, for multikey tables refer
// to it: SQLite's own row numbers change in a VACUUM.
func (k *collection) createSQL() string {
	var b strings.Builder
	b.WriteString("CREATE TABLE " + k.table + "(_row INTEGER PRIMARY KEY, _id TEXT NOT NULL UNIQUE")
	for _, c := range k.columns {
		b.WriteString(", " + c.name)
	}
	b.WriteString(", doc TEXT NOT NULL)")
	return b.String()
}

func (k *collection) insertSQL() []byte {
	var b strings.Builder
	b.WriteString("INSERT INTO " + k.table + "(_id")
	for _, c := range k.columns {
		b.WriteString("," + c.name)
	}
	b.WriteString(",doc) VALUES(?" + strings.Repeat(",?", len(k.columns)+1) + ")")
	return []byte(b.String())
}

func (k *collection) indexSQL(x *index, decl []docdb.Index) string {
	d := decl[slices.IndexFunc(decl, func(d docdb.Index) bool { return d.Name == x.name })]
	var b strings.Builder
	b.WriteString("CREATE ")
	if x.unique {
		b.WriteString("UNIQUE ")
	}
	b.WriteString("INDEX " + quote(k.name+"."+x.name) + " ON " + k.table + "(")
	for i, n := range x.keys {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(k.keyName(n))
		if d.Keys[i].Desc {
			b.WriteString(" DESC")
		}
	}
	b.WriteString(")")
	for i, c := range x.partial {
		b.WriteString([]string{" WHERE ", " AND "}[min(i, 1)])
		n, _ := k.present(c.path.name)
		b.WriteString(k.keyName(n))
		if c.op == opExists {
			b.WriteString(" IS NOT NULL")
		} else {
			b.Write(appendLiteral([]byte(" = "), keyOf(c.val)))
		}
	}
	return b.String()
}

func (k *collection) keyName(n int) string {
	if n == colID {
		return "_id"
	}
	return k.columns[n].name
}

// multikeySQL makes the statements of a multikey's table. Its key is the whole
// row: the keys in their order, and the collection's row.
func (k *collection) multikeySQL(m *multikey) {
	var cols, order, same []string
	for i, key := range m.keys {
		name := quote(key.Path)
		cols = append(cols, name)
		same = append(same, name+"=?")
		if m.keys[i].Desc {
			name += " DESC"
		}
		order = append(order, name)
	}
	m.sql = "CREATE TABLE " + m.table + "(" + strings.Join(cols, ", ") + ", _row INTEGER, PRIMARY KEY(" +
		strings.Join(order, ", ") + ", _row)) WITHOUT ROWID"
	m.add = []byte("INSERT INTO " + m.table + " VALUES(?" + strings.Repeat(",?", len(cols)) + ")")
	entry := " FROM " + m.table + " WHERE " + strings.Join(same, " AND ") + " AND _row=?"
	m.del = []byte("DELETE" + entry)
	m.has = []byte("SELECT 1" + entry)
}

// appendLiteral writes a value as SQL.
func appendLiteral(b []byte, v value) []byte {
	switch v.class {
	case integer:
		return strconv.AppendInt(b, v.num, 10)
	case text:
		if i := slices.Index(v.b, 0); i < 0 {
			return append(b, "'"+strings.ReplaceAll(string(v.b), "'", "''")+"'"...)
		}
		b = append(b, "CAST(x'"...)
		return append(hex.AppendEncode(b, v.b), "' AS TEXT)"...)
	default:
		b = append(b, "x'"...)
		return append(hex.AppendEncode(b, v.b), '\'')
	}
}
