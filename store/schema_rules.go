package store

import (
	"go.mongodb.org/mongo-driver/v2/bson"

	"raseed/store/docdb"
	"raseed/store/fees"
)

// What the documents look like, for validators: the types, words and signs that
// hold at any point of a document's life, so that neither a hand nor a bug can
// put a 12.5 or a null where money is. Fields that are not named here are
// allowed: an older program beside a newer one must not stand in its way.

// schemas are the schemas by collection.
func schemas() map[string]bson.D {
	return map[string]bson.D{
		institutes: isDocument(
			must("_id", isCode()), must("name", isText()), may("address", isText()), must("tz", isText()),
			must("fyStart", isWhole(1, 12)), must("currency", isLike("^[A-Z]{3}$")), must("decimals", isWhole(0, 4)), must("locale", isText()),
			must("formats", isDocument(must("receipt", isText()), must("reversal", isText()), must("refund", isText()), must("adjustment", isText()))),
			may("footer", isText()), may("logo", isText()), may("upi", isText()),
			may("closedTo", isDate()), must("createdAt", isInstant())),
		users: isDocument(
			must("_id", isText()), must("institute", isCode()), must("name", isText()), must("role", isOneOf(fees.Roles()...)), must("password", isText()),
			may("disabled", isYes()), must("createdAt", isInstant()), may("changedAt", isInstant()), may("changedBy", isText())),
		sessions: isDocument(
			must("_id", isText()), may("data", bson.D{{Key: "bsonType", Value: "binData"}}), must("expiresAt", isInstant()), may("ended", isYes())),
		attempts: isDocument(
			must("_id", isText()), must("count", isAtLeast(0)), must("expiresAt", isInstant())),
		students: isOwned(
			must("admissionNo", isText()), must("name", isText()), must("class", isText()), may("section", isText()), must("category", isText()),
			may("family", isText()), may("guardian", isText()), may("phone", isText()), may("email", isText()),
			must("status", isOneOf(fees.StudentActive, fees.StudentLeft)), may("leftOn", isDate()), must("openingBalance", isAmount()), may("opening", isYes()),
			must("terms", isList(0, isText())), must("updatedAt", isInstant())),
		heads: isOwned(
			must("code", isText()), must("name", isText()), must("order", isAtLeast(0)), may("refundable", isYes())),
		periods: isOwned(
			must("code", isText()), must("fy", isYear()), must("dueDate", isDate())),
		plans: isOwned(
			must("fy", isYear()), must("period", isText()), must("dueDate", isDate()), must("class", isText()), must("category", isText()),
			must("head", isText()), must("amount", isAtLeast(0))),
		concessions: isOwned(
			must("student", isText()), must("head", isText()), must("grants", isList(1, isDocument(
				must("kind", isOneOf(fees.ConcessionPercent, fees.ConcessionAmount)),
				may("percent", isWhole(1, int64(fees.MaxPercent))), may("amount", isAtLeast(1)), may("reason", isText()), may("approver", isText()),
				may("from", isText()), may("to", isText()), may("by", isText()), may("at", isInstant())))),
			may("version", isAtLeast(1))),
		ruleSets: isOwned(
			must("fy", isYear()), must("version", isAtLeast(1)),
			may("siblings", isList(1, isDocument(
				must("rank", isAtLeast(2)), must("head", isText()), must("kind", isOneOf(fees.ConcessionPercent, fees.ConcessionAmount)),
				may("percent", isWhole(1, int64(fees.MaxPercent))), may("amount", isAtLeast(1))))),
			may("late", isDocument(
				must("head", isText()), must("kind", isOneOf(fees.LateFlat, fees.LateDay, fees.LateWeek, fees.LateSlabs)),
				may("amount", isAtLeast(1)), may("cap", isAtLeast(1)), may("graceDays", isAtLeast(1)), may("stopAtHalf", isYes()),
				may("slabs", isList(1, isDocument(must("afterDays", isAtLeast(0)), must("amount", isAtLeast(1)))))))),
		bills: isOwned(
			must("student", isText()), must("fy", isYear()), must("period", isText()), must("title", isText()), must("dueDate", isDate()),
			must("lines", isBillLines()), must("net", isAmount()), may("run", isText()), must("createdAt", isInstant()),
			may("of", isText()), may("charge", isText()), may("differences", isAtLeast(1)), may("revision", isAtLeast(1)),
			may("revisions", isList(1, isDocument(
				must("revision", isAtLeast(0)), must("lines", isBillLines()), must("net", isAmount()), must("at", isInstant()),
				may("run", isText()), may("by", isText()), may("reason", isText())))),
			may("cancelled", isDocument(must("at", isInstant()), must("by", isAnyText()), must("reason", isText()))),
			must("body", isText()), may("uncounted", isYes())),
		charges: isOwned(
			must("fy", isYear()), must("title", isText()), must("head", isText()), must("headName", isText()), must("amount", isAtLeast(1)),
			must("dueDate", isDate()), may("class", isText()), may("student", isText()), must("state", isOneOf(fees.ChargeOpen, fees.ChargeDone)),
			must("by", isAnyText()), must("placedAt", isInstant()), must("students", isAtLeast(0)), must("total", isAtLeast(0))),
		accounts: isOwned(
			must("student", isText()), must("version", isAtLeast(1)), must("billed", isAmount()), must("received", isAmount()),
			must("balance", isAmount()), must("bills", isAtLeast(0)), must("rows", isAtLeast(0))),
		repairs: isOwned(
			must("at", isInstant()), must("by", isAnyText()), may("from", isText()), must("what", isText()), may("doc", isText()), must("text", isText())),
		runs: isOwned(
			must("period", isText()), may("class", isText()), may("reprice", isYes()),
			must("state", isOneOf(fees.RunQueued, fees.RunRunning, fees.RunDone, fees.RunFailed, fees.RunCancelled)),
			may("active", isYes()), must("by", isAnyText()), must("startedAt", isInstant()), may("claim", isAtLeast(1)), may("claimedAt", isInstant()),
			may("finishedAt", isInstant()), may("leaseUntil", isInstant()), may("cancelledBy", isAnyText()), may("error", isText()),
			must("tally", isDocument(
				must("students", isAtLeast(0)), must("done", isAtLeast(0)), must("created", isAtLeast(0)), must("unchanged", isAtLeast(0)),
				must("updated", isAtLeast(0)), must("changed", isAtLeast(0)), must("skipped", isAtLeast(0)), must("inactive", isAtLeast(0)),
				must("noLine", isAtLeast(0)), must("amount", isAmount()), may("cancelled", isAtLeast(0)), may("differences", isAtLeast(0)), may("repriced", isAmount())))),
		prints: isOwned(
			must("count", isAtLeast(1)), must("log", isList(1, isPrint())), may("last", isPrint())),
		logos: isOwned(
			must("type", isOneOf(fees.LogoPNG, fees.LogoJPEG)), must("width", isAtLeast(1)), must("height", isAtLeast(1)), must("data", isBinary()),
			must("addedAt", isInstant()), must("addedBy", isAnyText())),
		keys: isOwned(
			must("secret", isBinary()), must("madeAt", isInstant())),
		counters: isOwned(
			must("seq", isAtLeast(0)), must("holders", isList(0, isText())), must("baseHash", isAnyText())),
		payments: rowSchema(),
		cheques: isOwned(
			must("student", isText()), must("studentName", isText()), must("row", isText()), must("mode", isOneOf(fees.ModeCheque, fees.ModeDraft)),
			must("number", isText()), may("bank", isText()), may("branch", isText()), must("date", isDate()), must("amount", isAtLeast(1)),
			must("state", isOneOf(fees.ChequeStates()...)), must("day", isDate()), must("version", isAtLeast(1)),
			may("account", isText()), may("deposit", isText()), may("family", isText()), may("of", isAtLeast(1)), may("paper", isAtLeast(1)), may("again", isText()), may("first", isText()),
			must("history", isList(1, isDocument(
				must("state", isOneOf(fees.ChequeStates()...)), must("at", isInstant()), must("by", isAnyText()), must("day", isDate()), may("note", isText())))),
			may("bounce", isDocument(
				must("reason", isText()), may("charge", isAtLeast(1)), may("reentry", isText()), must("by", isAnyText()), must("byName", isAnyText()), may("from", isText()))),
			may("bouncing", isYes())),
		refunds: isOwned(
			must("student", isText()), must("studentName", isText()), may("payment", isText()), may("paymentText", isText()),
			must("lines", isList(1, isDocument(must("head", isText()), must("headName", isText()), must("amount", isAtLeast(1))))),
			must("amount", isAtLeast(1)), must("mode", isOneOf(fees.Modes()...)), may("ref", isText()), must("reason", isText()),
			must("state", isOneOf(fees.RefundStates()...)), must("version", isAtLeast(1)), may("active", isYes()),
			must("by", isAnyText()), must("byName", isAnyText()), may("from", isText()), must("askedAt", isInstant()),
			may("decider", isAnyText()), may("decided", isAnyText()), may("decideAt", isInstant()), may("why", isText())),
		holds: isOwned(
			must("student", isText()), must("holder", isAnyText()), must("name", isAnyText()), must("token", isText()), may("form", isAnyText()),
			must("since", isInstant()), must("expiresAt", isInstant())),
		shifts: isOwned(
			must("cashier", isText()), must("cashierName", isAnyText()), may("from", isText()),
			must("state", isOneOf(fees.ShiftOpen, fees.ShiftClosing, fees.ShiftClosed)), may("active", isYes()), may("closing", isYes()), must("version", isAtLeast(1)),
			must("date", isDate()), must("openedAt", isInstant()), must("float", isAtLeast(0)),
			may("drops", isList(1, isDocument(
				must("id", isText()), must("amount", isAtLeast(1)), may("note", isText()), must("by", isText()), must("at", isInstant())))),
			may("count", isDocument(
				may("pieces", isList(1, isDocument(must("piece", isText()), must("value", isAtLeast(1)), must("count", isAtLeast(1))))),
				may("other", isAtLeast(1)), must("counted", isAtLeast(0)), may("note", isText()), may("reason", isText()),
				must("by", isText()), must("byName", isText()), may("from", isText()), must("at", isInstant()))),
			may("sums", isDocument(
				must("rows", isAtLeast(0)), must("cash", isAmount()),
				may("modes", isList(1, isDocument(
					must("mode", isOneOf(fees.Modes()...)), must("tenders", isAtLeast(0)),
					must("received", isAtLeast(0)), must("reversed", isAtMost(0)), must("refunded", isAtMost(0))))),
				may("numbers", isList(1, isDocument(
					must("fy", isYear()), must("series", isOneOf(fees.AllSeries()...)), must("count", isAtLeast(1)), must("first", isText()), must("last", isText())))))),
			may("late", isDocument(must("rows", isAtLeast(1)), must("cash", isAmount()), must("total", isAmount())))),
		families: isOwned(
			must("family", isText()), must("date", isDate()), must("recordedAt", isInstant()), must("total", isAtLeast(1)),
			must("tenders", isList(1, isTender(isAtLeast(1)))), may("remark", isText()), may("shift", isText()),
			must("children", isList(1, isDocument(
				must("student", isText()), must("name", isText()), must("amount", isAtLeast(1)), must("row", isText()),
				must("tenders", isList(1, isTender(isAtLeast(1))))))),
			must("cashier", isAnyText()), must("cashierName", isAnyText()), may("from", isText()), must("digest", isText()), may("open", isYes())),
	}
}

