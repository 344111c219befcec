package tools

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"catena/planner/plan"
	"catena/table"
	"catena/table/load"
	"catena/tools/handle"
)

// EachColumn is the column that says which element of an each a row came from.
const EachColumn = "_each"

// each is the state of a step that runs once per element.
type each struct {
	elements []any
	results  []Result
	reasons  []string // "" for an element that went well
	codes    []string
	left     int
	attempts int // calls made for all elements
	started  bool
}

// prepareEach resolves the elements and makes a task of each, like of.
func (r *run) prepareEach(of task, waits bool) {
	i := of.step
	list, ok := r.elements(i)
	if !ok {
		return
	}
	tasks, bad, ok := r.elementTasks(of, list)
	if !ok || bad != nil && !r.flowDecided(i, *bad) {
		return
	}
	if waits && len(list) > 0 {
		if !r.decideApproval(i) {
			if !r.reached[i] {
				r.wait(i)
			}
			return
		}
		for n := range tasks {
			tasks[n].call.Approve = true
		}
	}
	e := &each{elements: list, results: make([]Result, len(list)), reasons: make([]string, len(list)), codes: make([]string, len(list)), left: len(list)}
	r.eaches[i] = e
	if len(list) == 0 {
		r.started(i)
		r.steps[i].Result = Result{Structured: []any{}, Notes: []string{"There was nothing to run it for: the list is empty."}}
		r.done(i, StepDone, "", "")
		return
	}
	r.beginElements(tasks)
}

// elements resolves what a step runs for, and ends the step where that is no list, or one beyond the limits.
func (r *run) elements(i int) (list []any, ok bool) {
	s := r.req.Plan.Steps[i]
	v, err := plan.Resolve(*s.Each, r.result, nil)
	if err != nil {
		r.end(i, StepFailed, refCode(err), "each: "+err.Error())
		return nil, false
	}
	list, ok = v.([]any)
	limit := r.x.opt.Limits.Each
	switch {
	case !ok:
		r.end(i, StepFailed, string(plan.TypeMismatch), fmt.Sprintf("each needs a list, and %s is none; refer to a column, as in s1.rows[*].id", s.Each))
		return nil, false
	case len(list) > limit:
		r.end(i, StepFailed, string(plan.OutOfRange), fmt.Sprintf("each would run %d times and %d is the limit; filter or limit the step before", len(list), limit))
		return nil, false
	}
	if r.calls += len(list); r.calls > r.x.opt.Calls {
		r.end(i, StepFailed, string(plan.OutOfRange), fmt.Sprintf("the run would make more than %d calls; filter or limit the steps before", r.x.opt.Calls))
		return nil, false
	}
	return list, true
}

// elementTasks makes a task of each element, like of, and notes the arguments; bad is the first value that may not flow where it would.
// It ends the step where the arguments of an element cannot be made.
func (r *run) elementTasks(of task, list []any) (tasks []task, bad *violation, ok bool) {
	i := of.step
	s := r.req.Plan.Steps[i]
	tasks = make([]task, len(list))
	all := make([]any, len(list))
	element := r.originsOf(*s.Each, nil)
	from := handle.AddOrigins(r.originsOf(s.Args, element), element...) // how many elements there are is theirs to say, too
	for n, el := range list {
		args, err := r.args(s, el)
		if err != nil {
			r.end(i, StepFailed, refCode(err), fmt.Sprintf("element %d: %v", n+1, err))
			return nil, nil, false
		}
		all[n] = args
		of.element, of.call = n, r.newCall(s, elementID(s.ID, n), args)
		of.call.Origins = from
		tasks[n] = of
		if v, found := r.checkFlows(s, of, args, element); found && bad == nil {
			bad = &v
		}
	}
	r.steps[i].Args = map[string]any{"each": all}
	return tasks, bad, true
}

