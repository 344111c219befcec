package offline

import (
	"fmt"
	"slices"
	"strings"

	"catena/planner/plan"
)

// Words that mean what was sent: "the attached table", "this file", "in my spreadsheet".
var (
	fileWords = plan.WordSet("file files table tables spreadsheet spreadsheets sheet sheets csv excel workbook attachment attachments upload uploads data dataset document paste")
	sentWords = plan.WordSet("attached uploaded pasted enclosed above below following given provided")
	thisWord  = plan.WordSet("this that these those my our")
	filePlace = plan.WordSet("in of from on for about inside within")
	itWords   = plan.WordSet("it this these them that")
	// showWords are all that a message needs to have besides to ask for the rows as they are.
	showWords = plan.WordSet("show display give list print open view see what whats is are s inside in contain contains me us please the a contents content of does do can you could tell about have there all whole entire rows")
)

// attached plans a message against the tables that came with it, before any other table is thought of: what was just sent is what
// is meant where its words fit. Where the message names what was sent ("this file"), nothing else is asked, and without an
// attachment the newest upload is meant. ok is false when the other tables and tools are to answer.
func (o *Planner) attached(s *session, toks []token) (plan.Plan, bool) {
	came := slices.DeleteFunc(slices.Clone(s.req.Tables), func(t plan.TableInfo) bool { return !t.Attached })
	message, named := withoutPointers(s.req.Message, toks, len(came) > 0)
	if len(came) == 0 && named {
		if came = newestUpload(s.req.Tables); len(came) == 0 {
			came = onlyFile(s.req.Tables)
		}
	}
	if len(came) == 0 {
		return plan.Plan{}, false
	}
	sub := *s
	sub.req.History, sub.req.Message, sub.notes = nil, message, nil
	sub.req.Tables, sub.req.Tools = notAttached(came), dataTools(s.req.Tools)
	left := tokenize(message)
	if p, ok := o.described(s, came, left); ok && named {
		return p, true
	}
	if named && !slices.ContainsFunc(left, func(t token) bool { return t.kind != markToken && !showWords[t.low] }) {
		return rowsOf(title(s.req.Message), came), true
	}
	p := o.plan(&sub)
	if len(p.Steps) == 0 && !named && !sub.settled(left) {
		return plan.Plan{}, false
	}
	p.Title = title(s.req.Message)
	s.notes = append(s.notes, sub.notes...)
	return p, true
}

// described tells of tables what they hold: "what is in" shows their columns before their rows, "summarize" their figures. ok is false
// where more is asked, or the tool for it is not there.
func (o *Planner) described(s *session, tables []plan.TableInfo, left []token) (plan.Plan, bool) {
	const most = 4
	sums, asks := false, false
	for _, t := range left {
		switch {
		case t.kind == markToken:
		case summaryWords[t.low]:
			sums = true
		case t.low == "what" || t.low == "whats" || t.low == "about":
			asks = true
		case !showWords[t.low]:
			return plan.Plan{}, false
		}
	}
	tool, argument := "describe_table", "table"
	if sums {
		tool, argument = "summarize_table", "data"
	}
	if !sums && !asks || o.catalogue(s).byName(tool) == nil {
		return plan.Plan{}, false
	}
	p := plan.Plan{Title: title(s.req.Message), Confidence: 0.9}
	add := func(tool string, args map[string]any) {
		id := fmt.Sprintf("s%d", len(p.Steps)+1)
		p.Steps = append(p.Steps, plan.Step{ID: id, Tool: tool, Args: args})
		p.Answer = append(p.Answer, plan.Ref{Step: id})
	}
	for _, t := range tables[:min(len(tables), most)] {
		add(tool, map[string]any{argument: t.Name})
		if !sums {
			add(queryTool, plan.Query{Table: t.Name}.Args())
		}
	}
	return p, true
}

// summaryWords ask for an overview.
var summaryWords = plan.WordSet("summarize summarise summary overview describe description profile")

// settled reports whether the tables of the session explain the whole message, so that its question back or refusal counts.
func (s *session) settled(toks []token) bool {
	got := s.alone(toks)
	return got != nil && len(got.unknown) == 0 && len(got.r.mentions) > 0 && (got.ask.unclear != "" || got.ask.cannot != "")
}

// withoutPointers blanks the words that mean what was sent, and reports whether there are any. "It" and "the table" are such words
// only beside an attachment.
func withoutPointers(message string, toks []token, came bool) (string, bool) {
	out, found := []byte(message), false
	for i := 0; i < len(toks); i++ {
		end := pointerAt(toks, i, came)
		if end == i {
			continue
		}
		from := i
		if i > 0 && filePlace[toks[i-1].low] {
			from--
		}
		for at := toks[from].start; at < toks[end-1].end; at++ {
			out[at] = ' '
		}
		i, found = end-1, true
	}
	return string(out), found
}

// pointerAt gives the end of the words at i that mean what was sent; i where there are none.
func pointerAt(toks []token, i int, came bool) int {
	at := func(j int) string {
		if j < len(toks) && toks[j].kind == wordToken && !toks[j].code {
			return toks[j].low
		}
		return ""
	}
	j, sure := i, false
	switch {
	case thisWord[at(j)]:
		j, sure = j+1, true
	case at(j) == "the":
		j, sure = j+1, came
	}
	if sentWords[at(j)] && fileWords[at(j+1)] {
		j, sure = j+1, true
	}
	if sure && fileWords[at(j)] {
		for fileWords[at(j)] { // "this csv file"
			j++
		}
		return j
	}
	if next := at(i + 1); came && itWords[at(i)] && (next == "" || next == "by" || next == "as") {
		return i + 1
	}
	if came && at(i) == "it" {
		return i + 1
	}
	return i
}

// newestUpload is what "this file" means without an attachment: the tables of the file that was uploaded last.
func newestUpload(tables []plan.TableInfo) []plan.TableInfo {
	i := slices.IndexFunc(tables, func(t plan.TableInfo) bool { return t.Source == "upload" })
	if i < 0 {
		return nil
	}
	return tables[i : i+1]
}

// onlyFile is what "this file" means where nothing was sent: the tables of the one file that there is.
func onlyFile(tables []plan.TableInfo) []plan.TableInfo {
	var out []plan.TableInfo
	for _, t := range tables {
		if t.Live {
			continue
		}
		if t.Source == "demo" || len(out) > 0 && t.Source != out[0].Source {
			return nil
		}
		out = append(out, t)
	}
	return out
}

// notAttached are copies that a plan of their own can be made for.
func notAttached(tables []plan.TableInfo) []plan.TableInfo {
	out := slices.Clone(tables)
	for i := range out {
		out[i].Attached = false
	}
	return out
}

// dataTools are the tools that work on tables, whatever they are about.
func dataTools(all []plan.Tool) []plan.Tool {
	return slices.DeleteFunc(slices.Clone(all), func(t plan.Tool) bool {
		return t.Toolset != toolkitName || strings.Contains(t.Name, "__")
	})
}

// rowsOf shows tables as they are.
func rowsOf(name string, tables []plan.TableInfo) plan.Plan {
	const most = 8
	p := plan.Plan{Title: name, Confidence: 0.9}
	for i, t := range tables[:min(len(tables), most)] {
		id := "s" + string(rune('1'+i))
		p.Steps = append(p.Steps, plan.Step{ID: id, Tool: queryTool, Args: plan.Query{Table: t.Name}.Args()})
		p.Answer = append(p.Answer, plan.Ref{Step: id})
	}
	return p
}