// isBillLines are what a bill charges. In a difference bill each amount may be
// of either sign.
func isBillLines() bson.D {
	return isList(1, isDocument(
		must("head", isText()), must("headName", isText()), must("gross", isAmount()), may("concession", isAmount()), must("net", isAmount()),
		may("reasons", isList(1, isDocument(may("reason", isText()), may("approver", isText()), must("amount", isAmount()))))))
}

// rowSchema is the schema of the ledger. What is of one sign only by the kind of the
// row is said for each kind.
func rowSchema() bson.D {
	row := isOwned(
		must("fy", isYear()), must("date", isDate()), must("recordedAt", isInstant()),
		must("student", isText()), must("studentName", isText()), must("class", isText()), may("section", isText()), may("guardian", isText()),
		must("balanceAfter", isAmount()), must("currency", isText()), may("remark", isText()), may("refs", isList(1, isText())),
		may("charge", isAtLeast(1)), must("format", isText()), may("shift", isText()), may("cash", isAmount()),
		must("cashier", isAnyText()), must("cashierName", isAnyText()), may("from", isText()), must("instituteName", isText()), may("instituteAddress", isText()), may("instituteFooter", isText()), may("logo", isText()),
		must("digest", isText()), must("body", isText()),
		may("awaiting", isYes()), may("number", isAtLeast(1)), may("numberText", isText()), may("numberedAt", isInstant()),
		may("prevHash", isAnyText()), may("hash", isText()), may("reversedBy", isText()))
	return append(row, bson.E{Key: "anyOf", Value: bson.A{
		isDocument(append(signedRow(fees.KindPayment, isAtLeast(1)), must("tenders", isList(1, isTender(isAtLeast(1)))))...),
		isDocument(append(signedRow(fees.KindReversal, isAtMost(-1)), must("tenders", isList(1, isTender(isAtMost(-1)))),
			must("reverses", isText()), must("reversesText", isText()), may("takes", isText()), must("reason", isText()), may("cheque", isText()))...),
		isDocument(append(signedRow(fees.KindRefund, isAtMost(-1)), must("tenders", isList(1, isTender(isAtMost(-1)))),
			may("refunds", isText()), may("refundsText", isText()), may("takes", isText()), must("reason", isText()), must("approvedBy", isText()), must("approvedName", isAnyText()))...),
		isDocument(append(rowOf(fees.KindAdjustment, isWhole(0, 0), isAmount()), must("reason", isText()), may("tenders", isList(0, isTender(isWhole(0, 0)))))...),
	}})
}