// beginElements takes the ends of those tasks that are over already and readies the others.
func (r *run) beginElements(tasks []task) {
	var past []report
	for _, t := range tasks {
		if rep, over := r.recall(t); over {
			past = append(past, rep)
		} else {
			r.ready.add(t)
		}
	}
	if len(past) == len(tasks) {
		r.reuse(tasks[0], past[0])
	}
	for _, rep := range past {
		r.takeElement(rep)
	}
}

// elementID is the journal's id of the n-th element, counted from 0, of a step's each.
func elementID(step string, n int) string { return fmt.Sprintf("%s#%d", step, n+1) }

// takeElement takes in one element's end; the last one ends the step.
func (r *run) takeElement(rep report) {
	i, n := rep.task.step, rep.task.element
	e, s := r.eaches[i], &r.steps[i]
	e.results[n] = rep.res
	e.codes[n], e.reasons[n] = r.reason(rep)
	e.left--
	e.attempts += rep.attempt
	if done := len(e.elements) - e.left; e.left > 0 {
		r.emit(StepEvent{Step: s.ID, Tool: s.Tool, Status: StepStarted, Attempt: s.Attempt, Started: s.Started, Rows: -1,
			Progress: &Progress{Done: float64(done), Total: float64(len(e.elements))}})
		return
	}
	r.endEach(i, e)
}

func (r *run) endEach(i int, e *each) {
	failed, first := 0, -1
	for n, code := range e.codes {
		if code != "" {
			if failed++; first < 0 {
				first = n
			}
		}
	}
	total := len(e.elements)
	if slices.Contains(e.codes, CodeOutcomeUnknown) {
		r.steps[i].Attempt = r.attempts(task{step: i}) + e.attempts
	}
	if failed == total {
		status := StepFailed
		switch e.codes[first] {
		case "cancelled":
			status = StepCancelled
		case CodeOutcomeUnknown:
			status = StepPending
		}
		r.end(i, status, e.codes[first], e.reasons[first])
		return
	}
	res, err := r.gather(i, e)
	if err != nil {
		r.end(i, StepFailed, "failed", err.Error())
		return
	}
	r.steps[i].Result = res
	if failed == 0 {
		r.done(i, StepDone, "", "")
		return
	}
	r.done(i, StepPartial, e.codes[first], fmt.Sprintf("%d of %d elements failed, the first of them (%s) because: %s", failed, total, elementText(e.elements[first]), e.reasons[first]))
}

// gather makes one result of the elements' results: tables one below the other in the order of the elements, with a column
// that says which element a row is of; anything else as a list.
func (r *run) gather(i int, e *each) (Result, error) {
	ctx, work := table.WithWork(r.ctx, r.x.reg.opt.Memory)
	defer work.End()
	out := Result{}
	var tables []*table.Table
	var list []any
	var empty []string // what was said where there are no rows
	allTables, some := true, slices.ContainsFunc(e.results, func(res Result) bool { return res.Table != nil })
	for n, res := range e.results {
		if e.codes[n] != "" {
			continue
		}
		out.Name, out.Untrusted = res.Name, out.Untrusted || res.Untrusted
		out.Origins = handle.AddOrigins(out.Origins, res.Origins...)
		if res.AsOf.After(out.AsOf) {
			out.AsOf = res.AsOf
		}
		out.Hide, out.Signed, out.Notes = union(out.Hide, res.Hide), union(out.Signed, res.Signed), union(out.Notes, res.Notes)
		out.Charts = append(out.Charts, res.Charts...)
		made := res.Table
		if made == nil {
			v, err := value(&e.results[n])
			if err != nil {
				return Result{}, fmt.Errorf("the result of element %d is no JSON: %w", n+1, err)
			}
			list = append(list, v)
			if made, err = besideTables(v); !some || err != nil {
				allTables = false
				continue
			}
			if made == nil {
				continue
			}
		} else {
			list = append(list, res.Handle)
		}
		tab, err := withElement(made.In(ctx), e.elements[n])
		if err != nil {
			return Result{}, fmt.Errorf("the table of element %d: %w", n+1, err)
		}
		tables = append(tables, tab)
		if tab.NumRows() == 0 {
			empty = append(empty, emptyText(&res, e.elements[n]))
		}
	}
	if !allTables {
		out.Structured = e.plain(list)
		return out, nil
	}
	tab, err := table.Concat(tables...)
	if err != nil {
		return Result{}, fmt.Errorf("the elements' tables do not fit together: %w", err)
	}
	if out.Table = tab; len(tables) > 1 {
		out.tellEmpty(empty)
	}
	s := r.steps[i]
	out.Handle, err = r.x.reg.opt.Tables.Put(r.ctx, r.req.Caller, handle.Meta{Name: out.Name, Tool: s.Tool, Step: s.ID, Run: r.req.Run,
		Session: r.req.Session, From: r.from(list), Hide: out.Hide, Signed: out.Signed, AsOf: out.AsOf, Untrusted: out.Untrusted, Origins: out.Origins, Notes: out.Notes}, tab)
	if errors.Is(err, handle.ErrQuota) {
		return Result{}, err
	} else if err != nil {
		return Result{}, fmt.Errorf("keeping the table: %w", err)
	}
	return out, nil
}

