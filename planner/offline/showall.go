package offline

import (
	"fmt"
	"slices"
	"strings"

	"catena/planner/plan"
)

// Words of a message that asks for a whole table and nothing else.
var (
	allVerbs = plan.WordSet("show list display print give see view get")
	allWords = plan.WordSet("all everything me us the whole entire full of please data rows row table records record entries file content contents every each it")
)

// showAll answers "show all" and "list everything": the rows of the one table there is, or of what came with the message. Of several
// tables it asks which. What an earlier answer showed is left to the follow-ups.
func (s *session) showAll(toks []token) (plan.Plan, bool) {
	verb, all := false, false
	for _, t := range toks {
		switch {
		case t.kind == markToken:
		case allVerbs[t.low] && !verb:
			verb = true
		case t.kind == wordToken && !allWords[t.low] && s.rowsOfOwn(t.lemma):
			all = true
		case !allWords[t.low]:
			return plan.Plan{}, false
		}
		all = all || t.low == "all" || t.low == "everything" || t.low == "rows" || t.low == "table" || t.low == "data" || t.low == "file"
	}
	if !verb || !all || len(s.req.History) > 0 || len(s.views) == 0 {
		return plan.Plan{}, false
	}
	own := s.ownViews()
	if len(own) != 1 {
		if slices.ContainsFunc(toks, func(t token) bool { return t.low == "tables" }) {
			return plan.Plan{}, false
		}
		var names []string
		for _, v := range own[:min(len(own), 8)] {
			names = append(names, v.info.Name)
		}
		return plan.Plan{Clarify: fmt.Sprintf("Which table shall be shown: %s?", strings.Join(names, ", ")), Confidence: 0.5}, true
	}
	q := plan.Query{Table: own[0].info.Name}
	return plan.Plan{Title: title(s.req.Message), Confidence: 0.9, Answer: []any{plan.Ref{Step: "s1"}},
		Steps: []plan.Step{{ID: "s1", Tool: queryTool, Args: q.Args()}}}, true
}

// rowsOfOwn reports whether a noun means the rows of the one table that a person brought: orders, where each row is one.
func (s *session) rowsOfOwn(lemma string) bool {
	own := s.ownViews()
	return len(own) == 1 && own[0].numbersRows(lemma)
}

// ownViews are the tables that a person brought: what came with the message, else all but those of the demonstration where there
// are others.
func (s *session) ownViews() []*view {
	var attached, own []*view
	for _, v := range s.views {
		if v.info.Attached {
			attached = append(attached, v)
		}
		if v.info.Source != "demo" && !v.info.Live {
			own = append(own, v)
		}
	}
	switch {
	case len(attached) > 0:
		return attached
	case len(own) > 0:
		return own
	}
	return s.views
}
