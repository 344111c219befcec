package table

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"catena/internal/text"
)

// nullWords mean a missing value, but only in a column whose other cells are all numbers, booleans, dates or times; in a column of text
// they stay text. They are compared without regard to case. Empty cells are null in every column.
var nullWords = []string{"null", "none", "nan", "n/a", "#n/a", "na", "nil", "-", "--", "–", "—", ".", "?"}

func isNullWord(s string) bool {
	if len(s) == 0 || len(s) > 4 || s[0] >= '0' && s[0] <= '9' {
		return false
	}
	return slices.ContainsFunc(nullWords, func(w string) bool { return strings.EqualFold(w, s) })
}

// Inferred is a typed column with what is to be said about it.
type Inferred struct {
	Column Column
	Array  arrow.Array
	Notes  []string

	commas  commaUse
	again   *TextCells // the cells of a column whose commas could be points
	example string     // a cell whose point could separate thousands
}

// TextCells is a column of texts before it has a type.
type TextCells struct {
	Name   string
	Cells  []string
	Absent []bool      // null cells; nil when an empty (or blank) cell is what is null
	Quoted bool        // texts of JSON strings: they never become numbers or booleans
	text   arrow.Array // the cells as texts, if somebody has made it
}

func (t *TextCells) null(i int) bool {
	if t.Absent != nil {
		return t.Absent[i]
	}
	return strings.TrimSpace(t.Cells[i]) == ""
}

// Infer chooses the narrowest type that holds every cell, looking at all of them.
func (t *TextCells) Infer() Inferred {
	values, words := t.trimmed()
	if values == nil { // nothing but nulls
		return Inferred{Column: Column{Name: t.Name}, Array: newNulls(len(t.Cells))}
	}
	var out Inferred
	ok, commas := false, noCommas
	if !t.Quoted && !areCodes(t.Name, values) {
		out, ok = InferNumbers(values)
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
			notes = []string{"some numbers have a currency or a percent sign and others have another or none, so all stay text"}
		}
		out = t.asText()
		out.Notes = append(notes, out.Notes...)
		words = 0
	}
	if out.commas = commas; commas == openCommas || commas == mixedCommas {
		out.again = t
	}
	return t.named(out, words)
}

// named puts the column's name into the notes, which also tell the null words.
func (t *TextCells) named(out Inferred, words int) Inferred {
	if words > 0 {
		out.Notes = append(out.Notes, fmt.Sprintf("%s read as null", text.CountOf(words, "cell such as NA or - was", "cells such as NA or - were")))
	}
	out.Column.Name = t.Name
	for i, note := range out.Notes {
		out.Notes[i] = fmt.Sprintf("column %q: %s", t.Name, note)
	}
	return out
}

// trimmed gives the cells without outer spaces, "" for nulls and null words, and the number of null words; nil when nothing is
// left. A column of nothing but null words keeps them.
func (t *TextCells) trimmed() (values []string, words int) {
	values = make([]string, len(t.Cells))
	left := 0
	for i, c := range t.Cells {
		if t.null(i) {
			continue
		}
		c = strings.TrimSpace(c)
		if isNullWord(c) {
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

// mayHaveType reports whether a column that has the cell may be anything but text. Where it may not, infer gives text, whatever the other cells are.
func mayHaveType(s string) bool {
	s = strings.TrimSpace(s)
	if s == "" || isNullWord(s) || isBool(s) || strings.EqualFold(s, "yes") || strings.EqualFold(s, "no") {
		return true
	}
	if kind, _, _ := scanNumber(s); kind != notNumber {
		return true
	}
	n := countBytes(s)
	if n.digits == 0 {
		return false
	}
	return isDressed(s, n, '.') || isDressed(s, n, ',') || endsInScale([]string{s}) || n.colons > 1 || isDateOf(s, n) || mayBeDuration(s)
}

func newNulls(n int) arrow.Array {
	b := NewColumnBuilder(Column{}, 0)
	b.n = n
	return b.Finish()
}

func (t *TextCells) asText() Inferred {
	if t.text != nil {
		return Inferred{Column: Column{Type: Text}, Array: t.text}
	}
	b := NewColumnBuilder(Column{Type: Text}, len(t.Cells))
	for i, c := range t.Cells {
		if t.null(i) {
			b.AppendNull()
		} else {
			b.appendText(c)
		}
	}
	return Inferred{Column: b.Col, Array: b.Finish()}
}

// InferNumbers reads plain numbers, else numbers that are all dressed alike.
func InferNumbers(values []string) (Inferred, bool) {
	shape := newNumberShape()
	plain := true
	for _, s := range values {
		if s != "" && !shape.add(s) {
			plain = false
			break
		}
	}
	if plain {
		col, notes := shape.column(values, true)
		return numbersOf(col, values, notes)
	}
	if out, ok := inferDressed(values, '.', false); ok {
		return out, true
	}
	return inferDressed(values, ',', false)
}

func numbersOf(col Column, values, notes []string) (Inferred, bool) {
	if col.Type == Text {
		return Inferred{}, false
	}
	arr, ok := buildNumbers(col, values)
	return Inferred{Column: col, Array: arr, Notes: notes}, ok
}

// inferBools reads true and false in any case; yes and no only where both occur.
func inferBools(values []string) (Inferred, bool) {
	var truth, yes, no bool
	b := NewColumnBuilder(Column{Type: Bool}, len(values))
	for _, s := range values {
		switch {
		case s == "":
			b.AppendNull()
			continue
		case len(s) > 5:
			return Inferred{}, false
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
			return Inferred{}, false
		}
	}
	if yes != no || truth && yes {
		return Inferred{}, false
	}
	out := Inferred{Column: b.Col, Array: b.Finish()}
	if yes {
		out.Notes = []string{"yes and no were read as true and false"}
	}
	return out, true
}
