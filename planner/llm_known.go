package planner

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"catena/planner/plan"
)

// queryWords are the texts of a query's and a reference's own grammar, besides plan.Ops and plan.Exprs: its keys, its
// operators and periods, and the columns it makes.
var queryWords = plan.WordSet("table data join on how inner left right derive as op filter column period value any group_by select expr having order_by " +
	"desc asc limit limit_by with_ties offset distinct share_of_total rank_by change order by row rows row_count columns each add sub mul div abs_diff percent " +
	"year quarter month week day decade hour month_of_year weekday * rank change_percent difference ratio year_of total average number")

// resultEndings end the names of columns that a query makes of another column.
var resultEndings = []string{"_share", "_first", "_last", "_change"}

// knownTexts says which texts of earlier plans and results may stand in a prompt: the user wrote them, or they are names or
// grammar. Every other one may have been taken from a cell by an earlier planner, whatever it looks like.
type knownTexts struct {
	asked string          // the user's messages, as foldSpace gives them
	keys  string          // and as plan.FoldKey does, with a blank on each side
	words map[string]bool // of those, by themselves
	texts map[string]bool
	names map[string]bool // the words of the tables' and columns' names
}

func newKnownTexts(req plan.Request) knownTexts {
	k := knownTexts{texts: map[string]bool{}, words: map[string]bool{}, names: map[string]bool{}}
	messages := []string{req.Message}
	called := map[string]bool{}
	for _, t := range req.History {
		messages = append(messages, t.Message)
		k.addTables(t.Tables)
		if t.Plan == nil {
			continue
		}
		for _, s := range t.Plan.Steps {
			called[s.Tool] = true
		}
	}
	k.addTables(req.Tables)
	for _, t := range req.Tools {
		if called[t.Name] {
			k.addSchema(t.InputSchema)
			k.addSchema(t.OutputSchema)
		}
	}
	all := strings.Join(messages, "\n")
	k.asked, k.keys = foldSpace(all), " "+plan.FoldKey(all)+" "
	for _, m := range messages {
		for _, w := range plan.FoldWords(m) {
			k.words[w] = true
		}
	}
	return k
}

// addTables learns tables by name and handle, and the columns of those that no plan made.
func (k knownTexts) addTables(tables []plan.TableInfo) {
	for _, t := range tables {
		k.texts[t.Name], k.texts[t.Handle] = true, true
		if t.Source == sourceResult {
			continue
		}
		for _, c := range t.Columns {
			k.texts[c.Name] = true
			for _, w := range plan.NameWords(c.Name) {
				k.names[w] = true
			}
		}
	}
}

// sourceResult is the Source of a table that a plan made.
const sourceResult = "result"

// addSchema learns the names of properties, and the values that a schema lists: the prompt shows them with the tool.
func (k knownTexts) addSchema(raw json.RawMessage) {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return
	}
	var walk func(v any)
	walk = func(v any) {
		switch x := v.(type) {
		case []any:
			for _, e := range x {
				walk(e)
			}
		case map[string]any:
			if properties, ok := x["properties"].(map[string]any); ok {
				for name := range properties {
					k.texts[name] = true
				}
			}
			values, _ := x["enum"].([]any)
			for _, e := range append(values, x["const"]) {
				if s, ok := e.(string); ok {
					k.texts[s] = true
				}
			}
			for _, e := range x {
				walk(e)
			}
		}
	}
	walk(v)
}

// has reports whether a text may be shown.
func (k knownTexts) has(s string) bool {
	if k.texts[s] || queryWords[s] || slices.Contains(plan.Ops, s) || slices.Contains(plan.Exprs, s) || inRange(s) {
		return true
	}
	return k.made(s) || k.said(s) || k.synonym(s)
}

// made reports whether a name is one that a query gives a column of its own accord: sum_revenue_usd.
func (k knownTexts) made(s string) bool {
	for _, e := range plan.Exprs {
		if rest, ok := strings.CutPrefix(s, e+"_"); ok && k.texts[rest] {
			return true
		}
	}
	return slices.ContainsFunc(resultEndings, func(e string) bool {
		rest, ok := strings.CutSuffix(s, e)
		return ok && k.texts[rest]
	})
}

// named reports whether a text may be shown as the name of a column that a plan made: it is known, or made of words of the
// user, of the columns' names and of the grammar.
func (k knownTexts) named(s string) bool {
	if k.has(s) {
		return true
	}
	if !plan.SafeName(s) {
		return false
	}
	for _, w := range plan.NameWords(s) {
		if !k.words[w] && !k.names[w] && !queryWords[w] && !slices.Contains(plan.Exprs, w) && !inRange(w) {
			return false
		}
	}
	return true
}

// said reports whether the user wrote a text, as whole words, to the letter but for case and white space.
func (k knownTexts) said(s string) bool {
	s = strings.TrimSpace(foldSpace(s))
	if s == "" {
		return false
	}
	for at := 0; ; at++ {
		i := strings.Index(k.asked[at:], s)
		if i < 0 {
			return false
		}
		at += i
		before, _ := utf8.DecodeLastRuneInString(k.asked[:at])
		after, _ := utf8.DecodeRuneInString(k.asked[at+len(s):])
		if !letter(before) && !letter(after) {
			return true
		}
	}
}

// synonym reports whether a text is another name, by the product's own list, of something the user wrote.
func (k knownTexts) synonym(s string) bool {
	return listed(s) && slices.ContainsFunc(plan.Synonyms(s), func(other string) bool { return strings.Contains(k.keys, " "+other+" ") })
}

// listed reports whether a text is spelled like the names of plan.Synonyms: letters, and a few marks between them.
func listed(s string) bool {
	return len(s) <= 64 && !strings.ContainsFunc(s, func(r rune) bool { return !letter(r) && !strings.ContainsRune(" .'’&-", r) })
}

func letter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// foldSpace is a text in lower case with single blanks between its words and one on each side.
func foldSpace(s string) string {
	return " " + strings.Join(strings.Fields(strings.ToLower(s)), " ") + " "
}
