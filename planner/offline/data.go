package offline

import (
	"maps"
	"slices"
	"strings"

	"catena/planner/plan"
)

// dataVerbs say which tool for tables a clause wants. The first that fits counts.
var dataVerbs = []struct {
	tool  string
	words []string
}{
	{"list_tables", []string{"list tables", "list the tables", "list all tables", "show tables", "show the tables", "show all tables", "what tables", "which tables", "what data do you have", "what data is there", "what data are there", "which data", "what can i ask", "available tables"}},
	{"describe_table", []string{"describe table", "describe the table", "describe", "what columns", "which columns", "columns of", "schema of", "structure of", "list the columns", "list columns", "show the columns", "show columns"}},
	{chartTool, []string{
		"chart", "plot", "draw", "graph", "visualize", "visualise", "diagram", "scatterplot",
		"as bars", "as a bar", "as a line", "as a pie", "as a donut", "as a doughnut",
	}},
	{"clean_and_prepare_table", []string{"clean", "tidy", "prepare", "clean up", "normalize"}},
	{"generate_insights", []string{"insights", "insight", "what stands out", "key findings", "findings", "interesting facts", "anything interesting", "what is interesting", "find anomalies", "anomalies", "anomaly", "find outliers", "outliers", "outlier", "unusual values", "anything unusual", "what is unusual"}},
	{"summarize_table", []string{"summarize", "summarise", "summary of", "summary statistics", "overview of", "profile", "statistics of", "statistics for", "summary"}},
	{"analyze_trend", []string{"analyze trend", "analyze the trend", "analyze their", "trend analysis", "trends", "trend of", "trend in", "trend for", "analyze revenue trend", "analyze", "analyse", "trend"}},
	{"format_table_for_llm", []string{"format", "as markdown", "as json", "as bullets", "as bullet points", "as csv", "as a markdown table"}},
}

// dataVerb reports whether a clause asks for one of the tools for tables, and the caller has that tool.
func (c *chain) dataVerb(toks []token) bool {
	tool, _, _ := c.dataTool(toks)
	return tool != nil
}

// dataTool finds the tool for tables that a clause asks for, and where its words stand.
func (c *chain) dataTool(toks []token) (tool *toolFacts, from, to int) {
	for _, v := range dataVerbs {
		for _, phrase := range v.words {
			words := dataWords[phrase]
			for i := range toks {
				if !saysAt(toks, i, words) {
					continue
				}
				if v.tool == chartTool && onChart(toks, i) {
					continue // "listed on this chart": a table that is there, not one to draw
				}
				if v.tool == "analyze_trend" && !trendWord(toks) {
					continue
				}
				if f := c.cat.byName(v.tool); f != nil {
					return f, i, i + len(words)
				}
			}
		}
	}
	return nil, 0, 0
}

// trendWord reports whether a clause that analyzes speaks of a development, or is an order to analyze.
func trendWord(toks []token) bool {
	analyze := slices.ContainsFunc(toks, func(t token) bool { return t.low == "analyze" || t.low == "analyse" || t.low == "analysis" })
	return analyze && slices.ContainsFunc(toks, func(t token) bool {
		return t.lemma == "trend" || t.lemma == "growth" || t.lemma == "development" || t.low == "over"
	}) || len(toks) > 0 && slices.ContainsFunc(toks, func(t token) bool { return t.low == "trends" })
}

// onChart reports whether the word of a chart at i is one that is there: "on this chart", "in the plot".
func onChart(toks []token, i int) bool {
	before := func(n int) string {
		if i < n {
			return ""
		}
		return toks[i-n].low
	}
	return before(1) == "this" || before(1) == "the" && (before(2) == "on" || before(2) == "in")
}

// chartTool draws tables.
const chartTool = "visualize_data"

// Words of a wish for a chart: draw me a nice bar chart, as bars, a pie of sales.
var (
	chartNouns = plan.WordSet(`chart plot graph diagram draw visualize visualise visualization visualisation
		scatterplot`)
	chartMakers = plan.WordSet(`make create generate build produce render display show give me us a an one the please
		nice simple little quick`)
	chartForms = plan.WordSet("as with using")
	chartOf    = plan.WordSet("of for by showing")
)

