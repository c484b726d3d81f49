package store

import (
	"context"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// Users are the people who log in to an institute, in the order of their
// logins. Their passwords' hashes are left where they are.
func (s *Store) Users(ctx context.Context, institute string) ([]fees.User, error) {
	people, err := docdb.All[fees.User](s.DB.Find(ctx, users,
		bson.D{{Key: "institute", Value: institute}},
		docdb.Find{
			Sort:   []docdb.Key{{Path: "_id"}},
			Fields: []string{"institute", "name", "role", "disabled", "createdAt", "changedAt", "changedBy"},
		}))
	if err != nil {
		return nil, outage("list users", err)
	}
	return people, nil
}
