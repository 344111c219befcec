package table

import (
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
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

// inferred is a typed column with what is to be said about it.
type inferred struct {
	col   Column
	array arrow.Array
	notes []string

	commas  commaUse
	again   *textCells // the cells of a column whose commas could be points
	example string     // a cell whose point could separate thousands
}

// textCells is a column of texts before it has a type.
type textCells struct {
	name   string
	cells  []string
	absent []bool      // null cells; nil when an empty (or blank) cell is what is null
	quoted bool        // texts of JSON strings: they never become numbers or booleans
	text   arrow.Array // the cells as texts, if somebody has made it
}

func (t *textCells) null(i int) bool {
	if t.absent != nil {
		return t.absent[i]
	}
	return strings.TrimSpace(t.cells[i]) == ""
}

// infer chooses the narrowest type that holds every cell, looking at all of them.
func (t *textCells) infer() inferred {
	values, words := t.trimmed()
	if values == nil { // nothing but nulls
		return inferred{col: Column{Name: t.name}, array: newNulls(len(t.cells))}
	}
	var out inferred
	ok, commas := false, noCommas
	if !t.quoted && !areCodes(t.name, values) {
		out, ok = inferNumbers(values)
		if commas = out.commas; !ok {
			out, ok = inferScaled(t.name, values)
			commas = max(commas, out.commas)
		}
		if !ok {
			out, ok = inferBools(values)
		}
	}
	if !ok {
		if lengths, found := inferDurations(t.name, values); found {
			out, ok = lengths, true
		} else {
			out, ok = inferTimes(values)
		}
	}
	if !ok {
		notes := out.notes
		if len(notes) == 0 && !t.quoted && mixedAmounts(values) {
			notes = []string{"some numbers have a currency or a percent sign and others have another or none, so all stay text"}
		}
		out = t.asText()
		out.notes = append(notes, out.notes...)
		words = 0
	}
	if out.commas = commas; commas == openCommas || commas == mixedCommas {
		out.again = t
	}
	return t.named(out, words)
}

// named puts the column's name into the notes, which also tell the null words.
func (t *textCells) named(out inferred, words int) inferred {
	if words > 0 {
		out.notes = append(out.notes, fmt.Sprintf("%s read as null", counted(words, "cell such as NA or - was", "cells such as NA or - were")))
	}
	out.col.Name = t.name
	for i, note := range out.notes {
		out.notes[i] = fmt.Sprintf("column %q: %s", t.name, note)
	}
	return out
}

// trimmed gives the cells without outer spaces, "" for nulls and null words, and the number of null words; nil when nothing is
// left. A column of nothing but null words keeps them.
func (t *textCells) trimmed() (values []string, words int) {
	values = make([]string, len(t.cells))
	left := 0
	for i, c := range t.cells {
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
	for i := range t.cells {
		if !t.null(i) {
			return t.cells, 0 // null words or, from JSON, empty strings: text
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
	b := newColumnBuilder(Column{}, 0)
	b.n = n
	return b.finish()
}

func (t *textCells) asText() inferred {
	if t.text != nil {
		return inferred{col: Column{Type: Text}, array: t.text}
	}
	b := newColumnBuilder(Column{Type: Text}, len(t.cells))
	for i, c := range t.cells {
		if t.null(i) {
			b.appendNull()
		} else {
			b.appendText(c)
		}
	}
	return inferred{col: b.col, array: b.finish()}
}

// inferNumbers reads plain numbers, else numbers that are all dressed alike.
func inferNumbers(values []string) (inferred, bool) {
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

func numbersOf(col Column, values, notes []string) (inferred, bool) {
	if col.Type == Text {
		return inferred{}, false
	}
	arr, ok := buildNumbers(col, values)
	return inferred{col: col, array: arr, notes: notes}, ok
}

// inferBools reads true and false in any case; yes and no only where both occur.
func inferBools(values []string) (inferred, bool) {
	var truth, yes, no bool
	b := newColumnBuilder(Column{Type: Bool}, len(values))
	for _, s := range values {
		switch {
		case s == "":
			b.appendNull()
			continue
		case len(s) > 5:
			return inferred{}, false
		}
		switch strings.ToLower(s) {
		case "true":
			truth = true
			b.appendBool(true)
		case "false":
			truth = true
			b.appendBool(false)
		case "yes":
			yes = true
			b.appendBool(true)
		case "no":
			no = true
			b.appendBool(false)
		default:
			return inferred{}, false
		}
	}
	if yes != no || truth && yes {
		return inferred{}, false
	}
	out := inferred{col: b.col, array: b.finish()}
	if yes {
		out.notes = []string{"yes and no were read as true and false"}
	}
	return out, true
}