// cutChart parts the words that wish for a chart, and say of which kind, from those that say what it shows.
func (f *toolFacts) cutChart(toks []token) (rest, wish []token) {
	for i := 0; i < len(toks); {
		n := max(f.chartAt(toks[i:]), f.formAt(toks[i:]))
		wish = append(wish, toks[i:i+n]...)
		if i += n; n == 0 {
			rest = append(rest, toks[i])
			i++
		}
	}
	return rest, wish
}

// chartAt is how many tokens ask for a chart: "draw me a nice bar chart".
func (f *toolFacts) chartAt(toks []token) int {
	n := 0
	for i, t := range toks {
		switch {
		case chartNouns[t.low], chartNouns[t.lemma]:
			n = i + 1
		case !chartMakers[t.low] && !f.lists(t):
			return n
		}
	}
	return n
}

// formAt is how many tokens ask for a kind of chart without that word: "as bars", "a pie of".
func (f *toolFacts) formAt(toks []token) int {
	n := 0
	for n < len(toks) && (chartForms[toks[n].low] || toks[n].low == "a" || toks[n].low == "an") {
		n++
	}
	if n == 0 || n == len(toks) || !f.lists(toks[n]) {
		return 0
	}
	if chartForms[toks[0].low] || n+1 < len(toks) && chartOf[toks[n+1].low] {
		return n + 1 + f.chartAt(toks[n+1:])
	}
	return 0
}

// lists reports whether a word is one of the values that an argument of the tool may have: the kind of a chart.
func (f *toolFacts) lists(t token) bool {
	return slices.ContainsFunc(f.params, func(p param) bool {
		return slices.Contains(p.enum, t.low) || slices.Contains(p.enum, t.lemma)
	})
}

// dataWords are the words of each phrase of dataVerbs.
var dataWords = func() map[string][]string {
	out := map[string][]string{}
	for _, v := range dataVerbs {
		for _, phrase := range v.words {
			out[phrase] = plan.FoldWords(phrase)
		}
	}
	return out
}()

func saysAt(toks []token, i int, words []string) bool {
	for n, w := range words {
		if i+n >= len(toks) || toks[i+n].low != w {
			return false
		}
	}
	return true
}

// dataClause adds the step of a tool for tables, and before it what makes the table that it works on.
func (c *chain) dataClause(toks []token) bool {
	f, from, to := c.dataTool(toks)
	rest, form := slices.Concat(toks[:from], toks[to:]), toks
	if f.Name == chartTool {
		rest, form = f.cutChart(toks)
	}
	switch f.Name {
	case "list_tables":
		c.answers = append(c.answers, c.add(f.Name, map[string]any{}))
		return true
	case "describe_table":
		v := c.tableNamed(rest)
		if v == nil {
			return false
		}
		c.answers = append(c.answers, c.add(f.Name, map[string]any{"table": v.info.Name}))
		return true
	case "analyze_trend":
		return c.trendClause(f, rest)
	}
	data, ok := c.dataFor(rest)
	if !ok {
		return false
	}
	args := map[string]any{"data": data}
	c.fillEnums(f, form, args)
	c.last, c.view = f, nil
	c.answers = append(c.answers, c.add(f.Name, args))
	return true
}

// dataFor gives the table that a clause works on: the result before it, a named table, or what the rest of the clause asks.
func (c *chain) dataFor(rest []token) (any, bool) {
	subject := slices.DeleteFunc(slices.Clone(rest), func(t token) bool {
		return !t.content() && t.kind != numberToken || formNoise[t.low] || benignWords[t.low]
	})
	grouped := slices.ContainsFunc(rest, func(t token) bool { return groupWords[t.low] })
	if v := c.tableNamed(rest); v != nil && len(subject) <= 1 && !grouped {
		return v.info.Name, true
	}
	if len(c.steps) > 0 && (len(subject) == 0 || c.refersToResult(rest)) {
		return c.ref(len(c.steps) - 1), true
	}
	if len(subject) == 0 && len(c.s.req.History) > 0 {
		if base := c.s.before(); base != nil && base.ok {
			c.addQueries(base)
			c.answers = nil
			return c.ref(len(c.steps) - 1), true
		}
	}
	if len(subject) == 0 && len(c.s.views) == 1 {
		return c.s.views[0].info.Name, true
	}
	got := c.s.question(slices.DeleteFunc(slices.Clone(rest), func(t token) bool { return formNoise[t.low] }))
	if got == nil || !got.ok {
		if len(c.steps) > 0 {
			return c.ref(len(c.steps) - 1), true
		}
		return nil, false
	}
	c.addQueries(got)
	c.answers = c.answers[:len(c.answers)-1]
	return c.ref(len(c.steps) - 1), true
}

