package chat

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"catena/planner/plan"
)

// A model's words reach a person as prose, which conclude checks, as what Aside gives, or in a plan: its title,
// question, refusal, direct reply, the texts of its answer and the headings that its steps give to tables and charts.
// The planners of an Engine pass the latter through modelText, whoever reads them. What toolkits have a model write
// passes Plain before they see it.

// Texts in place of those that had nothing left that may be shown.
const (
	emptyClarify = "What do you mean? Say it in other words, with the names of the tables and columns."
	emptyRefuse  = "This cannot be answered here."
	emptyDirect  = "The model's reply had nothing that can be shown. Ask about the tables by their names."
)

// byRules is what plans are by that no model made.
const byRules = "offline"

type cleanPlanner struct{ Planner }

// Plan is the planner's, with the model's texts cleaned.
func (c cleanPlanner) Plan(ctx context.Context, req plan.Request) (plan.Response, error) {
	res, err := c.Planner.Plan(ctx, req)
	return modelText(res, req), err
}

type cleanReplanner struct{ Replanner }

// Replan is the replanner's, with the model's texts cleaned.
func (c cleanReplanner) Replan(ctx context.Context, req plan.Request, ran plan.Ran) (plan.Response, error) {
	res, err := c.Replanner.Replan(ctx, req, ran)
	return modelText(res, req), err
}

// modelText takes links, images, HTML and figures that stand neither in the messages nor in what is known of the tables
// out of the texts of a plan. A plan is made before a cell is read, so that no other figure can be a true one. What the
// offline planner wrote is our own words, which may quote the message.
func modelText(res plan.Response, req plan.Request) plan.Response {
	if res.By == byRules {
		return quotesLittle(res)
	}
	p := &res.Plan
	p.Reading, p.Alternatives = "", nil // are a reader's, whose words are made of what runs
	f := textFilter{known: knownFigures(*p, req)}
	(&textFilter{known: f.known}).rename(p, req.Tools) // what a heading loses is not told
	if p.Clarify != "" {
		p.Clarify = cmp.Or(f.text(p.Clarify), emptyClarify)
	}
	if p.Refuse != "" {
		p.Refuse = cmp.Or(f.text(p.Refuse), emptyRefuse)
	}
	if res.Direct != "" {
		res.Direct = cmp.Or(f.text(res.Direct), emptyDirect)
	}
	p.Answer = f.answer(p.Answer)
	if note := f.note("answer"); note != "" {
		res.Notes = append(slices.Clip(res.Notes), note)
	}
	p.Title = f.heading(p.Title)
	return res
}

// quotesLittle shortens what our own sentences repeat of a message, which may be one word of 30 KB.
func quotesLittle(res plan.Response) plan.Response {
	for _, s := range []*string{&res.Plan.Clarify, &res.Plan.Refuse, &res.Plan.Reading} {
		*s = plan.Bounded(*s, plan.LongestLines)
	}
	return res
}

// ownTables is the toolset whose titles and names of columns are headings of the answer.
const ownTables = "data"

// headingArgs are the arguments of its tools by which a plan names what an answer shows.
var headingArgs = []string{"title", "as"}

// textFilter passes a model's texts on without markup, and without the sentences that hold a figure which is not known.
type textFilter struct {
	known []number
	left  int // sentences and figures left out
}

// text filters a text; its lines stay.
func (f *textFilter) text(text string) string {
	var lines []string
	last := -1
	for _, s := range f.said(Plain(text), breaksBlocks) {
		if s.line == last {
			lines[len(lines)-1] += " " + s.text
		} else {
			lines = append(lines, s.text)
		}
		last = s.line
	}
	return Plain(strings.Join(lines, "\n")) // what was left out may have stood before a definition of a link
}

// heading filters a text that is shown in one line.
func (f *textFilter) heading(text string) string { return f.text(plainLine(text)) }

// listMark is what stands before an item of a numbered list.
var listMark = regexp.MustCompile(`^\d{1,2}\.$`)

// sentences are those of a text without markup that have no unknown figure.
func (f *textFilter) sentences(text string) []string {
	var out []string
	for _, s := range sentences(text) {
		if listMark.MatchString(s) || f.knows(s) {
			out = append(out, s)
		} else {
			f.left++
		}
	}
	return out
}

// knows reports whether all figures of a text are known.
func (f *textFilter) knows(text string) bool {
	return !slices.ContainsFunc(numbersIn(text), func(n number) bool { return !supported(n, f.known) })
}

