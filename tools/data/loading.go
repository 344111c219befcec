package data

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"catena/internal/access"
	"catena/table"
)

// maxLoadNotes is how many sentences on loading are told beside a table; the rest is counted.
const maxLoadNotes = 4

// inlineAll is how to see all notes on a table that was given as an argument.
const inlineAll = "attach it as a file to see all"

// aside tells the notes that only say how a source was read: nothing of it was changed, guessed or left out.
var aside = regexp.MustCompile(`^(cells are quoted by|the text is JSON Lines|the table is (in the sheet|the member)|a single value was read|\d+ rows name the columns|` +
	`column ".*": (the comma was read|dates were read|months were read|hours, minutes|numbers in parentheses|yes and no))`)

// notesOf is what loading found and changed, what concerns sums first: rows that were taken for totals. Notes on how the source was read come last.
func notesOf(r table.LoadReport) []string {
	notes := slices.Clone(r.Notes)
	if r.Encoding == "windows-1252" { // what is no Unicode
		notes = append([]string{"the text is not UTF-8 and was read as Windows-1252, a guess: look at letters with accents"}, notes...)
	}
	rank := func(n string) int {
		switch {
		case aside.MatchString(n):
			return 2
		case strings.Contains(n, "is the total"):
			return 0
		}
		return 1
	}
	slices.SortStableFunc(notes, func(a, b string) int { return rank(a) - rank(b) })
	return notes
}

// LoadNotes says what loading the table repaired or left out, a sentence each: a few of them, and how many there are beside. all ends the
// sentence that counts these: how to see them. There are none for results and live tables, nor where all was read as it stands.
func (t SourceTable) LoadNotes(all string) []string {
	if t.key != "" || t.Handle != "" && t.Source != sourceUpload {
		return nil
	}
	told := slices.DeleteFunc(slices.Clone(t.Notes), aside.MatchString)
	if len(told) == 0 {
		return nil
	}
	more := 0
	if len(told) > maxLoadNotes {
		more = len(t.Notes) - (maxLoadNotes - 1)
		told = told[:maxLoadNotes-1]
	}
	for i, n := range told {
		told[i] = fmt.Sprintf("%s: %s.", t.Name, strings.TrimSuffix(n, "."))
	}
	if more > 0 {
		told = append(told, fmt.Sprintf("%s: %d more notes on loading; %s.", t.Name, more, all))
	}
	return told
}

// inlineNotes are the load notes of a table that was given as an argument; nobody else tells them.
func inlineNotes(t SourceTable) []string {
	if t.Source != inlineSource {
		return nil
	}
	return t.LoadNotes(inlineAll)
}

// sourceNotes is what the reader of an answer over a table must know of it: what date it speaks of, and what loading
// an argument left out.
func sourceNotes(t SourceTable) []string { return slices.Concat(asOfNotes(t), inlineNotes(t)) }

// LoadNotes is SourceTable.LoadNotes of a table that the session can ask about, after how it stands to the operator's; nil where there
// is no such table.
func (k *Toolkit) LoadNotes(ctx context.Context, c access.Caller, session, name string) []string {
	t, err := k.opt.Sources.Find(ctx, c, session, name)
	if err != nil {
		return nil // whoever asks for the table is told
	}
	return append(k.againstSources(c, t), t.LoadNotes(fmt.Sprintf("%q shows all", "describe "+t.Name))...)
}

// againstSources says how an upload stands to the operator's tables that the caller may read, a sentence each: which one it comes before, and
// which ones hold the same rows under another name, so that they would count twice together.
func (k *Toolkit) againstSources(c access.Caller, t SourceTable) (notes []string) {
	if t.Source != sourceUpload {
		return nil
	}
	for _, other := range k.list(c, "") {
		switch {
		case strings.EqualFold(other.Name, t.Name):
			notes = append(notes, fmt.Sprintf("In this session %s is the uploaded table; the one from %s is %[2]s.%[3]s.", t.Name, other.Source, other.Name))
		case other.Remote == nil && other.Table != nil && other.Table.NumRows() > 0 && other.Table.Fingerprint() == t.Table.Fingerprint():
			notes = append(notes, fmt.Sprintf("The uploaded table %s holds the same rows as %s from %s: together they would count twice.",
				t.Name, other.Name, other.Source))
		}
	}
	return notes
}