// formNoise are words of a clause that name the form, not the subject; dataNoise has the kinds of charts, too, which
// may be columns where no chart is spoken of.
var (
	formNoise = plan.WordSet(`chart plot graph diagram table result results data picture image figure trend markdown
		json bullets bullet csv statistics summary overview key generate insights insight findings file`)
	dataNoise = plan.WordSet("bar line scatter pie donut doughnut " +
		strings.Join(slices.Collect(maps.Keys(formNoise)), " "))
)

// tableNamed gives the table that the words name, nil when none or several do.
func (c *chain) tableNamed(toks []token) *view {
	var found *view
	for _, v := range c.s.views {
		if slices.ContainsFunc(toks, func(t token) bool { return v.source[t.lemma] || t.text == v.info.Name }) {
			if found != nil {
				return nil
			}
			found = v
		}
	}
	if found == nil && len(c.s.views) == 1 && !slices.ContainsFunc(toks, token.content) {
		return c.s.views[0]
	}
	return found
}

// trendClause analyzes a trend: of the result before it when that has times, of what a tool gives for it, or of a table.
func (c *chain) trendClause(f *toolFacts, rest []token) bool {
	v := c.view
	var data any
	switch {
	case len(c.steps) > 0 && v != nil && v.time >= 0 && len(v.measure) > 0:
		data = c.ref(len(c.steps) - 1)
	case len(c.steps) > 0:
		step, out := c.bridge(rest)
		if out == nil {
			return false
		}
		data, v = c.ref(step), out
	default:
		if v = c.bestTable(rest); v == nil || v.time < 0 {
			return false
		}
		data = v.info.Name
	}
	args := map[string]any{"data": data}
	value := c.measureIn(v, rest)
	if value < 0 {
		return false
	}
	args["value_column"] = v.cols[value].info.Name
	if group := c.groupIn(v, rest, len(c.steps) > 0); group >= 0 {
		args["group_column"] = v.cols[group].info.Name
	}
	c.last, c.view = f, nil
	c.answers = append(c.answers, c.add(f.Name, args))
	return true
}

// bestTable chooses the table whose columns the words name best.
func (c *chain) bestTable(toks []token) *view {
	var best *view
	score := 0.0
	for _, v := range c.s.views {
		if got := c.s.readTable(v, toks); got.score > score {
			best, score = v, got.score
		}
	}
	return best
}

// measureIn finds the column of numbers that the words name, else the first one.
func (c *chain) measureIn(v *view, toks []token) int {
	best, score := -1, 0.0
	for _, m := range v.measure {
		for _, t := range toks {
			if s := v.cols[m].match([]token{t}); t.content() && s > score {
				best, score = m, s
			}
		}
	}
	if best < 0 && len(v.measure) > 0 {
		best = v.measure[0]
	}
	if usd, ok := v.common[best]; ok {
		return usd
	}
	return best
}

// groupIn finds the column that the trend is split by: what "by" names; for "their", what names the things before.
func (c *chain) groupIn(v *view, toks []token, chained bool) int {
	for i, t := range toks {
		if groupWords[t.low] {
			for _, w := range toks[i+1:] {
				for g := range v.cols {
					if !v.cols[g].numeric && !v.cols[g].time && v.cols[g].match([]token{w}) > 0.5 {
						return g
					}
				}
			}
		}
	}
	if !chained {
		return -1
	}
	for g := range v.cols {
		if col := v.cols[g]; col.info.Type == "text" && col.info.Role != "identifier" {
			return g
		}
	}
	return -1
}
