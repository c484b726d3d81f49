package store

import (
	"encoding/binary"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/x/bsonx/bsoncore"

	"raseed/store/fees"
)

// generatedSeries is a counter and the hash of its last number.
type generatedSeries struct {
	counter counter
	hash    string
}

func (g *ledgerGenerator) of(row fees.Row) *generatedSeries {
	key := seriesOf(row)
	s := g.series[key]
	if s == nil {
		s = &generatedSeries{counter: counter{ID: key.id(), Institute: key.institute}}
		g.series[key] = s
	}
	return s
}

func (g *ledgerGenerator) numberText(row fees.Row, number int64) string {
	format, bad := fees.ParseFormat(row.Format, g.inst.Code)
	if bad != nil {
		g.fail(bad)
		return ""
	}
	return format.Text(row.FY, number)
}

// addRow counts, seals, numbers and chains the row.
func (g *ledgerGenerator) addRow(p *generatedStudent, row fees.Row) {
	of := g.of(row)
	p.account.Received += row.Total
	p.account.Rows++
	row.BalanceAfter = p.account.Billed - p.account.Received
	c := &of.counter
	c.Seq, c.Holders, c.BaseHash = c.Seq+1, []string{row.ID}, of.hash
	row.Number, row.NumberText, row.NumberedAt = c.Seq, g.numberText(row, c.Seq), row.RecordedAt
	raw, err := bson.Marshal(row)
	if err != nil {
		g.fail(err)
		return
	}
	body, err := bodyOf(raw)
	if err != nil {
		g.fail(err)
		return
	}
	prev := of.hash
	of.hash = chainHash(body, c.Seq, prev)
	raw = raw[:len(raw)-1]
	for _, f := range [][2]string{{"body", body}, {"prevHash", prev}, {"hash", of.hash}} {
		if f[1] != "" {
			raw = bsoncore.AppendStringElement(raw, f[0], f[1])
		}
	}
	raw = append(raw, 0)
	binary.LittleEndian.PutUint32(raw, uint32(len(raw)))
	g.add(payments, bson.Raw(raw))
}

func (g *ledgerGenerator) accountsAndCounters() {
	for i := range g.people {
		a := g.people[i].account
		a.Balance = a.Billed - a.Received
		g.add(accounts, a)
	}
	for _, s := range g.series {
		g.add(counters, s.counter)
	}
	g.flush(accounts)
	g.flush(counters)
}
