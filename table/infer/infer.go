package infer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"catena/internal/text"
	"catena/table"
)

// nullWords mean a missing value, but only in a column whose other cells are all numbers, booleans, dates or times; in
// a column of text they stay text. They are compared without regard to case. Empty cells are null in every column.
var nullWords = []string{"null", "none", "nan", "n/a", "#n/a", "na", "nil", "-", "--", "–", "—", ".", "?"}

// IsNullWord reports whether a text may mean a missing value (see nullWords).
func IsNullWord(s string) bool {
	if len(s) == 0 || len(s) > 4 || s[0] >= '0' && s[0] <= '9' {
		return false
	}
	return slices.ContainsFunc(nullWords, func(w string) bool { return strings.EqualFold(w, s) })
}

// Result is a typed column with what is to be said about it.
type Result struct {
	Column table.Column
	Array  arrow.Array
	Notes  []string

	commas  commaUse
	again   *Texts // the cells of a column whose commas could be points
	example string // a cell whose point could separate thousands
}

// Texts is a column of texts before it has a type.
type Texts struct {
	Name   string
	Cells  []string
	Absent []bool      // null cells; nil when an empty (or blank) cell is what is null
	Quoted bool        // texts of JSON strings: they never become numbers or booleans
	text   arrow.Array // the cells as texts, if somebody has made it
}

func (t *Texts) null(i int) bool {
	if t.Absent != nil {
		return t.Absent[i]
	}
	return strings.TrimSpace(t.Cells[i]) == ""
}

// Infer chooses the narrowest type that holds every cell, looking at all of them.
func (t *Texts) Infer() Result {
	values, words := t.Trimmed()
	if values == nil { // nothing but nulls
		return Result{Column: table.Column{Name: t.Name}, Array: table.Nulls(len(t.Cells))}
	}
	var out Result
	ok, commas := false, noCommas
	if !t.Quoted && !areCodes(t.Name, values) {
		out, ok = Numbers(values)
		if commas = out.commas; ok {
			out.Notes = append(out.Notes, noteCodes(values)...)
		} else {
			out, ok = inferScaled(t.Name, values)
			commas = max(commas, out.commas)
		}
		if !ok {
			out, ok = inferBools(values)
		}
	}
	if !ok {
		if lengths, found := inferDurations(t.Name, values); found {
			out, ok = lengths, true
		} else {
			out, ok = inferTimes(values)
		}
	}
	if !ok {
		notes := out.Notes
		if len(notes) == 0 && !t.Quoted && mixedAmounts(values) {
			notes = []string{"some numbers have a currency or a percent sign and others have another or none, so all " +
				"stay text"}
		}
		out = t.AsText()
		out.Notes = append(notes, out.Notes...)
		words = 0
	}
	if out.commas = commas; commas == openCommas || commas == mixedCommas {
		out.again = t
	}
	return t.named(out, words)
}

// named puts the column's name into the notes, which also tell the null words.
func (t *Texts) named(out Result, words int) Result {
	if words > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("%s read as null",
			text.CountOf(words, "cell such as NA or - was", "cells such as NA or - were")))
	}
	out.Column.Name = t.Name
	for i, note := range out.Notes {
		out.Notes[i] = fmt.Sprintf("column %q: %s", t.Name, note)
	}
	return out
}

// Trimmed gives the cells without outer spaces, "" for nulls and null words, and the number of null words; nil when
// nothing is left. A column of nothing but null words keeps them.
func (t *Texts) Trimmed() (values []string, words int) {
	values = make([]string, len(t.Cells))
	left := 0
	for i, c := range t.Cells {
		if t.null(i) {
			continue
		}
		c = strings.TrimSpace(c)
		if IsNullWord(c) {
			words++
			continue
		}
		values[i] = c
		if c != "" {
			left++
		}
	}
	if left > 0 {
		return values, words
	}
	for i := range t.Cells {
		if !t.null(i) {
			return t.Cells, 0 // null words or, from JSON, empty strings: text
		}
	}
	return nil, 0
}

// mayHaveType reports whether a column that has the cell may be anything but text. Where it may not, infer gives text,
// whatever the other cells are.
func mayHaveType(s string) bool {
	s = strings.TrimSpace(s)
	if s == "" || IsNullWord(s) || IsBool(s) || strings.EqualFold(s, "yes") || strings.EqualFold(s, "no") {
		return true
	}
	if kind, _, _ := ScanNumber(s); kind != NotNumber {
		return true
	}
	n := countBytes(s)
	if n.digits == 0 {
		return false
	}
	return isDressed(s, n, '.') || isDressed(s, n, ',') || endsInScale([]string{s}) || n.colons > 1 || isDateOf(s, n) ||
		mayBeDuration(s)
}

// AsText gives the cells as a column of texts.
func (t *Texts) AsText() Result {
	if t.text != nil {
		return Result{Column: table.Column{Type: table.Text}, Array: t.text}
	}
	b := table.NewColumnBuilder(table.Column{Type: table.Text}, len(t.Cells))
	for i, c := range t.Cells {
		if t.null(i) {
			b.AppendNull()
		} else {
			b.AppendText(c)
		}
	}
	return Result{Column: b.Col, Array: b.Finish()}
}

// Numbers reads plain numbers, else numbers that are all dressed alike.
func Numbers(values []string) (Result, bool) {
	shape := NewNumberShape()
	plain := true
	for _, s := range values {
		if s != "" && !shape.Add(s) {
			plain = false
			break
		}
	}
	if plain {
		col, notes := shape.Column(values, true)
		return NumberResult(col, values, notes)
	}
	if out, ok := DressedNumbers(values, '.', false); ok {
		return out, true
	}
	return DressedNumbers(values, ',', false)
}

// NumberResult makes a column of numbers, which was chosen for the values; false when one does not fit it.
func NumberResult(col table.Column, values, notes []string) (Result, bool) {
	if col.Type == table.Text {
		return Result{}, false
	}
	arr, ok := BuildNumbers(col, values)
	return Result{Column: col, Array: arr, Notes: notes}, ok
}

// inferBools reads true and false in any case; yes and no only where both occur.
func inferBools(values []string) (Result, bool) {
	var truth, yes, no bool
	b := table.NewColumnBuilder(table.Column{Type: table.Bool}, len(values))
	for _, s := range values {
		switch {
		case s == "":
			b.AppendNull()
			continue
		case len(s) > 5:
			return Result{}, false
		}
		switch strings.ToLower(s) {
		case "true":
			truth = true
			b.AppendBool(true)
		case "false":
			truth = true
			b.AppendBool(false)
		case "yes":
			yes = true
			b.AppendBool(true)
		case "no":
			no = true
			b.AppendBool(false)
		default:
			return Result{}, false
		}
	}
	if yes != no || truth && yes {
		return Result{}, false
	}
	out := Result{Column: b.Col, Array: b.Finish()}
	if yes {
		out.Notes = []string{"yes and no were read as true and false"}
	}
	return out, true
}
