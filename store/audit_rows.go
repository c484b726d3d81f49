package store

import (
	"context"
	"iter"
	"slices"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// auditedRow is what the audit reads of a row besides its body.
type auditedRow struct {
	ID         string        `bson:"_id"`
	Kind       fees.Kind     `bson:"kind"`
	Series     fees.Series   `bson:"series"`
	FY         string        `bson:"fy"`
	Date       fees.Date     `bson:"date"`
	RecordedAt bson.DateTime `bson:"recordedAt"`
	Student    string        `bson:"student"`
	Shift      string        `bson:"shift"`
	Cash       fees.Amount   `bson:"cash"`
	Cashier    string        `bson:"cashier"`
	Lines      []fees.Line   `bson:"lines"`
	Tenders    []fees.Tender `bson:"tenders"`
	Total      fees.Amount   `bson:"total"`
	Reverses   string        `bson:"reverses"`
	Cheque     string        `bson:"cheque"`
	Charge     fees.Amount   `bson:"charge"`
	Refunds    string        `bson:"refunds"`
	Format     string        `bson:"format"`
	Body       string        `bson:"body"`
	Awaiting   bool          `bson:"awaiting"`
	Number     int64         `bson:"number"`
	NumberText string        `bson:"numberText"`
	NumberedAt bson.DateTime `bson:"numberedAt"`
	PrevHash   string        `bson:"prevHash"`
	Hash       string        `bson:"hash"`
	ReversedBy string        `bson:"reversedBy"`
}

// name is how a finding calls the row.
func (r *auditedRow) name() string {
	if r.NumberText != "" {
		return r.NumberText
	}
	return "a row without a number"
}

// walkRows checks every row of the institute: those that await a number, then
// each series in the order of its numbers. Each series is counted before it is
// read, so that a row that was not met is missed.
func (a *auditor) walkRows(ctx context.Context) error {
	ofInstitute := bson.D{{Key: "institute", Value: a.inst.Code}}
	there, err := a.s.DB.Count(ctx, payments, ofInstitute, 0)
	if err != nil {
		return err
	}
	if err := a.walkAwaiting(ctx); err != nil {
		return err
	}
	groups, err := a.s.DB.Group(ctx, payments, append(ofInstitute, bson.E{Key: "number", Value: bson.D{{Key: "$exists", Value: true}}}),
		docdb.Group{By: []string{"fy", "series"}, Accs: []docdb.Acc{{As: "count", Op: docdb.CountN}}})
	if err != nil {
		return err
	}
	for _, raw := range groups {
		var g struct {
			FY     string      `bson:"fy"`
			Series fees.Series `bson:"series"`
			Count  int64       `bson:"count"`
		}
		if err := bson.Unmarshal(raw, &g); err != nil {
			return err
		}
		if err := a.walkSeries(ctx, seriesKey{a.inst.Code, g.FY, g.Series}, g.Count); err != nil {
			return err
		}
	}
	a.reportAwaiting()
	if a.totals.Rows < there {
		return a.findUnmarked(ctx)
	}
	return nil
}

// walkSeries checks the rows of one series, of which there were count.
func (a *auditor) walkSeries(ctx context.Context, key seriesKey, count int64) error {
	a.series, a.prev = a.seriesReport(key), ""
	rows := ahead(ctx, func(ctx context.Context) iter.Seq2[bson.Raw, error] { return a.s.numberedRows(ctx, key) })
	met := int64(0)
	for raw, err := range rows {
		if err != nil {
			return err
		}
		met++
		a.numbered(raw)
	}
	if met < count {
		a.find("duplicate", key.id(), "%s %s: %s with a number that another has, or that is no number", key.series, key.fy, several(count-met, "row"))
	}
	return nil
}

func (a *auditor) seriesReport(key seriesKey) *fees.SeriesReport {
	i := slices.IndexFunc(a.report.Series, func(r fees.SeriesReport) bool {
		return seriesKey{r.Institute, r.FY, r.Series} == key
	})
	if i < 0 {
		i = len(a.report.Series)
		a.report.Series = append(a.report.Series, fees.SeriesReport{Institute: key.institute, FY: key.fy, Series: key.series, ChainOK: true})
	}
	return &a.report.Series[i]
}

// checkedEvery is after how many rows the audit tells how far it is.
const checkedEvery = 1024

// met reads a row and counts it for its student.
func (a *auditor) met(raw bson.Raw) (row auditedRow, readable bool) {
	if a.totals.Rows++; a.totals.Rows%checkedEvery == 0 {
		a.checked(a.totals.Rows)
	}
	if err := bson.Unmarshal(raw, &row); err != nil {
		a.find("row", textOf(raw, "_id"), "the row cannot be read: %v", err)
		a.booksOf(textOf(raw, "student")).suspect = true
		return row, false
	}
	return row, true
}

// walkAwaiting checks the rows without a number as far as they go.
func (a *auditor) walkAwaiting(ctx context.Context) error {
	for raw, err := range a.s.marked(ctx, payments, a.inst.Code, "awaiting") {
		if err != nil {
			return err
		}
		if _, numbered := raw.LookupErr("number"); numbered == nil {
			continue // and wrong; it is met in its series
		}
		row, readable := a.met(raw)
		if !readable {
			continue
		}
		a.waiting[row.ID] = seriesKey{a.inst.Code, row.FY, row.Series}
		a.body(raw, &row)
		a.content(&row)
		a.count(&row)
	}
	return nil
}

// reportAwaiting counts the rows without a number, by series.
func (a *auditor) reportAwaiting() {
	for _, key := range a.waiting {
		a.seriesReport(key).Awaiting++
	}
}

// findUnmarked finds the rows that have neither a number nor the mark that they
// await one: no sweep would ever number them.
func (a *auditor) findUnmarked(ctx context.Context) error {
	for raw, err := range a.s.DB.Find(ctx, payments, bson.D{
		{Key: "institute", Value: a.inst.Code},
		{Key: "number", Value: bson.D{{Key: "$exists", Value: false}}},
		{Key: "awaiting", Value: bson.D{{Key: "$ne", Value: true}}},
	}, docdb.Find{Fields: []string{"student"}}) {
		if err != nil {
			return err
		}
		a.find("rows", textOf(raw, "_id"), "the row has no number and does not say that it awaits one")
		a.booksOf(textOf(raw, "student")).suspect = true
	}
	return nil
}
