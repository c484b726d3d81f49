package store

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// headNameLimit is how long a head's name may be, in characters: it is printed
// on receipts.
const headNameLimit = 40

// AddHead adds a fee head behind the others. Its code is made of its name
// (LAB_LIBRARY of "Lab & library") and stays. One that is there just so is added
// already.
// Codes: Invalid (Field name), Conflict (the name is taken).
func (s *Store) AddHead(ctx context.Context, institute, name string, refundable bool, by fees.Actor) error {
	name, reason := headTitle(name)
	code, odd := headCode(codeWords(name))
	if reason = cmp.Or(reason, odd); reason != "" {
		return refusal("The head was not added.", map[string]string{"name": reason})
	}
	all, err := s.Heads(ctx, institute)
	if err != nil {
		return err
	}
	head := fees.Head{ID: fees.Key(institute, code), Institute: institute, Code: code, Name: name, Order: 1, Refundable: refundable}
	for _, h := range all {
		switch head.Order = max(head.Order, h.Order+1); {
		case h.Code == code && h.Name == name && h.Refundable == refundable:
			return nil
		case h.Code == code || strings.EqualFold(h.Name, name):
			return headTaken(h)
		}
	}
	err = s.DB.InsertOne(ctx, heads, head)
	if docdb.IsDuplicate(err) {
		var first fees.Head
		if err := s.DB.FindOne(ctx, heads, one(institute, head.ID), docdb.Find{}, &first); err != nil {
			return outage("read head", err)
		}
		if first.Name != name || first.Refundable != refundable {
			return headTaken(first)
		}
		return nil
	}
	if err != nil {
		return outage("add head", err)
	}
	s.Log.InfoContext(ctx, "head added", "head", head.ID, "by", by.Login, "from", by.From)
	return nil
}

func headTaken(h fees.Head) *fees.Error {
	message := "There is a head " + h.Name + " (" + h.Code + ") already."
	return &fees.Error{Code: fees.Conflict, Message: message, Fields: map[string]string{"name": strings.TrimSuffix(message, ".")}}
}

// codeWords is what of a head's name its code can have.
func codeWords(name string) string {
	words := strings.Map(func(r rune) rune {
		if inHeadCode(r) || isJoiner(r) {
			return r
		}
		return ' '
	}, name)
	if runes := []rune(words); len(runes) > headCodeLimit {
		words = string(runes[:headCodeLimit])
	}
	return words
}

// headTitle is a head's name in its normal form, or why it is none.
func headTitle(name string) (clean, reason string) {
	clean, bad := fees.CleanText(name, headNameLimit)
	switch {
	case bad != nil:
		return clean, bad.Message
	case clean == "":
		return clean, "Enter a name"
	}
	return clean, ""
}

// SaveHeads gives heads their names, their order (those of the same Order keep
// theirs) and says which are refundable; heads that the list lacks stay. Bills
// and receipts keep the names that they were written with. Version is the
// fees.HeadsVersion of the heads as they were read. A list that is there just so
// is saved already. Codes: Invalid (Fields head_name.N), Conflict.
func (s *Store) SaveHeads(ctx context.Context, institute string, list []fees.Head, version string, by fees.Actor) error {
	unlock, err := s.planning.lock(ctx, institute)
	if err != nil {
		return outage("save heads", err)
	}
	defer unlock()
	have, err := s.Heads(ctx, institute)
	if err != nil {
		return err
	}
	want, err := wantedHeads(have, list)
	if err != nil {
		return err
	}
	if slices.Equal(have, want) {
		return nil
	}
	if fees.HeadsVersion(have) != version {
		return fees.Errorf(fees.Conflict, "Somebody else changed the heads meanwhile. Nothing of yours was saved; open them again.")
	}
	var ops []docdb.UpdateOp
	for i, h := range want {
		if h == have[i] {
			continue
		}
		read := append(one(institute, h.ID), bson.E{Key: "name", Value: have[i].Name}, bson.E{Key: "order", Value: have[i].Order})
		there, err := bson.Marshal(have[i])
		if err != nil {
			return err
		}
		change, err := changes(there, h)
		if err != nil {
			return err
		}
		ops = append(ops, docdb.UpdateOp{Filter: read, Update: change})
	}
	for batch := range slices.Chunk(ops, batchSize) {
		if _, err := s.writeBatch(ctx, heads, batch); err != nil {
			return begun("save heads", err)
		}
	}
	now, err := s.Heads(ctx, institute)
	if err != nil {
		return begun("save heads", err)
	}
	for _, h := range want {
		if !slices.Contains(now, h) {
			return fees.Errorf(fees.Conflict, "Somebody else changed the heads at the same moment, so not all of yours was saved. Open them again.")
		}
	}
	s.Log.InfoContext(ctx, "heads saved", "institute", institute, "by", by.Login, "from", by.From)
	return nil
}

// wantedHeads is have, in its order, with what list says of it.
func wantedHeads(have, list []fees.Head) ([]fees.Head, error) {
	wrong := map[string]string{}
	want := slices.Clone(have)
	names := map[string]bool{}
	for i, l := range list {
		at := slices.IndexFunc(have, func(h fees.Head) bool { return h.Code == l.Code })
		if at < 0 {
			return nil, fees.Errorf(fees.Conflict, "There is no head %s. Open the heads again.", leading(l.Code, 40))
		}
		name, reason := headTitle(l.Name)
		if key := strings.ToLower(name); reason == "" && names[key] {
			reason = "Another head has this name"
		} else {
			names[key] = true
		}
		if reason != "" {
			wrong[nth("head_name", i)] = reason
		}
		want[at].Name, want[at].Order, want[at].Refundable = name, l.Order, l.Refundable
	}
	if bad := refusal("The heads were not saved.", wrong); bad != nil {
		return nil, bad
	}
	order := make([]int, len(want))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(want[a].Order, want[b].Order) })
	for place, i := range order {
		want[i].Order = int64(place) + 1
	}
	return want, nil
}
