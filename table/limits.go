package table

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"catena/internal/text"
)

// LimitError says which of the Limits a source goes over; the source itself may be sound. It is the cause of a
// *FormatError, which names the source: use errors.As to reach either.
type LimitError struct {
	What  string // bytes, ratio, rows, columns, cell, depth, tables, time, memory
	Limit int64  // in bytes for bytes, cell and memory, in milliseconds for time
	Text  string // the limit in words: "more than 10 rows"
}

// Error gives the limit in words.
func (e *LimitError) Error() string { return e.Text }

// What limits are about.
const (
	LimitBytes   = "bytes"
	LimitRatio   = "ratio"
	LimitRows    = "rows"
	LimitColumns = "columns"
	LimitCell    = "cell"
	LimitDepth   = "depth"
	LimitTables  = "tables"
	LimitTime    = "time"
	LimitMemory  = "memory"
)

// limitHints say what to do about each limit. There is no setting that raises one.
var limitHints = map[string]string{
	LimitBytes:   "split it into several files",
	LimitRatio:   "unpack it first",
	LimitRows:    "split it into several files",
	LimitColumns: "give fewer columns, or one row for each value",
	LimitCell:    "check the quotes there, or shorten the cell",
	LimitDepth:   "flatten it",
	LimitTables:  "give fewer tables in one file",
	LimitTime:    "split it into several files",
	LimitMemory:  "split it into several files, or send it again when fewer files are read at once",
}

// Ended gives the error of the context that the reading belongs to when that has ended, a *LimitError where the
// reading's own deadline did. Long loops ask it, once for each block of rows or so.
func (l *Limits) Ended() error {
	if l.ctx != nil && l.ctx.Err() != nil {
		return l.ctx.Err()
	}
	if !l.deadline.IsZero() && !time.Now().Before(l.deadline) {
		return &LimitError{
			What:  LimitTime,
			Limit: l.Time.Milliseconds(),
			Text:  fmt.Sprintf("it takes longer than %v to read", l.Time),
		}
	}
	return nil
}

// Explain makes the error of a reading say which source went over a limit, also where code that knows nothing of limits
// only saw that the deadline had passed.
func (l *Limits) Explain(source string, err error) error {
	var named *FormatError
	if err == nil || errors.As(err, &named) {
		return err
	}
	if GaveUp(err) && l.Ended() != nil {
		err = l.Ended()
	}
	if over := OverLimitOf(source, err); over != nil {
		return over
	}
	return err
}

// OverLimitOf makes the error of a source of a *LimitError that is in err; nil where there is none.
func OverLimitOf(source string, err error) *FormatError {
	var over *LimitError
	if !errors.As(err, &over) {
		return nil
	}
	return &FormatError{Source: source, Reason: over.Text, Hint: limitHints[over.What], Err: over}
}

// Context is the one that the reading belongs to, which ends at the deadline as well once the reading has begun.
func (l *Limits) Context() context.Context {
	if l.memory != nil {
		return l.memory.ctx
	}
	if l.ctx == nil {
		return context.Background()
	}
	return l.ctx
}

// GaveUp reports whether an error is that of a context that has ended.
func GaveUp(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// OverLimit makes the error of a source that goes over a limit. text says so in a sentence without the source's name;
// line is 0 where it does not apply.
func OverLimit(source string, line int, what string, limit int64, text string, args ...any) *FormatError {
	cause := &LimitError{What: what, Limit: limit, Text: fmt.Sprintf(text, args...)}
	return &FormatError{Source: source, Line: line, Reason: cause.Text, Hint: limitHints[what], Err: cause}
}

// TooManyRows is the error of a source with more rows than the limits allow.
func TooManyRows(source string, lim Limits) *FormatError {
	return OverLimit(source, 0, LimitRows, int64(lim.Rows), "there are more than %d rows", lim.Rows)
}

// TooManyColumns is the error of a source with more columns than the limits allow.
func TooManyColumns(source string, lim Limits) *FormatError {
	return OverLimit(source, 0, LimitColumns, int64(lim.Columns), "there are more than %d columns", lim.Columns)
}

// CellTooLarge is the error of a source that has a larger cell than the limits allow, in that line.
func CellTooLarge(source string, line int, lim Limits) *FormatError {
	return OverLimit(
		source,
		line,
		LimitCell,
		int64(lim.CellSize),
		"a cell is larger than %s",
		text.Bytes(int64(lim.CellSize)),
	)
}

// TooLarge is the error of a content that is larger than the limits allow.
func TooLarge(source string, lim Limits) *FormatError {
	return OverLimit(
		source,
		0,
		LimitBytes,
		lim.Bytes,
		"the content is larger than the limit of %s",
		text.Bytes(lim.Bytes),
	)
}

// WithDefaults fills the zero fields.
func (l Limits) WithDefaults() Limits {
	d := DefaultLimits
	if l.Bytes <= 0 {
		l.Bytes = d.Bytes
	}
	if l.Ratio <= 0 {
		l.Ratio = d.Ratio
	}
	if l.Tables <= 0 {
		l.Tables = d.Tables
	}
	if l.Rows <= 0 {
		l.Rows = d.Rows
	}
	if l.Columns <= 0 {
		l.Columns = d.Columns
	}
	if l.CellSize <= 0 {
		l.CellSize = d.CellSize
	}
	if l.Depth <= 0 {
		l.Depth = d.Depth
	}
	if l.Time <= 0 {
		l.Time = d.Time
	}
	if l.Memory == nil {
		l.Memory = DefaultMemoryBudget()
	}
	return l
}

// AskEvery is after how many lines it is asked whether the reading shall go on.
const AskEvery = 4096

// LargeCell is the error of a cell that is larger than the limits allow, where no source is known.
func LargeCell(lim Limits) *LimitError {
	return &LimitError{
		What:  LimitCell,
		Limit: int64(lim.CellSize),
		Text:  "a cell is larger than " + text.Bytes(int64(lim.CellSize)),
	}
}

// until is a writer that takes nothing once its context has ended.
type until struct {
	ctx context.Context
	w   io.Writer
}

// Until gives a writer whose writes give the error of ctx when that has ended, so that what writes much ends with its
// request.
func Until(ctx context.Context, w io.Writer) io.Writer { return until{ctx, w} }

// Write implements io.Writer.
func (u until) Write(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.w.Write(p)
}
