package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The full-text index holds each term behind the number of its scope: "12_call", so the postings of a term are those of one
// owner's namespace. A search walks no other's postings, and how often a word occurs says nothing of other owners.

// scoped puts the scope before each term of a list that is separated by spaces.
func scoped(scope int64, terms string) string {
	prefix := strconv.FormatInt(scope, 36)
	var b strings.Builder
	for term := range strings.SplitSeq(terms, " ") {
		if term != "" {
			b.WriteString(prefix)
			b.WriteString(term)
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// indexMemory adds a memory to the full-text index, its words to the vocabulary, and its bands.
func indexMemory(ctx context.Context, q *statements, scope, number int64, terms string, index MemoryIndex) error {
	if _, err := q.exec(ctx, "INSERT INTO memory_index (rowid, terms) VALUES (?, ?)", number, scoped(scope, terms)); err != nil {
		return err
	}
	pairs := make([][2]string, len(index.Words))
	for i, w := range index.Words {
		pairs[i] = [2]string{w, reversed(w)}
	}
	list, err := json.Marshal(pairs)
	if err != nil {
		return err
	}
	_, err = q.exec(ctx, "INSERT OR IGNORE INTO memory_words (scope, word, reversed) SELECT ?, value ->> 0, value ->> 1 FROM json_each(?)", scope, string(list))
	if err != nil || len(index.Bands) == 0 {
		return err
	}
	_, err = q.exec(ctx, "INSERT OR IGNORE INTO memory_bands (scope, band, memory) SELECT ?, value, ? FROM json_each(?)", scope, number, numberList(index.Bands))
	return err
}

// unindexMemory takes a memory out of the full-text index and its bands away; row says what it was put in with. Its words stay
// until dropWords.
func unindexMemory(ctx context.Context, q *statements, number int64, row memoryRow) error {
	if _, err := q.exec(ctx, "INSERT INTO memory_index (memory_index, rowid, terms) VALUES ('delete', ?, ?)", number, scoped(row.scope, row.terms)); err != nil {
		return err
	}
	_, err := q.exec(ctx, "DELETE FROM memory_bands WHERE scope = ? AND band IN (SELECT value FROM json_each(?)) AND memory = ?", row.scope, row.bands, number)
	return err
}

// wordTerm begins the terms that are words as they were written.
const wordTerm = "="

// dropWords takes words out of the vocabulary that no memory of the scope has any more.
func dropWords(ctx context.Context, q *statements, scope int64, terms string) error {
	for term := range strings.SplitSeq(terms, " ") {
		word, ok := strings.CutPrefix(term, wordTerm)
		if !ok {
			continue
		}
		var used bool
		if err := q.row(ctx, "SELECT EXISTS (SELECT 1 FROM memory_index WHERE memory_index MATCH ?)", anyOf(scope, []string{term})).Scan(&used); err != nil {
			return err
		}
		if used {
			continue
		}
		if _, err := q.exec(ctx, "DELETE FROM memory_words WHERE scope = ? AND word = ?", scope, word); err != nil {
			return err
		}
	}
	return nil
}

func reversed(s string) string {
	r := []rune(s)
	slices.Reverse(r)
	return string(r)
}

// anyOf is the full-text query for memories of a scope with any of the terms. Terms are quoted: none can be syntax.
func anyOf(scope int64, terms []string) string {
	prefix := strconv.FormatInt(scope, 36)
	var b strings.Builder
	for i, t := range terms {
		if i > 0 {
			b.WriteString(" OR ")
		}
		b.WriteString(`"` + prefix + strings.ReplaceAll(t, `"`, `""`) + `"`)
	}
	return b.String()
}

// MemorySizes returns how many memories an owner's namespace has and how many words they have together.
func (s *Store) MemorySizes(ctx context.Context, owner, namespace string) (memories, words int64, err error) {
	err = s.read(ctx, func(q *statements) error {
		return noRow(q.row(ctx, "SELECT memories, words FROM memory_scopes WHERE owner = ? AND namespace = ?", owner, namespace).Scan(&memories, &words))
	})
	return memories, words, s.explained(err)
}

// MemoryPostings returns the numbers of the memories of an owner's namespace that have any of the terms, ascending; with more
// than most of them the newest.
func (s *Store) MemoryPostings(ctx context.Context, owner, namespace string, terms []string, most int) (numbers []int64, err error) {
	if len(terms) == 0 {
		return nil, nil
	}
	return s.postings(ctx, owner, namespace, most, func(scope int64) string { return anyOf(scope, terms) })
}

// MemoryConjunction is like MemoryPostings for memories that have a term of each group.
func (s *Store) MemoryConjunction(ctx context.Context, owner, namespace string, groups [][]string, most int) (numbers []int64, err error) {
	if len(groups) == 0 {
		return nil, nil
	}
	return s.postings(ctx, owner, namespace, most, func(scope int64) string {
		parts := make([]string, len(groups))
		for i, g := range groups {
			parts[i] = "(" + anyOf(scope, g) + ")"
		}
		return strings.Join(parts, " AND ")
	})
}

func (s *Store) postings(ctx context.Context, owner, namespace string, most int, match func(scope int64) string) (numbers []int64, err error) {
	err = s.read(ctx, func(q *statements) error {
		scope, ok, err := findScope(ctx, q, owner, namespace)
		if err != nil || !ok {
			return err
		}
		// One row with all numbers: a row for each costs as much again.
		var list sql.NullString
		if err := q.row(ctx, `SELECT group_concat(number) FROM
			(SELECT rowid AS number FROM memory_index WHERE memory_index MATCH ? ORDER BY rowid DESC LIMIT ?)`, match(scope), most).Scan(&list); err != nil {
			return err
		}
		numbers, err = parseNumbers(list.String)
		return err
	})
	return numbers, s.explained(err)
}

// parseNumbers reads numbers that are separated by commas and returns them ascending.
func parseNumbers(list string) ([]int64, error) {
	if list == "" {
		return nil, nil
	}
	numbers := make([]int64, 0, strings.Count(list, ",")+1)
	for text := range strings.SplitSeq(list, ",") {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, err
		}
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	return numbers, nil
}

// MemoryWords returns words of the vocabulary of an owner's namespace that begin with prefix, or, when it is "", that end with
// suffix: at most most, in the order of their letters (those of suffix from the end).
func (s *Store) MemoryWords(ctx context.Context, owner, namespace, prefix, suffix string, most int) (words []string, err error) {
	query, from := "SELECT word FROM memory_words WHERE scope = ? AND word >= ? AND word < ? ORDER BY word LIMIT ?", prefix
	if prefix == "" {
		query, from = "SELECT word FROM memory_words WHERE scope = ? AND reversed >= ? AND reversed < ? ORDER BY reversed LIMIT ?", reversed(suffix)
	}
	err = s.read(ctx, func(q *statements) error {
		words = nil
		scope, ok, err := findScope(ctx, q, owner, namespace)
		if err != nil || !ok {
			return err
		}
		return q.each(ctx, func(rows *sql.Rows) error {
			var word string
			err := rows.Scan(&word)
			words = append(words, word)
			return err
		}, query, scope, from, from+string(utf8.MaxRune), most)
	})
	return words, s.explained(err)
}

// MemoriesAlike returns the numbers of the memories of an owner's namespace that have one of the bands, the newest of them
// first, at most most.
func (s *Store) MemoriesAlike(ctx context.Context, owner, namespace string, bands []int64, most int) (numbers []int64, err error) {
	if len(bands) == 0 {
		return nil, nil
	}
	err = s.read(ctx, func(q *statements) error {
		numbers = nil
		scope, ok, err := findScope(ctx, q, owner, namespace)
		if err != nil || !ok {
			return err
		}
		return q.each(ctx, func(rows *sql.Rows) error {
			var n int64
			err := rows.Scan(&n)
			numbers = append(numbers, n)
			return err
		}, "SELECT DISTINCT memory FROM memory_bands WHERE scope = ? AND band IN (SELECT value FROM json_each(?)) ORDER BY memory DESC LIMIT ?",
			scope, numberList(bands), most)
	})
	return numbers, s.explained(err)
}
