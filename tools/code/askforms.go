package code

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"catena/internal/text"
	"catena/tools/code/index"
	"catena/tools/code/parse"
	"catena/tools/code/redact"
)

// writing puts an answer together from lines that each end with their citation.
type writing struct {
	lead   string
	text   strings.Builder
	quotes []quote
}

// line adds a line about a place. said is Markdown; quoted is what the place says.
func (w *writing) line(said string, q quote) {
	q.Cite = cite(q.Path, q.Line)
	q.EndLine = max(q.EndLine, q.Line)
	q.Text = redact.Text(q.Text)
	w.quotes = append(w.quotes, q)
	fmt.Fprintf(&w.text, "%s %s\n", said, inBrackets(q.Cite))
}

// say adds a line without a place.
func (w *writing) say(said string) { w.text.WriteString(said + "\n") }

// rest says how many places are not listed.
func (w *writing) rest(all, shown int) {
	if all > shown {
		w.say(fmt.Sprintf("- and %d more", all-shown))
	}
}

func (w *writing) answer(confidence string, hops int) answer {
	return answer{lead: w.lead, text: strings.TrimRight(w.text.String(), "\n"), found: true, confidence: confidence, quotes: w.quotes, hops: hops, chunks: len(w.quotes)}
}

// meant finds the symbols that a subject means. Words of a subject may stand for a name: "chat engine" for ChatEngine.
func (r *reading) meant(subject string) []index.Declared {
	if list := r.declared(subject); len(list) > 0 {
		return list
	}
	if words := strings.Fields(subject); len(words) > 1 && len(words) < 5 {
		return r.declared(strings.Join(words, ""))
	}
	return nil
}

// sure is how certain it is that a name means these symbols: one, or several of the same name.
func sure(list []index.Declared) string {
	if len(list) == 1 {
		return confidenceHigh
	}
	return confidenceMedium
}

func (r *reading) answerWhere(_ context.Context, q asked) (answer, error) {
	list := r.meant(q.subject)
	if len(list) == 0 {
		return r.whereFile(q)
	}
	first := list[0]
	w := &writing{lead: fmt.Sprintf("%s is a %s, declared at %s", qualified(&first.Symbol), first.Symbol.Kind, cite(first.Path, first.Symbol.Start))}
	if len(list) > 1 {
		w.lead = fmt.Sprintf("%d symbols are called %s; the first is at %s", len(list), q.subject, cite(first.Path, first.Symbol.Start))
		w.say(fmt.Sprintf("%d symbols are called `%s`:", len(list), code(q.subject)))
	}
	for _, d := range list[:min(len(list), askSources)] {
		s := d.Symbol
		said := fmt.Sprintf("`%s` is a %s, declared in %s at line %d: `%s`", code(qualified(&s)), s.Kind, d.Path, s.Start, code(redact.Text(s.Signature)))
		if len(list) > 1 {
			said = "- " + said
		}
		w.line(said, quote{Path: d.Path, Line: s.Start, EndLine: s.End, Symbol: qualified(&s), Text: s.Signature})
	}
	w.rest(len(list), askSources)
	return w.answer(sure(list), 1), nil
}

// whereFile answers where a file or folder is.
func (r *reading) whereFile(q asked) (answer, error) {
	t, ok := r.findSubject(q.subject)
	if !ok {
		return answer{}, nil
	}
	w := &writing{lead: fmt.Sprintf("%s is at %s", q.subject, t.name())}
	for _, f := range t.files[:min(len(t.files), askSources)] {
		w.line(fmt.Sprintf("- `%s`", code(f)), quote{Path: f, Line: 1, Text: firstLine(r.lines(f, 1, 5))})
	}
	w.rest(len(t.files), askSources)
	return w.answer(confidenceMedium, 1), nil
}

func (r *reading) answerDependents(ctx context.Context, q asked) (answer, error) {
	s, err := r.subject(ctx, q.subject)
	var f *fault
	if errors.As(err, &f) {
		return answer{}, nil // it names nothing, so the search looks for it
	}
	if err != nil {
		return answer{}, err
	}
	all := s.list
	w := &writing{lead: s.text(r.impactOf(s.target, s.files()))}
	w.say(w.lead)
	for _, d := range all[:min(len(all), askSources)] {
		line := max(d.Line, 1)
		said := fmt.Sprintf("- `%s`, step %d", code(d.Path), d.Depth)
		switch {
		case d.within != "":
			said = fmt.Sprintf("- `%s` in `%s`", code(d.Path), code(d.within))
		case d.Depth > 1 && d.Via != "":
			said += fmt.Sprintf(" by way of `%s`", code(d.Via))
		}
		w.line(said, quote{Path: d.Path, Line: line, Text: strings.TrimSpace(r.lines(d.Path, line, line)), Hop: d.Depth})
	}
	w.rest(len(all), askSources)
	ans := w.answer(confidenceHigh, 2)
	ans.notes = s.notes
	return ans, nil
}

// findSubject finds the files that a subject names: a path or name, else the file that declares the symbol. When it names none,
// the search looks for it.
func (r *reading) findSubject(subject string) (target, bool) {
	if t, err := r.find(subject); err == nil {
		return t, true
	}
	if list := r.meant(subject); len(list) == 1 {
		return target{files: []string{list[0].Path}, note: fmt.Sprintf("%q is declared in %s.", brief(subject), list[0].Path)}, true
	}
	return target{}, false
}

