package store

import (
	"context"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// AddPeriod adds a period to a financial year; its name is what its code has
// after the year (T1). One that is there just so is added already. Codes:
// Invalid (Fields fy, name, due_date), Conflict (it is there with another due
// date), NotFound (the institute).
func (s *Store) AddPeriod(ctx context.Context, institute, fy, name string, due fees.Date, by fees.Actor) error {
	inst, err := s.Institute(ctx, institute)
	if err != nil {
		return err
	}
	if bad := openYear(inst, fy); bad != nil {
		return bad
	}
	wrong := map[string]string{}
	name = strings.ToUpper(strings.TrimSpace(name))
	name = strings.TrimPrefix(name, fy+"/")
	code := fy + "/" + name
	if reason := periodProblem(fy, code); reason != "" {
		wrong["name"] = reason
	}
	if reason := dueProblem(inst, fy, due); reason != "" {
		wrong["due_date"] = reason
	}
	if bad := refusal("The period was not added.", wrong); bad != nil {
		return bad
	}
	err = s.DB.InsertOne(ctx, periods, fees.Period{ID: fees.Key(institute, code), Institute: institute, Code: code, FY: fy, DueDate: due})
	if docdb.IsDuplicate(err) {
		there, err := s.Period(ctx, institute, code)
		if err != nil || there.DueDate == due {
			return err
		}
		message := "There is a period " + code + ", due " + string(there.DueDate)
		return &fees.Error{Code: fees.Conflict, Message: message + ".", Fields: map[string]string{"name": message}}
	}
	if err != nil {
		return outage("add period", err)
	}
	s.Log.InfoContext(ctx, "period added", "institute", institute, "period", code, "by", by.Login, "from", by.From)
	return nil
}

// MoveDueDate gives a period another due date; read is the one it had when the
// form was opened. Once the period has bills it cannot change. Codes: Invalid
// (Fields fy, due_date), Conflict, NotFound.
func (s *Store) MoveDueDate(ctx context.Context, institute, code string, read, due fees.Date, by fees.Actor) error {
	inst, err := s.Institute(ctx, institute)
	if err != nil {
		return err
	}
	period, err := s.Period(ctx, institute, code)
	if err != nil {
		return err
	}
	if bad := openYear(inst, period.FY); bad != nil {
		return bad
	}
	reason := dueProblem(inst, period.FY, due)
	if reason == "" && period.DueDate != due {
		billed, err := s.PeriodBilled(ctx, institute, code)
		if err != nil {
			return err
		}
		if billed {
			reason = code + " was billed as due on " + string(period.DueDate) + "; that date stays"
		}
	}
	if reason != "" {
		return refusal("The due date was not changed.", map[string]string{"due_date": reason})
	}
	if period.DueDate != due {
		if period.DueDate != read {
			return dueOvertaken(code)
		}
		res, err := s.DB.UpdateOne(ctx, periods, append(one(institute, period.ID), bson.E{Key: "dueDate", Value: read}), set("dueDate", due), docdb.Update{})
		if err != nil {
			return outage("move due date", err)
		}
		if res.Matched == 0 {
			return dueOvertaken(code)
		}
		s.Log.InfoContext(ctx, "due date moved", "institute", institute, "period", code, "from_date", read, "to", due, "by", by.Login, "from", by.From)
	}
	period.DueDate = due
	return s.alignDue(ctx, institute, []fees.Period{period})
}

func dueOvertaken(code string) *fees.Error {
	return fees.Errorf(fees.Conflict, "Somebody else changed the due date of %s meanwhile. Nothing was saved; look at it again.", code)
}

// PeriodBilled says whether a period has bills, or a run is about to write the
// first of them by the plan that it has read. A plan that changes then changes
// bills by the next run that re-prices only.
func (s *Store) PeriodBilled(ctx context.Context, institute, code string) (bool, error) {
	of := bson.D{{Key: "institute", Value: institute}, {Key: "period", Value: code}}
	n, err := s.DB.Count(ctx, runs, append(slices.Clone(of), bson.E{Key: "active", Value: true}, bson.E{Key: "leaseUntil", Value: bson.D{{Key: "$gt", Value: s.instant()}}}), 1)
	if err == nil && n == 0 {
		n, err = s.DB.Count(ctx, bills, of, 1)
	}
	return n > 0, outageOrNil("look for bills", err)
}
