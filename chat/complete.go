package chat

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"catena/internal/access"
	"catena/internal/text"
	"catena/planner/plan"
	"catena/tools"
)

// completeness says what is missing from the answer, and which servers were not there: one that the message names is a
// part that is missing. One that it does not name spoils no answer, but is told.
func (t *turn) completeness(steps []tools.StepResult) Completeness {
	servers := t.opts.Catalogue.DownFor(t.caller)
	names := slices.Sorted(maps.Keys(servers))
	var beside, others []string
	for _, name := range names {
		said := fmt.Sprintf("The server %s is down (%s), so its tools could not be used.", name,
			strings.TrimSuffix(cmp.Or(servers[name], "it is being started"), "."))
		if t.names(name) {
			t.lack(said)
		} else {
			beside, others = append(beside, said), append(others, name)
		}
	}
	if len(others) > 1 { // it stands in every answer; Down has them all
		const most = 3
		said := fmt.Sprintf("%d servers are down, so their tools could not be used: %s", len(others),
			strings.Join(others[:min(len(others), most)], ", "))
		if more := len(others) - most; more > 0 {
			said += fmt.Sprintf(" and %d more", more)
		}
		beside = []string{said + "."}
	}
	beside = append(beside, t.held()...)
	if t.opts.Warnings != nil {
		beside = append(beside, t.opts.Warnings(t.caller.ID)...)
	}
	c := t.lacking(steps, beside)
	c.Down = names
	return c
}

// names reports whether the message speaks of a server, or of one of its tools, by name. A word that is the name of a
// table speaks of that.
func (t *turn) names(server string) bool {
	name := folded(server)
	if name == "  " || slices.ContainsFunc(t.ask.Tables, func(info plan.TableInfo) bool { return folded(info.Name) == name }) {
		return false
	}
	return strings.Contains(folded(t.req.Message), name)
}

// folded is a text for finding words in it.
func folded(text string) string { return " " + strings.Join(plan.FoldWords(text), " ") + " " }

// lacking says what is missing from the answer, the worst first: an index, parts, rows, recent data. Beside that stands
// what of servers could not be used.
func (t *turn) lacking(steps []tools.StepResult, down []string) Completeness {
	says := func(state string, details ...string) Completeness {
		return Completeness{State: state, Detail: strings.Join(slices.Concat(details, down), " ")}
	}
	unread := notIndexed(steps)
	switch {
	case unread != "":
		return says("not_indexed", unread)
	case len(t.missing) > 0:
		return says("partial", t.missing...)
	case t.resp.Outcome == OutcomeError || t.resp.Outcome == OutcomeApproval:
		return says("partial", "Not all steps were run.")
	case t.resp.Outcome != OutcomeAnswer || len(steps) == 0:
		if len(down) > 0 {
			return says("unknown")
		}
		return says("complete", "Nothing had to be run.")
	}
	cut, whole := t.rowsShown()
	if cut = slices.Concat(t.cut, cut); len(cut) > 0 {
		return says("truncated", cut...)
	}
	if date := t.outrun(steps); !date.IsZero() {
		return says("stale", fmt.Sprintf("The data are of %s, and what they were made of has changed since.",
			date.UTC().Format("2 January 2006 15:04 MST")))
	}
	if date := t.oldest(steps); !date.IsZero() {
		return says("stale", fmt.Sprintf("The data are as of %s.", date.Format("2 January 2006")))
	}
	return says("complete", whole...)
}

// rowsShown says of which tables the answer shows only some rows, and which it shows as far as the message asked.
func (t *turn) rowsShown() (cut, whole []string) {
	for _, at := range t.resp.Tables {
		switch {
		case at.Truncated:
			where := "the links have all"
			if at.Handle == "" {
				where = "max_rows shows more"
			}
			cut = append(cut, fmt.Sprintf("%s of %s rows are shown%s; %s.", text.Thousands(at.RowCount),
				text.Thousands(t.rowsKept(at)), of(at.Title), where))
		case at.RowCount < at.TotalRows:
			whole = append(whole, fmt.Sprintf("The %s asked for, of %s%s.", text.Count(at.RowCount, "row"),
				text.Thousands(at.TotalRows), of(at.Title)))
		}
	}
	return cut, whole
}

