package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// SetLogo has an institute's receipts carry a picture, a PNG or JPEG, from now
// on. Receipts that are there keep what they have. Codes: Invalid (Fields logo),
// NotFound.
func (s *Store) SetLogo(ctx context.Context, code string, file []byte, by fees.Actor) error {
	if _, err := s.Institute(ctx, code); err != nil {
		return err
	}
	logo, err := logoPicture(file)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(logo.Data)
	hash := hex.EncodeToString(sum[:])
	logo.ID, logo.Institute, logo.AddedAt, logo.AddedBy = fees.Key(code, hash), code, s.instant(), by.Login
	// The picture first: whoever reads the institute finds it.
	if err := s.DB.InsertOne(ctx, logos, logo); err != nil && !docdb.IsDuplicate(err) {
		return outage("keep logo", err)
	}
	_, err = s.DB.UpdateOne(ctx, institutes, bson.D{{Key: "_id", Value: code}}, set("logo", hash), docdb.Update{})
	return outageOrNil("set logo", err)
}

// RemoveLogo has an institute's receipts carry no picture from now on.
func (s *Store) RemoveLogo(ctx context.Context, code string) error {
	_, err := s.DB.UpdateOne(ctx, institutes, bson.D{{Key: "_id", Value: code}},
		bson.D{{Key: "$unset", Value: bson.D{{Key: "logo", Value: ""}}}}, docdb.Update{})
	return outageOrNil("remove logo", err)
}

// Logo is a picture of the institute by its hash; NotFound.
func (s *Store) Logo(ctx context.Context, institute, hash string) (fees.Logo, error) {
	var logo fees.Logo
	err := s.DB.FindOne(ctx, logos, one(institute, fees.Key(institute, hash)), docdb.Find{}, &logo)
	if errors.Is(err, docdb.ErrNotFound) {
		return logo, fees.Errorf(fees.NotFound, "There is no such picture.")
	}
	return logo, outageOrNil("read logo", err)
}