var errNoRecords = errors.New("no records")

// besideTables makes a table of a result that is none where others are: of one thing, or of few; nil for nothing.
func besideTables(v any) (*table.Table, error) {
	records, ok := plan.Records(v)
	if !ok {
		return nil, errNoRecords
	}
	if len(records) == 0 {
		return nil, nil
	}
	return load.Any(records, table.Limits{})
}

// plain are the elements' results with the texts that tables were read from in place of their handles.
func (e *each) plain(list []any) []any {
	out, written := slices.Clone(list), map[string]string{}
	for _, res := range e.results {
		if res.Handle != "" && res.Written != "" {
			written[res.Handle] = res.Written
		}
	}
	for i, v := range out {
		if handle, ok := v.(string); ok && written[handle] != "" {
			out[i] = written[handle]
		}
	}
	return out
}

// emptyText is what an element's result says of having no rows.
func emptyText(res *Result, element any) string {
	if text := strings.TrimSpace(res.Text); text != "" && len(text) <= 300 && !strings.Contains(text, "\n") {
		return text
	}
	return "There is nothing for " + elementText(element) + "."
}

// tellEmpty says for which elements there are no rows: as the text where there are none at all, else as notes.
func (res *Result) tellEmpty(said []string) {
	const most = 10
	if more := len(said) - most; more > 0 {
		said = append(said[:most:most], fmt.Sprintf("%d more have no rows either.", more))
	}
	if res.Table.NumRows() == 0 {
		res.Text = strings.Join(said, " ")
		return
	}
	res.Notes = union(res.Notes, said)
}

// from gives the toolsets that the elements' tables came from.
func (r *run) from(handles []any) []string {
	ctx, from := handle.WithReads(r.ctx)
	for _, h := range handles {
		if handle, ok := h.(string); ok {
			_, _ = r.x.reg.opt.Tables.Meta(ctx, r.req.Caller, handle) // one that is gone already says nothing more
		}
	}
	return from.Toolsets()
}

// withElement adds the column that names the element, unless a nested each did so already.
func withElement(t *table.Table, element any) (*table.Table, error) {
	if t.Index(EachColumn) >= 0 {
		return t, nil
	}
	cells, text := t.NewValues(), table.TextValue(elementText(element))
	for row := range t.Rows() {
		cells[row] = text
	}
	return t.WithColumn(table.Column{Name: EachColumn, Type: table.Text}, cells)
}

// elementText is an element as the column shows it: a text or number as it is, anything else as JSON, cut at 200 bytes.
func elementText(v any) string {
	const most = 200
	var text string
	switch x := v.(type) {
	case string:
		text = x
	case json.Number:
		text = x.String()
	default:
		b, err := canonical(v)
		if err != nil {
			return "?"
		}
		text = string(b)
	}
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "..."
	}
	return text
}

func union(a, b []string) []string {
	for _, s := range b {
		if !slices.Contains(a, s) {
			a = append(a, s)
		}
	}
	return a
}
