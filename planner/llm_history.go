package planner

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"catena/planner/plan"
)

// prompt puts the brief together, what changes least first, so that an endpoint can keep the beginning from call to call: the
// rules, tools and tables as the system's text, then earlier turns, then the message with the time and what is said of its words.
func (b *brief) prompt() (Prompt, error) {
	system, err := render("plan.md.tpl", b)
	if err != nil {
		return Prompt{}, err
	}
	p := Prompt{System: system}
	b.addSchemas(&p)
	turns := b.req.History
	if len(turns) > maxTurns {
		turns = turns[len(turns)-maxTurns:]
	}
	for _, t := range turns {
		p.Messages = append(p.Messages,
			Message{Role: "user", Text: shorten(t.Message, maxEcho)},
			Message{Role: "assistant", Text: b.earlier(t)})
	}
	message, err := render("message.md.tpl", b)
	if err != nil {
		return Prompt{}, err
	}
	p.Messages = append(append(p.Messages, Message{Role: "user", Text: message}), b.after...)
	return p, nil
}

// earlier tells what was done in a turn: its plan and the tables that its answer showed, by handle and columns. Texts in
// the plan that the user did not write are left out, because an earlier planner may have taken them from a cell.
func (b *brief) earlier(t plan.Turn) string {
	var out strings.Builder
	if t.Plan != nil && len(t.Plan.Steps) > 0 {
		p := b.names.hide(plan.Plan{Steps: t.Plan.Steps, Answer: t.Plan.Answer})
		out.Write(p.Wire())
	}
	if out.Len() == 0 {
		outcome := "no plan"
		if plan.SafeName(t.Outcome) {
			outcome = t.Outcome
		}
		fmt.Fprintf(&out, "(%s)", outcome)
	}
	for _, table := range t.Tables {
		if !plan.SafeName(table.Handle) {
			continue
		}
		fmt.Fprintf(&out, "\n(shown: table %s with %d rows:", table.Handle, table.Rows)
		for i, c := range table.Columns {
			if i == maxColumns {
				break
			}
			fmt.Fprintf(&out, " %s (%s)", b.names.column(c.Name), c.Type)
		}
		out.WriteString(")")
	}
	return out.String()
}

// foldWords is a text's words in lower case with one space around each, so that whole words can be searched.
func foldWords(s string) string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return " " + strings.Join(words, " ") + " "
}

// The bounds of looking up the message's words among the data's values.
const (
	maxPhrases   = 60
	maxHits      = 12
	longestWords = 4
)

// hits says which words of the message are values, and where. A value itself is written only when its source is trusted or
// when plan.Synonyms lists it; see hit.
func (b *brief) hits(ctx context.Context) []string {
	if b.req.Values == nil {
		return nil
	}
	var out []string
	taken := map[int]bool{}
	words := strings.FieldsFunc(b.req.Message, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`,;:!?"()[]{}`, r) })
	asked := 0
	for n := min(longestWords, len(words)); n > 0; n-- {
		for i := 0; i+n <= len(words) && len(out) < maxHits && asked < maxPhrases && ctx.Err() == nil; i++ {
			phrase := strings.Trim(strings.Join(words[i:i+n], " "), ". '")
			if overlaps(taken, i, n) || utf8.RuneCountInString(phrase) < 3 {
				continue
			}
			asked++
			line := b.hit(phrase, b.req.Values.Find(ctx, phrase))
			if line == "" {
				continue
			}
			out = append(out, line)
			for j := i; j < i+n; j++ {
				taken[j] = true
			}
		}
	}
	return out
}

func overlaps(taken map[int]bool, i, n int) bool {
	for j := i; j < i+n; j++ {
		if taken[j] {
			return true
		}
	}
	return false
}

// hit describes the best places of one phrase, "" when there is none that the message's words speak for.
func (b *brief) hit(phrase string, hits []plan.Hit) string {
	var places []string
	for _, h := range hits {
		if len(places) == 3 {
			break
		}
		where := b.names.table(h.Table) + "." + b.names.column(h.Column)
		switch h.Match {
		case plan.Exact, plan.Synonym, plan.Fuzzy:
			if quotable(h.Value) && (h.Match == plan.Synonym || nearlySaid(phrase, h.Value)) {
				places = append(places, "is "+b.spelling(phrase, h)+" in "+where)
			}
		case plan.Prefix:
			places = append(places, "begins values of "+where+" (use starts_with)")
		case plan.Word:
			places = append(places, "is a word in values of "+where+" (use contains)")
		}
	}
	if len(places) == 0 {
		return ""
	}
	return fmt.Sprintf("%q %s", phrase, strings.Join(places, "; "))
}

// spelling is how a plan writes a value that was found: in the user's words where they differ in case at most, which texts
// are compared without; by the product's own list of synonyms, or as its source has it where that is trusted; and else by a
// name that stands for it (value_1), which restore makes the cell's spelling again.
func (b *brief) spelling(phrase string, h plan.Hit) string {
	switch {
	case strings.EqualFold(phrase, h.Value):
		return fmt.Sprintf("%q", phrase)
	case listed(h.Value) && slices.Contains(plan.Synonyms(phrase), plan.FoldKey(h.Value)), b.trusted(h.Table):
		return fmt.Sprintf("%q", h.Value)
	}
	return b.names.value(h.Value)
}

func (b *brief) trusted(table string) bool {
	return slices.ContainsFunc(b.req.Tables, func(t plan.TableInfo) bool { return t.Name == table && t.Trusted })
}

// nearlySaid reports whether a value is no longer than the user's own words, so that it is what they mean.
func nearlySaid(phrase, value string) bool {
	return len(foldWords(value)) <= len(foldWords(phrase))+4 && strings.Count(foldWords(value), " ") <= strings.Count(foldWords(phrase), " ")+1
}

// quotable reports whether a value may stand in a prompt at all: one short line.
func quotable(s string) bool {
	if s == "" || utf8.RuneCountInString(s) > 64 {
		return false
	}
	for _, r := range s {
		if !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}