// signedRow are the fields that a kind of row has in a series and sign of its own.
func signedRow(kind fees.Kind, money bson.D) []rule { return rowOf(kind, money, money) }

// rowOf are the fields of a kind of row that moves that much by lines of that
// much.
func rowOf(kind fees.Kind, total, money bson.D) []rule {
	return []rule{
		must("kind", isOneOf(kind)), must("series", isOneOf(kind.Series())), must("total", total),
		must("lines", isList(1, isDocument(
			may("bill", isText()), may("title", isText()), must("head", isText()), must("headName", isText()), must("amount", money)))),
	}
}

func isPrint() bson.D {
	return isDocument(must("id", isText()), must("at", isInstant()), must("by", isAnyText()), must("name", isAnyText()), must("format", isText()))
}

func isTender(money bson.D) bson.D {
	return isDocument(must("mode", isOneOf(fees.Modes()...)), must("amount", money), may("ref", isText()), may("bank", isText()), may("branch", isText()), may("date", isDate()), may("last4", isText()), may("of", isAtLeast(1)))
}

// ruled gives the collections their schemas, and says which a cluster may
// distribute: those whose every key begins with the institute.
func ruled(all []docdb.Collection) []docdb.Collection {
	known := schemas()
	for i, c := range all {
		all[i].Schema = known[c.Name]
		switch c.Name {
		case institutes, users, sessions, attempts:
		default:
			all[i].Shard = "institute"
		}
	}
	return all
}