// note says how many sentences were left out of what, "" for none.
func (f *textFilter) note(what string) string {
	switch f.left {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("One sentence of the %s was left out: a number in it is not in the tables.", what)
	}
	return fmt.Sprintf("%d sentences of the %s were left out: numbers in them are not in the tables.", f.left, what)
}

// answer filters what a plan says itself in its answer; what has nothing left goes.
func (f *textFilter) answer(items []any) []any {
	var out []any
	for i, item := range items {
		if text, ok := item.(string); ok && i > 0 && !isText(items[i-1]) { // it is read on from the value before it
			item = f.cut(text, afterFigure)
		}
		if v, ok := f.tree(item); ok {
			out = append(out, v)
		}
	}
	return out
}

func isText(v any) bool {
	_, ok := v.(string)
	return ok
}

// tree filters the texts, names and numbers of a tree that are no references. It reports whether something is left.
func (f *textFilter) tree(v any) (any, bool) {
	switch x := v.(type) {
	case string:
		x = f.text(x)
		return x, x != ""
	case plan.Concat:
		return f.concat(x)
	case []any:
		out := f.answer(x)
		return out, len(out) > 0
	case map[string]any:
		out := make(map[string]any, len(x))
		for name, e := range x {
			name, named := f.tree(name)
			if e, ok := f.tree(e); ok && named {
				out[name.(string)] = e
			}
		}
		return out, len(out) > 0
	case json.Number, float64, int:
		if !f.knows(fmt.Sprint(x)) {
			f.left++
			return nil, false
		}
	}
	return v, true
}

// joints are what could make markup of a text together with what is joined to it.
var joints = strings.NewReplacer("[", "", "]", "", "<", "", ">", "", "://", " ")

// concat filters a joined text: as one where it is one, else each part, which then keeps nothing that markup is made
// of.
func (f *textFilter) concat(c plan.Concat) (any, bool) {
	var out []any
	for _, part := range c.Parts {
		text, isText := part.(string)
		last := len(out) - 1
		if before, ok := at(out, last).(string); ok && isText {
			out[last] = before + text
			continue
		}
		out = append(out, part)
	}
	if len(out) == 1 {
		return f.tree(out[0])
	}
	for i, part := range out {
		if text, ok := part.(string); ok {
			text = f.joined(text)
			if i+1 < len(out) {
				text = f.cut(text, beforeFigure)
			}
			if i > 0 {
				text = f.cut(text, afterFigure)
			}
			out[i] = text
		}
	}
	return plan.Concat{Parts: out}, true
}

// cut leaves out of a text what an expression finds, and counts that.
func (f *textFilter) cut(text string, what *regexp.Regexp) string {
	kept := what.ReplaceAllString(text, "")
	if kept != text {
		f.left++
	}
	return kept
}

// What beside a figure would make it another: digits and signs, and behind it percent signs and words of scale. A text
// that is joined to a value, which is known only when the plan has run, has none there.
var (
	beforeFigure = regexp.MustCompile(`[\p{N}.,'+\-\x{2010}-\x{2015}\x{2212}]+$|(?i)\b(?:minus|negative)\s*$`)
	afterFigure  = regexp.MustCompile(`(?i)^(?:[\p{N}\p{M}\p{Cf}*_~]|[.,'/][\p{N}]|e[+-]?[\p{N}]|` +
		`[\s\p{Pd}(]*(?:[%‰‱]|(?:` + scaleWords + `|k|mn|bn|[mb])\b))+`)
)

// joined filters a part of a text; the blanks at its ends stay.
func (f *textFilter) joined(part string) string {
	trimmed := strings.TrimSpace(part)
	from := strings.Index(part, trimmed)
	return part[:from] + joints.Replace(f.text(trimmed)) + part[from+len(trimmed):]
}

func at(list []any, i int) any {
	if i < 0 {
		return nil
	}
	return list[i]
}

// teller is an error that says itself what who asked may read of it; the rest of it is for the log.
type teller interface {
	error
	Told() string
}

// told is what who asked may read of an error.
func told(err error) string {
	var t teller
	if errors.As(err, &t) {
		return t.Told()
	}
	return Plain(err.Error())
}

// document filters each text of the JSON object that a text holds, or all of a text without one.
func (f *textFilter) document(text string) string {
	from, to := strings.Index(text, "{"), strings.LastIndex(text, "}")
	var doc map[string]any
	if from < 0 || to < from || json.Unmarshal([]byte(text[from:to+1]), &doc) != nil {
		return f.text(text)
	}
	kept, _ := f.tree(doc)
	raw, err := Encode(kept)
	if err != nil {
		return f.text(text)
	}
	return string(raw)
}
