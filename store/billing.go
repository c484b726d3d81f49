package store

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// billing is everything that the bills of one period follow from.
type billing struct {
	s      *Store
	inst   fees.Institute
	period fees.Period
	class  string         // "" for every class
	spelt  []string       // the class as students have it: Nursery, nursery
	plan   []fees.PlanRow // of the period
	heads  map[string]fees.Head
	run    string // whose bills count as created; "" for a preview
	by     string // who started it

	pricing  bool // bills that are there are brought to the plan, or it is to be said what that would do
	siblings []fees.SiblingRule
	ranks    map[string]int64 // of the second child and later ones, by admission number

	periods []fees.Period           // all, in which concessions begin and end
	byClass map[string]*fees.Tariff // with what of the plan can match a class
}

// openBilling reads the plan of a period, once: what is changed while a run
// goes on is for the next. Invalid, with Fields period or
// class, when that cannot be billed; NotFound (the institute).
func (s *Store) openBilling(ctx context.Context, institute, period, class string) (*billing, error) {
	inst, err := s.Institute(ctx, institute)
	if err != nil {
		return nil, err
	}
	b := &billing{s: s, inst: inst, heads: map[string]fees.Head{}, byClass: map[string]*fees.Tariff{}, ranks: map[string]int64{}}
	if b.period, err = s.billable(ctx, inst, period); err != nil {
		return nil, err
	}
	if b.periods, err = s.Periods(ctx, institute); err != nil {
		return nil, err
	}
	if b.spelt, err = s.classToBill(ctx, institute, class); err != nil {
		return nil, err
	}
	b.class = b.spelt[0]
	b.plan, err = docdb.All[fees.PlanRow](s.DB.Find(ctx, plans,
		bson.D{under(fees.Key(institute, b.period.Code, ""))}, docdb.Find{}))
	if err != nil {
		return nil, outage("read fee plan", err)
	}
	all, err := s.Heads(ctx, institute)
	if err != nil {
		return nil, err
	}
	for _, head := range all {
		b.heads[head.Code] = head
	}
	rules, err := s.Rules(ctx, institute, b.period.FY)
	if err != nil {
		return nil, err
	}
	b.siblings = rules.Siblings
	return b, nil
}

// billable is the period of this code, if its year is still open.
func (s *Store) billable(ctx context.Context, inst fees.Institute, code string) (fees.Period, error) {
	invalid := func(message string) error {
		return &fees.Error{Code: fees.Invalid, Message: message, Fields: map[string]string{"period": message}}
	}
	code = fees.NormalPeriod(code)
	period, err := s.Period(ctx, inst.Code, code)
	if fees.CodeOf(err) == fees.NotFound {
		all, err := s.Periods(ctx, inst.Code)
		if err != nil {
			return period, err
		}
		if len(all) == 0 {
			return period, invalid("There is no period to bill yet. Make a fee plan first.")
		}
		names := make([]string, len(all))
		for i, p := range all {
			names[i] = p.Code
		}
		return period, invalid(fmt.Sprintf("There is no period %q. There are %s.", leading(code, 40), strings.Join(names, ", ")))
	}
	if err != nil {
		return period, err
	}
	if _, last, bad := fees.FYRange(period.FY, inst.FYStart); bad != nil || last <= inst.ClosedTo {
		return period, invalid(fmt.Sprintf("%s cannot be billed: the year %s is closed.", code, period.FY))
	}
	return period, nil
}

// classToBill is the class in each of the ways in which students have it, only
// "" for every class.
func (s *Store) classToBill(ctx context.Context, institute, class string) ([]string, error) {
	class = fees.NormalClass(class)
	if class == "" {
		return []string{""}, nil
	}
	all, err := s.Classes(ctx, institute)
	if err != nil {
		return nil, err
	}
	var spelt []string
	for _, one := range all {
		if strings.EqualFold(one, class) {
			spelt = append(spelt, one)
		}
	}
	if len(spelt) == 0 {
		message := fmt.Sprintf("No student is in class %q. There are %s.", leading(class, 40), strings.Join(all, ", "))
		return nil, &fees.Error{Code: fees.Invalid, Message: message, Fields: map[string]string{"class": message}}
	}
	return spelt, nil
}

// batches are the students in scope by key.
func (b *billing) batches(ctx context.Context) iter.Seq2[[]fees.Student, error] {
	return b.s.studentBatches(ctx, b.inst.Code, b.spelt, "admissionNo", "name", "class", "category", "status")
}

// count is how many students are in scope.
func (b *billing) count(ctx context.Context) (int64, error) {
	var sum int64
	for _, class := range b.spelt {
		filter, _ := studentScope(b.inst.Code, class, "")
		n, err := b.s.DB.Count(ctx, students, filter, 0)
		if err != nil {
			return 0, outage("count students", err)
		}
		sum += n
	}
	return sum, nil
}

// tariffOf is the tariff with what of the plan can match a student of the
// class.
func (b *billing) tariffOf(class string) *fees.Tariff {
	t, known := b.byClass[class]
	if !known {
		t = &fees.Tariff{Period: b.period, Periods: b.periods, Heads: b.heads, Siblings: b.siblings}
		for _, row := range b.plan {
			if row.Class == fees.Any || strings.EqualFold(row.Class, class) {
				t.Plan = append(t.Plan, row)
			}
		}
		b.byClass[class] = t
	}
	return t
}
