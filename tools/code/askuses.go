package code

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"catena/internal/text"
	"catena/tools/code/index"
	"catena/tools/code/parse"
	"catena/tools/code/redact"
)

func (r *reading) answerCallers(ctx context.Context, q asked) (answer, error) {
	list := r.meant(q.subject)
	if len(list) == 0 {
		return answer{}, nil
	}
	w := &writing{}
	total := 0
	for _, d := range list[:min(len(list), 3)] {
		uses, err := r.uses(ctx, d)
		if err != nil {
			return answer{}, err
		}
		slices.SortStableFunc(uses, func(a, b use) int { return rankUse(a) - rankUse(b) })
		name := code(qualified(&d.Symbol))
		if len(uses) == 0 {
			w.line(fmt.Sprintf("Nothing in the index uses `%s`, declared here", name), quote{Path: d.Path, Line: d.Symbol.Start, Symbol: qualified(&d.Symbol), Text: d.Symbol.Signature})
			continue
		}
		w.line(fmt.Sprintf("`%s` is used in %s; it is declared here", name, text.Count(len(uses), "place")), quote{Path: d.Path, Line: d.Symbol.Start, Symbol: qualified(&d.Symbol), Text: d.Symbol.Signature})
		for _, u := range uses[:min(len(uses), askSources)] {
			said := "- "
			if u.within != "" {
				said += fmt.Sprintf("`%s`: ", code(u.within))
			}
			w.line(said+fmt.Sprintf("`%s`", code(redact.Text(text.Clip(u.text, 200)))), quote{Path: u.path, Line: u.line, Symbol: u.within, Text: u.text, Hop: 1})
		}
		w.rest(len(uses), askSources)
		total += len(uses)
	}
	w.lead = fmt.Sprintf("%s is used in %s", qualified(&list[0].Symbol), text.Count(total, "place"))
	ans := w.answer(confidenceMedium, 2)
	if len(list) == 1 && total > 0 {
		ans.confidence = confidenceHigh
	}
	ans.notes = []string{"Uses are found by name in the files that can see the symbol; another symbol of the same name may be among them."}
	return ans, nil
}

// rankUse orders uses: calls of the program, other uses, tests.
func rankUse(u use) int {
	n := 0
	if u.test {
		n += 2
	}
	if !u.call {
		n++
	}
	return n
}

func (r *reading) answerCallees(_ context.Context, q asked) (answer, error) {
	list := r.meant(q.subject)
	if len(list) == 0 {
		return answer{}, nil
	}
	d := list[0]
	f, err := r.snap.File(d.Path)
	if err != nil {
		return answer{}, err
	}
	w := &writing{}
	w.line(fmt.Sprintf("`%s` calls what is declared here:", code(qualified(&d.Symbol))), quote{Path: d.Path, Line: d.Symbol.Start, Symbol: qualified(&d.Symbol), Text: d.Symbol.Signature})
	n := 0
	for _, c := range r.called(f, d.Symbol) {
		if n++; n <= askSources {
			said := fmt.Sprintf("- `%s`: `%s`", code(qualified(&c.Symbol)), code(redact.Text(c.Symbol.Signature)))
			w.line(said, quote{Path: c.Path, Line: c.Symbol.Start, Symbol: qualified(&c.Symbol), Text: c.Symbol.Signature, Hop: 1})
		}
	}
	w.rest(n, askSources)
	if n == 0 {
		w.say("Nothing that the index declares.")
	}
	w.lead = fmt.Sprintf("%s calls %s of this repository", qualified(&d.Symbol), text.Count(n, "function"))
	return w.answer(sure(list), 2), nil
}

// called lists the declarations of the index that a symbol's lines call, in the order of the calls.
func (r *reading) called(f index.FileInfo, s parse.Symbol) []index.Declared {
	var out []index.Declared
	seen := map[string]bool{}
	body := r.lines(f.Path, s.Start, s.End)
	for _, ref := range f.Refs {
		if !ref.Call || seen[ref.Name] || ref.Line < s.Start-parse.MaxChunkLines || ref.Line > s.End || !strings.Contains(body, ref.Name+"(") {
			continue
		}
		seen[ref.Name] = true
		if c, ok := r.resolve(f, ref); ok && (c.Path != f.Path || c.Symbol.Start != s.Start) {
			out = append(out, c)
		}
	}
	return out
}

// resolve finds the declaration that a reference most likely means: in its own folder when it has no qualifier, in the folder that
// the qualifier names, else the only one of that name.
func (r *reading) resolve(f index.FileInfo, ref parse.Ref) (index.Declared, bool) {
	list := slices.DeleteFunc(r.snap.Named(ref.Name), func(d index.Declared) bool {
		return d.Symbol.Name != ref.Name || !f.Test && r.isTest(d.Path)
	})
	var near []index.Declared // methods of the same folder
	for _, d := range list {
		dir := folderOf(d.Path)
		switch {
		case ref.Qualifier != "" && strings.EqualFold(d.Symbol.Container, ref.Qualifier):
			return d, true
		case ref.Qualifier != "" && dir == folderOf(f.Path) && d.Symbol.Container != "":
			near = append(near, d)
		case ref.Qualifier == "" && dir == folderOf(f.Path) && d.Symbol.Container == "":
			return d, true
		case ref.Qualifier != "" && d.Symbol.Container == "" && strings.EqualFold(dir[strings.LastIndexByte(dir, '/')+1:], ref.Qualifier):
			return d, true
		}
	}
	switch {
	case len(near) == 1:
		return near[0], true
	case len(list) == 1:
		return list[0], true
	}
	return index.Declared{}, false
}
