package web

import (
	"context"

	"github.com/alexedwards/scs/v2"

	"raseed/handlers"
	"raseed/store/fees"
)

// Store is everything the server needs of the ledger: what its own middleware
// and workers call, and what each handler declares for itself.
type Store interface {
	User(ctx context.Context, login string) (fees.User, error)
	Institute(ctx context.Context, code string) (fees.Institute, error)
	Sweep(ctx context.Context) error
	ResumeRuns(ctx context.Context) error
	AssessDaily(ctx context.Context, assessed map[string]fees.Date) error
	ExecuteRun(ctx context.Context, institute, id string) (fees.Run, error)

	handlers.Authenticator
	handlers.Founder
	handlers.Pinger
	handlers.Searcher
	handlers.PayerReader
	handlers.Recorder
	handlers.ShiftKeeper
	handlers.HoldKeeper
	handlers.FamilyRecorder
	handlers.FamilyReader
	handlers.SiblingFinder
	handlers.RowReader
	handlers.RegisterReader
	handlers.Reverser
	handlers.ChequeMover
	handlers.ReceiptCheques
	handlers.ReceiptRefunds
	handlers.StudentCheques
	handlers.RefundAsker
	handlers.RefundDecider
	handlers.Auditor
	handlers.StudentsReader
	handlers.StatementReader
	handlers.StudentWriter
	handlers.LateCharger
	handlers.LateFeeAssessor
	handlers.ChargePlacer
	handlers.BillCorrector
	handlers.Previewer
	handlers.RunStarter
	handlers.RunReader
	handlers.RunCanceller
	handlers.UserAdder
	handlers.UserChanger
	handlers.BookCloser
	handlers.InstituteWriter
	handlers.ReceiptsWriter
	handlers.LogoWriter
	handlers.LogoReader
	handlers.PaperKeeper
	handlers.PrintsReader
	handlers.Verifier
	handlers.PlanWriter
	handlers.PeriodWriter
	handlers.HeadWriter
	handlers.RulesWriter
	handlers.PlanCopier
	handlers.Importer
	handlers.ConcessionsReader
	handlers.ConcessionWriter
}

// SessionStore keeps what scs keeps; the tokens reach it hashed.
type SessionStore = scs.CtxStore