// rowsKept is how many rows of a shown table can be read under its handle, or would be shown where it has none.
func (t *turn) rowsKept(at AnswerTable) int {
	kept := at.TotalRows
	for _, s := range t.shown {
		if s.Handle == at.Handle && at.Handle != "" {
			kept = s.Rows
		}
	}
	return kept
}

func of(title string) string {
	if title == "" {
		return ""
	}
	return " (" + title + ")"
}

// held says which tools of servers wait for a person's review.
func (t *turn) held() []string {
	held := t.opts.Catalogue.Quarantined()
	if len(held) == 0 {
		return nil
	}
	const most = 5
	named := strings.Join(held[:min(len(held), most)], ", ")
	if more := len(held) - most; more > 0 {
		named += fmt.Sprintf(" and %d more", more)
	}
	return []string{fmt.Sprintf("%s could not be used: quarantined until a person accepts what changed (catena tools "+
		"review).", named)}
}

// notIndexed says why a step found no index to read, "" where none did: nothing was ever indexed, or the first index is
// being made.
func notIndexed(steps []tools.StepResult) string {
	for _, s := range steps {
		if strings.EqualFold(s.Code, "index_not_found") || strings.EqualFold(s.Code, "index_not_ready") {
			return Plain(shorten(text.Capital(s.Error), maxReason))
		}
	}
	return ""
}

// outrun is the earliest date of a result from outside that tells one: what toolkits read of files has a date only
// while the files have changed since. Zero when there is none.
func (t *turn) outrun(steps []tools.StepResult) time.Time {
	var date time.Time
	for _, s := range steps {
		if asOf := s.Result.AsOf; s.Result.Untrusted && !asOf.Equal(t.asOf) {
			date = earlier(date, asOf)
		}
	}
	return date
}

// earlier is the first of two dates, of which a zero one says nothing.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// oldest is the earliest as-of date among the results that lies a day or more before the turn's now; zero when there is
// none.
func (t *turn) oldest(steps []tools.StepResult) time.Time {
	var date time.Time
	for _, s := range steps {
		if asOf := s.Result.AsOf; t.ask.Now.Sub(asOf) >= 24*time.Hour {
			date = earlier(date, asOf)
		}
	}
	return date
}

// fail makes the turn end with an error that a person can understand. What was found before is kept.
func (t *turn) fail(err error) {
	p := ProblemOf(err)
	if p.Code == "internal" || p.Code == "planning_failed" {
		t.opts.Log.Error("a turn failed", "run", t.req.RunID, "error", err.Error())
	}
	t.resp.Outcome, t.resp.Error = OutcomeError, p
	said := strings.TrimSpace(p.Detail + " " + p.Hint)
	t.text = append([]paragraph{{said, said}}, t.text...)
	t.lack(p.Detail)
	t.resp.Completeness = t.completeness(nil)
	if t.resp.Title == "" {
		t.resp.Title = shorten(t.req.Message, 80)
	}
	if t.resp.Intent == "" {
		t.resp.Intent, t.resp.PromptType = "direct", "general"
	}
}

// ProblemOf turns an error into what a person is told. Only errors made for people are quoted.
func ProblemOf(err error) *Problem {
	var input *InputError
	var findings plan.Findings
	var planning *planningError
	switch {
	case errors.As(err, &input):
		return input.Problem()
	case errors.Is(err, context.DeadlineExceeded):
		return &Problem{Code: "timeout", Detail: "The answer took too long and was stopped.",
			Hint: "Ask for less at a time."}
	case errors.Is(err, context.Canceled):
		return &Problem{Code: "cancelled", Detail: "The request was cancelled."}
	case errors.Is(err, access.ErrForbidden):
		return &Problem{Code: "forbidden", Detail: "You are not permitted to do this.",
			Hint: "Ask whoever runs this server."}
	case errors.As(err, &planning):
		return &Problem{Code: "planning_failed",
			Detail: "No plan could be made: " + strings.TrimSuffix(told(planning.err), ".") + ".",
			Hint:   "Try again, or ask in other words."}
	case errors.As(err, &findings):
		return &Problem{Code: "invalid_plan", Detail: "The plan cannot be run: " + told(findings) + ".",
			Hint: "Ask in other words."}
	}
	return &Problem{Code: "internal", Detail: "Something went wrong inside.",
		Hint: "Try again; the server's log has the reason under the run's id."}
}
