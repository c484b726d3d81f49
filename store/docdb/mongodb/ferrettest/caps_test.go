package ferrettest

import "raseed/store/docdb/docdbtest"

const (
	notAtomic = "reads a document, changes it and writes it back without holding it: of two updates at once one is lost"
	noPartial = "has no partial indexes; the engine leaves the unique one out and says so at start"
	oneAcc    = "feeds the documents of a group to the first accumulator only; the others see none"
	noMinMax  = "has no $min and $max in $group"
	otherPlan = "explains in SQLite's words, not in MongoDB's"
)

// caps are what FerretDB v1.24.2 on SQLite cannot do, each seen to fail. On a
// mongod nothing is left out.
var caps = docdbtest.Caps{
	"Documents/array": "refuses an array in an array",

	"Insert/many_stops_at_the_first_refusal": "inserts in batches of 100 and goes on with the next batch after the duplicate that stops one",

	"Stream/flat_memory": "runs in the memory of the test and sorts there",

	"Update/inc_by_nothing": "counts an $inc by 0 as a change",
	"Update/pull_documents": "compares whole items in $pull: a condition on their fields finds none",

	"Bulk/sums":              "numbers upserts 0, 1, … instead of giving their positions",
	"Bulk/long":              "keeps a connection of 100 open for each update of a command: it hangs at the hundredth",
	"Bulk/unordered_goes_on": noPartial,
	"Bulk/ordered_stops":     noPartial,

	"Group/every_type":               noMinMax,
	"Group/head/by_one":              noMinMax,
	"Group/head/by_two":              oneAcc,
	"Group/head/by_nothing":          oneAcc,
	"Group/head/nothing_to_sum":      noMinMax,
	"Group/head/no_match":            noMinMax,
	"Group/head/no_match_by_nothing": noMinMax,
	"Group/h/by_one":                 noMinMax,
	"Group/h/by_two":                 oneAcc,
	"Group/h/by_nothing":             oneAcc,
	"Group/h/nothing_to_sum":         noMinMax,
	"Group/h/no_match":               noMinMax,
	"Group/h/no_match_by_nothing":    noMinMax,

	"Unique/refuses_a_twin":             noPartial,
	"Unique/minds_only_what_is_partial": noPartial,
	"Unique/on_update":                  noPartial,

	"Race/increments":            notAtomic,
	"Race/compare_and_set":       notAtomic,
	"Race/set_once":              notAtomic,
	"Race/pushes":                notAtomic,
	"Race/inserts_of_one_number": noPartial,

	"Plan/scan_is_told":        otherPlan,
	"Plan/memory_sort_is_told": otherPlan,
}
