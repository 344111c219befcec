package offline

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"catena/planner/plan"
)

// guard answers the messages that must not be planned as a question about the data: orders to change tables that no tool
// carries out, "top 0" and arithmetic over identifiers. ok is false for all other messages.
func (o *Planner) guard(s *session, toks []token) (plan.Plan, bool) {
	if word := destroys(toks, s.views, len(s.req.History) > 0); word != "" && !o.catalogue(s).writes(toks) {
		return plan.Plan{Refuse: fmt.Sprintf("Tables are only read here: nothing was changed, and there is no tool for “%s”. Ask a question about the data instead. Tables here: %s.", word, tableList(s.req.Tables))}, true
	}
	if text := looseLimit(s.req.Message, toks); text != "" {
		digits := strings.Fields(text)[1]
		return plan.Plan{Clarify: fmt.Sprintf("How many does “%s” ask for: %s, or %s thousand? Write “%s” or “%sk”.", text, digits, digits, digits, digits), Confidence: 0.5}, true
	}
	if text := beyondCalendar(toks, s.req.Now); text != "" {
		const why = "“%s” begin before the year 1: the number is too large. Ask for fewer."
		return plan.Plan{Refuse: fmt.Sprintf(why, title(text))}, true
	}
	if text, noun := hugeTop(toks); text != "" {
		const why = "“%s” asks for too many %s: at most %s can be asked for. How many should be shown?"
		return plan.Plan{Clarify: fmt.Sprintf(why, title(text), noun, thousandsOf(mostRows)), Confidence: 0.5}, true
	}
	if text, noun := emptyTop(toks); text != "" {
		return plan.Plan{Clarify: fmt.Sprintf("“%s” asks for no %s at all. How many should be shown? A whole number from 1 on, such as “top 5 %s”.", text, noun, noun), Confidence: 0.5}, true
	}
	if why := identifierMath(toks, s.views); why != "" {
		return plan.Plan{Refuse: why}, true
	}
	return plan.Plan{}, false
}

// destroyers begin orders that change data, in English and in SQL; what they change follows.
var (
	destroyers   = plan.WordSet("drop delete truncate alter insert update erase destroy wipe purge remove overwrite")
	destroyables = plan.WordSet("table tables database databases schema column columns view index from into all every everything data rows records")
)

// destroys gives the order that would change tables, "" without one. Within a conversation "drop the column" and "remove
// Germany" change the answer before, so that only what names tables counts there.
func destroys(toks []token, views []*view, talking bool) string {
	for i, t := range toks {
		if !destroyers[t.low] || i+1 >= len(toks) {
			continue
		}
		next := toks[i+1]
		if next.low == "the" && i+2 < len(toks) {
			next = toks[i+2]
		}
		first := i == 0 || toks[i-1].kind == markToken || toks[i-1].low == "please" || toks[i-1].low == "and" || toks[i-1].low == "then"
		named := slices.ContainsFunc(views, func(v *view) bool { return v.info.Name == next.text || v.source[next.lemma] })
		sql := next.low == "table" || next.low == "database" || next.low == "schema" || t.low == "delete" && next.low == "from" || t.low == "insert" && next.low == "into"
		if sql || first && !talking && (destroyables[next.low] || named) {
			return t.low + " " + next.text
		}
	}
	return ""
}

// writes reports whether a tool that changes something is clearly asked for.
func (c *catalogue) writes(toks []token) bool {
	low := lowsOf(toks)
	return slices.ContainsFunc(c.tools, func(f *toolFacts) bool {
		return f.changes() && f.wanted(toks) && slices.ContainsFunc(f.nouns, func(n string) bool { return low[n] })
	})
}

// mostRows is the largest number of rows that can be asked for: more than any table here holds.
const mostRows = 1_000_000_000

// hugeTop finds a number of rows that is larger than mostRows.
func hugeTop(toks []token) (text, noun string) {
	return badTop(toks, func(num string) bool { n, _ := strconv.ParseFloat(num, 64); return n > mostRows })
}

// emptyTop finds a number of rows that is none: "top 0 clients", "bottom -3", "top 2.5".
func emptyTop(toks []token) (text, noun string) {
	return badTop(toks, func(num string) bool { n, err := strconv.Atoi(num); return err != nil || n <= 0 })
}

// badTop finds the first number of rows that is bad, and what is to be shown.
func badTop(toks []token, bad func(num string) bool) (text, noun string) {
	for i, t := range toks {
		if t.low != "top" && t.low != "bottom" && t.low != "first" || i+1 >= len(toks) || toks[i+1].kind != numberToken {
			continue
		}
		if !bad(toks[i+1].num) {
			continue
		}
		noun = "rows"
		if i+2 < len(toks) && toks[i+2].kind == wordToken && toks[i+2].content() {
			noun = toks[i+2].text
		}
		return t.text + " " + toks[i+1].text, noun
	}
	return "", ""
}

// perYear is how many of a period a year has, about.
var perYear = map[string]float64{
	"decade": 0.1, "year": 1, "quarter": 4, "month": 12, "week": 52, "day": 365, "hour": 8766,
}

// beyondCalendar finds a stretch of time back from now that would begin before the year 1: "the last 99999 months".
func beyondCalendar(toks []token, now time.Time) string {
	for i, t := range toks {
		if !stretchWords[t.low] || i+2 >= len(toks) || toks[i+1].kind != numberToken {
			continue
		}
		many := perYear[periodWords[singularLow(toks[i+2].low)]]
		if n, _ := strconv.ParseFloat(toks[i+1].num, 64); many > 0 && n/many >= float64(max(now.Year(), 1)) {
			return t.text + " " + toks[i+1].text + " " + toks[i+2].text
		}
	}
	return ""
}

// stretchWords count periods back from now.
var stretchWords = plan.WordSet("last past previous recent latest final")

// arithmetic are the words that compute with numbers.
var arithmetic = plan.WordSet("average mean avg median sum total stddev")

// identifierMath says why the average or sum of an identifier is refused, "" for all other messages.
func identifierMath(toks []token, views []*view) string {
	at := slices.IndexFunc(toks, func(t token) bool { return arithmetic[t.low] })
	if at < 0 {
		return ""
	}
	for _, v := range views {
		for _, c := range v.cols {
			if c.info.Role != "identifier" {
				continue
			}
			name := strings.Join(plan.NameWords(c.info.Name), " ")
			for i := at + 1; i < len(toks) && i <= at+3 && !groupWords[toks[i].low] && toks[i].low != "for"; i++ { // what is behind “by” is no sum
				if toks[i].low == name || len(strings.Fields(name)) > 1 && saysAt(toks, i, strings.Fields(name)) {
					return fmt.Sprintf("%s identifies rows: it is not a quantity, and its %s means nothing. It can be counted: “how many different %ss are there”.", c.info.Name, toks[at].text, name)
				}
			}
		}
	}
	return ""
}