func (r *reading) answerDependencies(_ context.Context, q asked) (answer, error) {
	t, ok := r.findSubject(q.subject)
	if !ok {
		return answer{}, nil
	}
	w := &writing{}
	seen := map[string]bool{}
	n := 0
	for _, f := range t.files {
		deps, err := r.snap.Dependencies(f)
		if err != nil {
			return answer{}, err
		}
		for _, d := range deps {
			if seen[d.Import] {
				continue
			}
			seen[d.Import] = true
			if n++; n > 2*askSources {
				continue
			}
			said := fmt.Sprintf("- `%s`", code(d.Import))
			if len(d.Paths) > 0 {
				said += ": " + enumerate(d.Paths, 3)
			}
			w.line(said, quote{Path: f, Line: d.Line, Text: d.Import})
		}
	}
	w.rest(n, 2*askSources)
	w.lead = fmt.Sprintf("%s imports %s", t.name(), text.Count(n, "thing"))
	if n == 0 {
		w.say(fmt.Sprintf("`%s` imports nothing.", code(t.name())))
	}
	ans := w.answer(confidenceHigh, 1)
	ans.notes = note(t.note)
	return ans, nil
}

func (r *reading) answerTests(_ context.Context, q asked) (answer, error) {
	t, ok := r.findSubject(q.subject)
	if !ok {
		return answer{}, nil
	}
	w := &writing{}
	seen := map[string]bool{}
	for _, f := range t.files[:min(len(t.files), riskSample)] {
		tests, err := r.snap.Tests(f)
		if err != nil {
			return answer{}, err
		}
		for _, x := range tests {
			if seen[x.Path] || len(seen) >= askSources {
				continue
			}
			seen[x.Path] = true
			w.line(fmt.Sprintf("- `%s` %s", code(x.Path), testReason(x)), quote{Path: x.Path, Line: 1, Text: firstLine(r.lines(x.Path, 1, 5)), Hop: 1})
		}
	}
	if len(seen) == 0 {
		w.say(fmt.Sprintf("The index has no test of `%s`.", code(t.name())))
	}
	w.lead = fmt.Sprintf("%s of %s", text.Count(len(seen), "test file"), t.name())
	ans := w.answer(confidenceHigh, 1)
	ans.notes = note(t.note)
	return ans, nil
}

// testReason says why a file is a test of another.
func testReason(x index.TestFile) string {
	switch {
	case x.Uses == 1:
		return "uses one of its names"
	case x.Uses > 1:
		return fmt.Sprintf("uses %d of its names", x.Uses)
	}
	return "is called after it"
}

// answerWhat tells what a symbol is, from its comment and signature, and for a type what it has.
func (r *reading) answerWhat(_ context.Context, q asked) (answer, error) {
	list := r.meant(q.subject)
	if len(list) == 0 {
		return answer{}, nil
	}
	w := &writing{}
	for _, d := range list[:min(len(list), 3)] {
		s := d.Symbol
		doc := firstSentences(s.Doc, 4, 800)
		if w.lead == "" {
			w.lead = fmt.Sprintf("%s at %s: %s", qualified(&s), cite(d.Path, s.Start), text.Clip(cmp.Or(firstSentences(s.Doc, 2, 300), s.Signature), 300))
		}
		if s.DocStart > 0 && doc != "" {
			w.line(fmt.Sprintf("- `%s`: %s", code(qualified(&s)), inline(redact.Text(doc))), quote{Path: d.Path, Line: s.DocStart, EndLine: s.End, Symbol: qualified(&s), Text: doc})
		}
		w.line(fmt.Sprintf("- `%s` (%s)", code(redact.Text(s.Signature)), s.Kind), quote{Path: d.Path, Line: s.Start, EndLine: s.End, Symbol: qualified(&s), Text: s.Signature})
		if s.Kind == parse.Class || s.Kind == parse.Interface || s.Kind == parse.Type {
			r.members(w, d)
		}
	}
	w.rest(len(list), 3)
	ans := w.answer(sure(list), 1)
	for _, x := range list[:min(len(list), 3)] {
		ans.passages = append(ans.passages, r.passageOf(x, 0, ""))
	}
	return ans, nil
}

// members lists the methods of a type: those in its own file, and in Go those in the other files of its folder.
func (r *reading) members(w *writing, d index.Declared) {
	var list []index.Declared
	if f, err := r.snap.File(d.Path); err == nil {
		for _, s := range f.Symbols {
			if s.Container == d.Symbol.Name && s.Kind == parse.Method {
				list = append(list, index.Declared{Path: d.Path, Symbol: s})
			}
		}
	}
	if packageOf(d.Path) != "" {
		more, _, err := r.snap.Functions(context.Background(), index.Filter{Pattern: d.Symbol.Name + ".*"})
		for _, m := range more {
			if err == nil && m.Path != d.Path && m.Symbol.Container == d.Symbol.Name && folderOf(m.Path) == folderOf(d.Path) {
				list = append(list, index.Declared{Path: m.Path, Symbol: m.Symbol})
			}
		}
	}
	for _, m := range list[:min(len(list), askSources)] {
		s := m.Symbol
		w.line(fmt.Sprintf("  - `%s`", code(redact.Text(s.Signature))), quote{Path: m.Path, Line: s.Start, EndLine: s.End, Symbol: qualified(&s), Text: s.Signature, Hop: 1})
	}
	w.rest(len(list), askSources)
}
