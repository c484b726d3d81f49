package store

import (
	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
)

// The collections.
const (
	institutes  = "institutes"
	users       = "users"
	sessions    = "sessions"
	attempts    = "attempts"
	students    = "students"
	heads       = "heads"
	periods     = "periods"
	plans       = "plans"
	concessions = "concessions"
	ruleSets    = "rules"
	bills       = "bills"
	charges     = "charges"
	accounts    = "accounts"
	repairs     = "repairs"
	runs        = "runs"
	payments    = "payments"
	counters    = "counters"
	holds       = "holds"
	shifts      = "shifts"
	cheques     = "cheques"
	refunds     = "refunds"
	families    = "familyPayments"
	prints      = "prints"
	logos       = "logos"
	keys        = "keys"
)

// Schema declares every collection with its indexes. The institute leads each
// of them; an `_id` is a natural key wherever there is one.
func Schema() []docdb.Collection {
	asc := func(paths ...string) []docdb.Key {
		keys := make([]docdb.Key, len(paths))
		for i, p := range paths {
			keys[i] = docdb.Key{Path: p}
		}
		return keys
	}
	exists := func(path string) bson.D { return bson.D{{Key: path, Value: bson.D{{Key: "$exists", Value: true}}}} }
	return ruled([]docdb.Collection{
		{Name: institutes},
		{Name: users, Indexes: []docdb.Index{
			{Name: "institute", Keys: asc("institute", "_id")},
		}},
		{Name: sessions, TTL: "expiresAt"},
		{Name: attempts, TTL: "expiresAt"},
		{Name: students, Indexes: []docdb.Index{
			{Name: "class", Keys: asc("institute", "class", "_id")},
			{Name: "terms", Keys: []docdb.Key{{Path: "institute"}, {Path: "terms", Multi: true}, {Path: "_id"}}},
			{Name: "opening", Keys: asc("institute", "_id"), Partial: bson.D{{Key: "opening", Value: true}}},
		}},
		{Name: heads},
		{Name: periods},
		{Name: plans},
		{Name: concessions, Indexes: []docdb.Index{
			{Name: "student", Keys: asc("institute", "student", "_id")},
		}},
		{Name: ruleSets},
		{Name: bills, Indexes: []docdb.Index{
			// With net, what a period was billed is summed from the index alone.
			{Name: "period", Keys: asc("institute", "period", "student", "net")},
			// So is a student's account, from this and from the rows' "student".
			{Name: "student", Keys: asc("institute", "student", "net")},
			{Name: "uncounted", Keys: asc("institute", "_id"), Partial: bson.D{{Key: "uncounted", Value: true}}},
		}},
		{Name: charges, Indexes: []docdb.Index{
			{Name: "state", Keys: asc("institute", "state", "_id")},
		}},
		{Name: accounts},
		{Name: prints},
		{Name: logos},
		{Name: keys},
		{Name: repairs},
		{Name: runs, Indexes: []docdb.Index{
			{Name: "active", Keys: asc("institute", "state", "leaseUntil")},
			// A period has one run at a time, whatever the number of processes.
			{Name: "one", Keys: asc("institute", "period"), Unique: true, Partial: bson.D{{Key: "active", Value: true}}},
		}},
		{Name: counters},
		{Name: payments, Indexes: []docdb.Index{
			{Name: "student", Keys: asc("institute", "student", "_id", "total")},
			// total rides along so that a selection's sum is read from the index alone.
			{Name: "date", Keys: asc("institute", "date", "_id", "total")},
			{Name: "awaiting", Keys: asc("institute", "_id"), Partial: bson.D{{Key: "awaiting", Value: true}}},
			// cash rides along so that a till's is summed from the index alone.
			{Name: "shift", Keys: asc("institute", "shift", "_id", "cash"), Partial: exists("shift")},
			// The safety net of numbering: it should never fire.
			{Name: "number", Keys: asc("institute", "fy", "series", "number"), Unique: true, Partial: exists("number")},
			{Name: "numberText", Keys: asc("institute", "numberText"), Partial: exists("numberText")},
			// A payment is reversed or refunded, whatever the number of processes.
			{Name: takesIndex, Keys: asc("institute", "takes"), Unique: true, Partial: exists("takes")},
			// What was paid with the same reference: only rows that have one are in it.
			{Name: "refs", Keys: []docdb.Key{{Path: "institute"}, {Path: "refs", Multi: true}, {Path: "_id"}}},
		}},
		{Name: holds, TTL: "expiresAt"},
		{Name: shifts, Indexes: []docdb.Index{
			{Name: "cashier", Keys: asc("institute", "cashier", "_id")},
			// A cashier has one till at a time, whatever the number of processes.
			{Name: "one", Keys: asc("institute", "cashier"), Unique: true, Partial: bson.D{{Key: "active", Value: true}}},
			{Name: "closing", Keys: asc("institute", "_id"), Partial: bson.D{{Key: "closing", Value: true}}},
		}},
		{Name: families, Indexes: []docdb.Index{
			{Name: "open", Keys: asc("institute", "_id"), Partial: bson.D{{Key: "open", Value: true}}},
		}},
		{Name: cheques, Indexes: []docdb.Index{
			// amount rides along so that a list's sum is read from the index alone.
			{Name: "state", Keys: asc("institute", "state", "day", "_id", "amount")},
			// The parts of cheques, which are counted apart.
			{Name: "parts", Keys: asc("institute", "state", "day", "_id"), Partial: exists("paper")},
			{Name: "student", Keys: asc("institute", "student", "_id")},
			{Name: "deposit", Keys: asc("institute", "deposit", "_id"), Partial: exists("deposit")},
			{Name: "family", Keys: asc("institute", "family", "_id"), Partial: exists("family")},
			{Name: "bouncing", Keys: asc("institute", "_id"), Partial: bson.D{{Key: "bouncing", Value: true}}},
		}},
		{Name: refunds, Indexes: []docdb.Index{
			{Name: "state", Keys: asc("institute", "state", "_id")},
			{Name: "student", Keys: asc("institute", "student", "_id")},
			// A student has one refund under way at a time, whatever the number of processes.
			{Name: "one", Keys: asc("institute", "student"), Unique: true, Partial: bson.D{{Key: "active", Value: true}}},
			{Name: "active", Keys: asc("institute", "_id"), Partial: bson.D{{Key: "active", Value: true}}},
		}},
	})
}
