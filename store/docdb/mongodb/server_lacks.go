package mongodb

import (
	"log/slog"
	"maps"
	"slices"
	"strings"
)

// What a server may not keep of what is declared, and what takes its place.
// None of it breaks a promise.
const (
	lacksValidators = "the server keeps no validators: it takes any document, also from hands; Raseed checks what it writes, audit names the rest"
	lacksCollMod    = "this database user may not set validators (collMod, in role dbAdmin): those on the server are older, or none; Raseed checks what it writes, audit names the rest"
	lacksTTL        = "the server has no TTL indexes: this process deletes the expired documents once a minute"
	lacksSafetyNet  = "the safety net is off: the server has no partial unique indexes; the protocol does not need it, audit does its work"
	lacksPartial    = "the server has no partial indexes: these are over all documents, larger and otherwise the same"
	lacksFilter     = "a partial index is over other documents than declared: drop it and start again"
	lacksIndex      = "the server accepted an index and does not list it: reading is slower"
	lacksRetries    = "the server has no retryable writes: a lost answer is an unknown outcome more often, which Raseed looks into by itself"
	lacksShardKeys  = "this database user may not see how collections are sharded (read on the database config): make sure that it is as docs/operations.md has it"
)

// lacks collects what is missing and where, for one line each.
type lacks map[string][]string

func (l lacks) add(what, where string) { l[what] = append(l[what], where) }

func (l lacks) log(log *slog.Logger) {
	for _, what := range slices.Sorted(maps.Keys(l)) {
		log.Warn(what, "where", strings.Join(l[what], " "))
	}
}
