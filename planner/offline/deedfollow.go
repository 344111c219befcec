package offline

import (
	"slices"

	"catena/planner/plan"
)

// samePhrases are messages that ask the same of something else: "and what about Initech?".
var samePhrases = []phrase{newPhrase("and|but? what|how about|of *"), newPhrase("and|also|then for|of|on|about|between? *"), newPhrase("same for|with *")}

// again plans a message that says the last message's meaning of something else, that means what the last answer showed ("how
// complex are they?"), or that changes a question about a live table.
func (o *Planner) again(s *session, toks []token, live []*view) (plan.Plan, bool) {
	last := s.lastTurn()
	if last == nil {
		return plan.Plan{}, false
	}
	if s.asksLive(last, live) && s.startsBack(toks) {
		return o.liveQuestion(s, toks, live)
	}
	for _, loose := range []bool{false, true} {
		for _, sp := range s.meanings(toks, loose, false) {
			if c := o.newChain(s, toks); pointed(sp.object) && c.mean(sp) {
				return c.plan(), true
			}
		}
	}
	for i := range samePhrases {
		object, ok := samePhrases[i].match(toks)
		if !ok {
			continue
		}
		if own := s.alone(object); own != nil && own.ok {
			return plan.Plan{}, false // a question of its own
		}
		return o.sameOf(s, last, object)
	}
	return plan.Plan{}, false
}

// lastTurn is the last turn that had a plan, nil without one.
func (s *session) lastTurn() *plan.Turn {
	for i := len(s.req.History) - 1; i >= 0; i-- {
		if p := s.req.History[i].Plan; p != nil && len(p.Steps) > 0 {
			return &s.req.History[i]
		}
	}
	return nil
}

// asksLive reports whether a turn asked a live table.
func (s *session) asksLive(t *plan.Turn, live []*view) bool {
	step := t.Plan.Steps[0]
	name, _ := step.Args["table"].(string)
	return step.Tool == queryTool && slices.ContainsFunc(live, func(v *view) bool { return v.info.Name == name })
}

// sameOf carries out what the last message meant, for another object. What is told is never told again by guess.
func (o *Planner) sameOf(s *session, last *plan.Turn, object []token) (plan.Plan, bool) {
	before := tokenize(last.Message)
	for _, loose := range []bool{false, true} {
		for _, sp := range readMeanings(before, loose, false) {
			if sp.m.slot != phraseSlot && sp.m.slot != thingSlot && sp.m.slot != patternSlot && sp.m.slot != namesSlot {
				continue
			}
			c := o.newChain(s, object)
			sp.object, sp.all = object, object
			if !c.mean(sp) {
				continue
			}
			called := c.steps[len(c.steps)-1].Tool
			if slices.ContainsFunc(last.Plan.Steps, func(st plan.Step) bool { return st.Tool == called }) {
				return c.plan(), true
			}
		}
	}
	return plan.Plan{}, false
}

// shownColumn adds a query for the column of a table that the last answer showed, and refers an argument to it.
func (d *doing) shownColumn(p *param) bool {
	if n := len(d.c.s.req.History); n > 0 && d.c.cat.byName(queryTool) != nil {
		for _, t := range d.c.s.req.History[n-1].Tables {
			shown := toolFacts{columns: t.Columns}
			column := shown.columnFor(*p)
			if column == "" || t.Handle == "" {
				continue
			}
			q := plan.Query{Table: t.Handle, Select: []plan.Select{{Column: column}}, Distinct: true}
			d.each = d.pass(*p, d.c.add(queryTool, q.Args()), column, true)
			return true
		}
	}
	return false
}
