package table

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// LimitError says which of the Limits a source goes over; the source itself may be sound. It is the cause of a *FormatError, which names the source: use
// errors.As to reach either.
type LimitError struct {
	What  string // bytes, ratio, rows, columns, cell, depth, tables, time, memory
	Limit int64  // in bytes for bytes, cell and memory, in milliseconds for time
	Text  string // the limit in words: "more than 10 rows"
}

// Error gives the limit in words.
func (e *LimitError) Error() string { return e.Text }

// What limits are about.
const (
	limitBytes   = "bytes"
	limitRatio   = "ratio"
	limitRows    = "rows"
	limitColumns = "columns"
	limitCell    = "cell"
	limitDepth   = "depth"
	limitTables  = "tables"
	limitTime    = "time"
	limitMemory  = "memory"
)

// limitHints say what to do about each limit. There is no setting that raises one.
var limitHints = map[string]string{
	limitBytes: "split it into several files", limitRatio: "unpack it first", limitRows: "split it into several files",
	limitColumns: "give fewer columns, or one row for each value", limitCell: "check the quotes there, or shorten the cell", limitDepth: "flatten it",
	limitTables: "give fewer tables in one file", limitTime: "split it into several files",
	limitMemory: "split it into several files, or send it again when fewer files are read at once",
}

// ended gives the error of the context that the reading belongs to when that has ended, a *LimitError where the reading's own deadline did. Long loops ask it, once for
// each block of rows or so.
func (l *Limits) ended() error {
	if l.ctx != nil && l.ctx.Err() != nil {
		return l.ctx.Err()
	}
	if !l.deadline.IsZero() && time.Now().After(l.deadline) {
		return &LimitError{What: limitTime, Limit: l.Time.Milliseconds(), Text: fmt.Sprintf("it takes longer than %v to read", l.Time)}
	}
	return nil
}

// explain makes the error of a reading say which source went over a limit, also where code that knows nothing of limits only saw that the deadline had passed.
func (l *Limits) explain(source string, err error) error {
	var named *FormatError
	if err == nil || errors.As(err, &named) {
		return err
	}
	if gaveUp(err) && l.ended() != nil {
		err = l.ended()
	}
	var over *LimitError
	if errors.As(err, &over) {
		return &FormatError{Source: source, Reason: over.Text, Hint: limitHints[over.What], Err: over}
	}
	return err
}

// context is the one that the reading belongs to, which ends at the deadline as well once the reading has begun.
func (l *Limits) context() context.Context {
	if l.memory != nil {
		return l.memory.ctx
	}
	if l.ctx == nil {
		return context.Background()
	}
	return l.ctx
}

// gaveUp reports whether an error is that of a context that has ended.
func gaveUp(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// overLimit makes the error of a source that goes over a limit. text says so in a sentence without the source's name; line is 0 where it does not apply.
func overLimit(source string, line int, what string, limit int64, text string, args ...any) *FormatError {
	cause := &LimitError{What: what, Limit: limit, Text: fmt.Sprintf(text, args...)}
	return &FormatError{Source: source, Line: line, Reason: cause.Text, Hint: limitHints[what], Err: cause}
}

func tooManyRows(source string, lim Limits) *FormatError {
	return overLimit(source, 0, limitRows, int64(lim.Rows), "there are more than %d rows", lim.Rows)
}

func tooManyColumns(source string, lim Limits) *FormatError {
	return overLimit(source, 0, limitColumns, int64(lim.Columns), "there are more than %d columns", lim.Columns)
}

func cellTooLarge(source string, line int, lim Limits) *FormatError {
	return overLimit(source, line, limitCell, int64(lim.CellSize), "a cell is larger than %s", byteCount(int64(lim.CellSize)))
}

func tooLarge(source string, lim Limits) *FormatError {
	return overLimit(source, 0, limitBytes, lim.Bytes, "the content is larger than the limit of %s", byteCount(lim.Bytes))
}

func tooDeep(source string, lim *Limits) *FormatError {
	return overLimit(source, 0, limitDepth, int64(lim.Depth), "its types are nested more than %d deep", lim.Depth)
}
