package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"catena/internal/text"
	"catena/tools/code/index"
	"catena/tools/code/parse"
)

// question is made of a doc comment: its first sentence asks, the function that it stands before answers.
type question struct {
	text             string
	path, name       string
	start            int // line of the function
	docStart, docEnd int
	exact            bool // the question has the function's name, or all words of it
}

// makeQuestions takes n exported functions at random, of files that are no tests and no test data, whose comment's first sentence has
// 5 to 25 words. Each sentence asks once.
func makeQuestions(ctx context.Context, snap *index.Snapshot, n int, seed uint64) ([]question, error) {
	all, err := allQuestions(ctx, snap, seed)
	if err != nil {
		return nil, err
	}
	if len(all) < n {
		return nil, fmt.Errorf("only %d functions have a comment that can ask; %d are wanted", len(all), n)
	}
	return all[:n], nil
}

// rephrased takes up to n more, only of those comments that do not name their function: few in Go.
func rephrased(ctx context.Context, snap *index.Snapshot, n int, seed uint64) ([]question, error) {
	all, err := allQuestions(ctx, snap, seed)
	all = slices.DeleteFunc(all, func(q question) bool { return q.exact })
	return all[:min(len(all), n)], err
}

// allQuestions are all that can be made, in an order that the seed tells.
func allQuestions(ctx context.Context, snap *index.Snapshot, seed uint64) ([]question, error) {
	var all []question
	seen := make(map[string]int)
	for _, f := range snap.Files() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if f.Test || f.Language != "go" || strings.Contains("/"+f.Path, "/testdata/") {
			continue
		}
		info, err := snap.File(f.Path)
		if err != nil {
			return nil, err
		}
		for _, s := range info.Symbols {
			text := firstSentence(s.Doc)
			if words := len(strings.Fields(text)); s.Kind != parse.Function || !s.Exported || s.DocStart == 0 || words < 5 || words > 25 {
				continue
			}
			seen[text]++
			all = append(all, question{
				text: text, path: f.Path, name: s.Name, start: s.Start, docStart: s.DocStart, docEnd: s.Start - 1, exact: names(text, s.Name),
			})
		}
	}
	all = slices.DeleteFunc(all, func(q question) bool { return seen[q.text] > 1 })
	r := rand.New(rand.NewPCG(seed, 5))
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all, nil
}

// firstSentence ends at the first full stop before a space, or at the first empty line.
func firstSentence(doc string) string {
	doc, _, _ = strings.Cut(doc, "\n\n")
	doc = strings.Join(strings.Fields(doc), " ")
	for i := 0; ; {
		n := strings.Index(doc[i:], ". ")
		if n < 0 {
			return strings.TrimSuffix(doc, ".")
		}
		i += n + 1
		if before := doc[:i-1]; !strings.HasSuffix(before, "e.g") && !strings.HasSuffix(before, "i.e") {
			return before
		}
	}
}

// names reports whether a passage has a name, or all its words.
func names(passage, name string) bool {
	low := " " + strings.ToLower(strings.Join(strings.FieldsFunc(passage, notWord), " ")) + " "
	if strings.Contains(low, " "+strings.ToLower(name)+" ") {
		return true
	}
	for _, w := range text.Words(name) {
		if !strings.Contains(low, " "+w+" ") {
			return false
		}
	}
	return true
}

func notWord(r rune) bool {
	return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
}

// withoutName is the question without the function's own name, which in Go begins most comments.
func (q *question) withoutName() string {
	var out []string
	for _, w := range strings.Fields(q.text) {
		if !strings.EqualFold(strings.TrimFunc(w, notWord), q.name) {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

// eraser empties the lines of the questions' comments.
func eraser(asked []question) func(string, []byte) []byte {
	byPath := make(map[string][]question)
	for _, q := range asked {
		byPath[q.path] = append(byPath[q.path], q)
	}
	return func(path string, src []byte) []byte {
		list := byPath[path]
		if list == nil {
			return src
		}
		lines := bytes.Split(src, []byte("\n"))
		for _, q := range list {
			for i := q.docStart; i <= q.docEnd; i++ {
				lines[i-1] = nil
			}
		}
		return bytes.Join(lines, []byte("\n"))
	}
}
