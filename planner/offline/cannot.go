package offline

import (
	"fmt"
	"slices"
	"strings"

	"catena/planner/plan"
)

// elapsed refuses questions about the time between two columns of times, which no query computes: "how long does it take to
// close a ticket". A column of durations that the question names is another matter.
func (r *reader) elapsed(a *ask) {
	if r.v.time < 0 {
		return
	}
	long := slices.IndexFunc(r.toks, func(t token) bool { return t.low == "long" })
	if long <= 0 || r.low(long-1) != "how" {
		long = slices.IndexFunc(r.toks, func(t token) bool { return t.low == "time" || t.low == "days" || t.low == "hours" })
	}
	if long < 0 {
		return
	}
	for i := long + 1; i < len(r.toks); i++ {
		w := r.low(i - 1)
		if w != "to" && w != "until" && w != "till" && w != "before" && w != "being" && w != "get" && w != "gets" && w != "between" && w != "stay" && w != "remain" {
			continue
		}
		for c := range r.v.cols {
			col := &r.v.cols[c]
			if col.time && !col.year && len(col.names[0]) == 1 && sameAct(col.names[0][0], r.toks[i]) {
				from := r.v.cols[r.v.time].info.Name
				if c == r.v.time {
					from = "another time"
				}
				a.cannot = fmt.Sprintf("That is the time from %s to %s of each row. Differences of two times are not computed here, and no column holds them. Columns: %s.", from, col.info.Name, columnList(r.v))
				return
			}
		}
	}
}

// unsure refuses periods where the only dates are a column of text: day and month could not be told apart.
func (r *reader) unsure(a *ask) {
	if r.v.unread >= 0 && r.timed() {
		if c := r.unreadMeant(); c >= 0 {
			a.cannot = r.undated(c)
			return
		}
	}
	if r.v.time >= 0 {
		return
	}
	dated := slices.IndexFunc(r.v.cols, func(c viewColumn) bool {
		return c.info.Type == "text" && slices.ContainsFunc(c.names[0], func(w nameWord) bool { return w.lemma == "date" })
	})
	if dated < 0 {
		r.timeless(a)
		return
	}
	for i, t := range r.toks {
		if len(t.num) == 4 && len(t.text) == 4 && t.num >= "1900" && t.num <= "2100" && i > 0 && (r.low(i-1) == "in" || r.low(i-1) == "since") {
			a.cannot = r.undated(dated)
			return
		}
		if p := periodWords[t.lemma]; p != "" && p != "hour" && t.lemma != "date" && r.mentionAt(i, i+1) < 0 || monthNames[t.low] > 0 && t.low != "may" && t.low != "mar" {
			a.cannot = r.undated(dated)
			return
		}
	}
}

// timed reports whether the message speaks of a time or of periods.
func (r *reader) timed() bool {
	if len(r.dates) > 0 {
		return true
	}
	for i, t := range r.toks {
		k := r.mentionAt(i, i+1)
		if periodWords[t.lemma] != "" && (k < 0 || r.mentions[k].j-r.mentions[k].i > 1 && r.v.cols[r.mentions[k].col].info.Unread != "") || t.lemma == "trend" || t.low == "over" && r.low(i+1) == "time" {
			return true
		}
	}
	return false
}

// unreadMeant is the column of dates that stayed text where a time in the message can only be one of it: it is named, or there is no
// other column of times; -1 else.
func (r *reader) unreadMeant() int {
	for _, m := range r.mentions {
		if !m.value && r.v.cols[m.col].info.Unread != "" {
			return m.col
		}
	}
	if r.v.time < 0 {
		return r.v.unread
	}
	return -1
}

// timeless refuses totals by month, quarter or week of a table that has no times: the words must not be passed over.
func (r *reader) timeless(a *ask) {
	if len(r.unknown()) > 0 {
		return // what is not known at all is told instead
	}
	if a.cannot = r.unplaced(); a.cannot != "" {
		return
	}
	for i, t := range r.toks {
		w := r.low(i - 1)
		if (t.low == "month" || t.low == "quarter" || t.low == "week" || t.low == "year") && (w == "by" || w == "per" || w == "each") && r.mentionAt(i, i+1) < 0 {
			a.cannot = fmt.Sprintf("There is no column of dates here to cut into %ss. Dates that are text could not be read for sure: write them as 2026-03-09 and load the file again. Columns: %s.", t.low, columnList(r.v))
			return
		}
	}
}

func (r *reader) undated(c int) string {
	const mend = "so that they were not read as dates. Write them as 2026-03-09 and load the file again."
	switch name := r.v.cols[c].info.Name; r.v.cols[c].info.Unread {
	case plan.UnreadAmbiguous:
		return fmt.Sprintf("The dates in %s are ambiguous (day or month first), %s", name, mend)
	case plan.UnreadMixed:
		return fmt.Sprintf("The dates in %s are written in several ways, %s", name, mend)
	}
	return fmt.Sprintf("%s is text: its dates could not be read for sure, because day and month cannot be told apart or the forms differ. Write them as 2026-03-09 and load the file again.", r.v.cols[c].info.Name)
}

var (
	greetings = plan.WordSet("hello hi hey hallo moin morning afternoon evening greetings howdy")
	thanks    = plan.WordSet("thanks thank thx cheers merci danke")
	farewells = plan.WordSet("bye goodbye ciao")
	chatter   = plan.WordSet("you good very much so a lot there again ok okay great nice perfect cool for the help how are doing today see later and dear everyone all catena")
)

// smallTalk answers a greeting or thanks in a line with two questions that work here, "" for all other messages.
func (s *session) smallTalk(toks []token) string {
	said := ""
	for _, t := range toks {
		switch {
		case t.kind == markToken || chatter[t.low]:
		case said == "" && greetings[t.low]:
			said = "Hello!"
		case said == "" && thanks[t.low]:
			said = "You are welcome."
		case said == "" && farewells[t.low]:
			said = "Goodbye!"
		case greetings[t.low] || thanks[t.low] || farewells[t.low]:
		default:
			return ""
		}
	}
	if said == "" {
		return ""
	}
	if len(s.views) == 0 {
		return said + " Attach a file, and ask about what is in it."
	}
	v := s.views[0]
	for _, w := range s.views {
		if len(examples(w)) > len(examples(v)) || w.time >= 0 && len(w.measure) > 0 && (v.time < 0 || w.info.Rows > v.info.Rows) {
			v = w
		}
	}
	return fmt.Sprintf("%s Ask me about %s, for example %s.", said, tableList(s.req.Tables), strings.Join(examples(v), " or "))
}
