package store

import (
	"context"
	"maps"
	"slices"

	"github.com/bojanz/currency"
	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// auditedInstitute is an institute whose ledger is to be checked, if its
// settings can be read.
type auditedInstitute struct {
	fees.Institute
	readable bool
}

// auditInstitutes reads one institute, or with "" all, and checks their
// settings: what amounts and numbers mean hangs on them. Code: NotFound.
func (s *Store) auditInstitutes(ctx context.Context, institute string, report *fees.AuditReport) (all []auditedInstitute, err error) {
	which := bson.D{under("")}
	if institute != "" {
		which = bson.D{{Key: "_id", Value: institute}}
	}
	for raw, err := range s.DB.Find(ctx, institutes, which, docdb.Find{Sort: []docdb.Key{{Path: "_id"}}}) {
		if err != nil {
			return nil, err
		}
		inst := auditedInstitute{readable: true}
		if err := bson.Unmarshal(raw, &inst.Institute); err != nil {
			inst = auditedInstitute{Institute: fees.Institute{Code: textOf(raw, "_id")}}
			report.Findings = append(report.Findings, settingsFinding(inst.Code, "the institute cannot be read: %v", err))
		} else {
			report.Findings = append(report.Findings, settingsFindings(inst.Institute)...)
		}
		all = append(all, inst)
	}
	if institute != "" && len(all) == 0 {
		_, err = s.Institute(ctx, institute)
	}
	return all, err
}

func settingsFindings(inst fees.Institute) (found []fees.Finding) {
	if bad := checkInstitute(inst); bad != nil {
		for _, field := range slices.Sorted(maps.Keys(bad.Fields)) {
			found = append(found, settingsFinding(inst.Code, "the setting %s: %s", field, bad.Fields[field]))
		}
	}
	if digits, known := currency.GetDigits(inst.Currency); known && int64(digits) != inst.Decimals {
		found = append(found, settingsFinding(inst.Code, "%s has %s, the institute says %d: every amount is read wrongly", inst.Currency, several(int64(digits), "decimal"), inst.Decimals))
	}
	return found
}

func settingsFinding(code, format string, args ...any) fees.Finding {
	return fees.Finding{Institute: code, What: "institute", ID: code, Text: sentence(format, args...)}
}
