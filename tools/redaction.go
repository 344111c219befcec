package tools

import (
	"context"
	"errors"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/table"
)

// mostLooked is how many cells of a result's table are looked at for secrets of the program: what tools read of texts and repositories is
// smaller; what is larger are data, which come from files that hold no secrets of the program.
const mostLooked = 200_000

// CodeWithheld is the code of a result that holds a secret of the program.
const CodeWithheld = "withheld"

// hidden is a result without secrets of the program, wherever in it they stand. A table that holds one is refused as a whole: a cell cannot be
// told from data. So is a question whose state holds one, which has to come back as it is.
func (r *Registry) hidden(e *entry, res Result) Result {
	hide := r.opt.Hide
	if hide == nil {
		return res
	}
	clean, found := cleaned(hide, res)
	if res.Table != nil && (found && large(res.Table) || tells(res.Table, hide)) {
		return Failed(CodeWithheld, e.Def.Name+" gave a table that holds a secret of this program's settings, so it is not given out. Take the secret out of what it reads.")
	}
	if res.Needs != nil && clean.Needs.State != res.Needs.State {
		return Failed(CodeWithheld, e.Def.Name+" asks a question with a secret of this program's settings in its state, so it is not asked.")
	}
	return clean
}

// hiddenData is what leaves the registry beside results, without secrets.
func hiddenData[T any](r *Registry, v T) T {
	if r.opt.Hide == nil {
		return v
	}
	v, _ = cleaned(r.opt.Hide, v)
	return v
}

// hideReports has what a running call tells its asker pass without secrets.
func (r *Registry) hideReports(call *Call) {
	if r.opt.Hide == nil {
		return
	}
	if f := call.Progress; f != nil {
		call.Progress = func(p Progress) { f(hiddenData(r, p)) }
	}
	if f := call.Log; f != nil {
		call.Log = func(e LogEntry) { f(hiddenData(r, e)) }
	}
	if f := call.Updated; f != nil {
		call.Updated = func(uri string) { f(hiddenData(r, uri)) }
	}
}

// hideSuggestions is a Suggester whose suggestions have no secrets.
func (r *Registry) hideSuggestions(f Suggester) Suggester {
	return func(ctx context.Context, call CompleteCall) (Completion, error) {
		out, err := f(ctx, call)
		return hiddenData(r, out), r.hiddenError(err)
	}
}

// hiddenTools are tools whose definitions have no secrets: a server may repeat what it was sent.
func (r *Registry) hiddenTools(list []Tool) []Tool {
	list = slices.Clone(list)
	for i := range list {
		list[i].Def, list[i].Raw = hiddenData(r, list[i].Def), hiddenData(r, list[i].Raw)
	}
	return list
}

// hiddenResources is hiddenTools for resources and templates, and for those that a template lists.
func (r *Registry) hiddenResources(list []Resource) []Resource {
	list = slices.Clone(list)
	for i := range list {
		list[i].Def, list[i].Template = hiddenData(r, list[i].Def), hiddenData(r, list[i].Template)
		if f := list[i].Listed; f != nil {
			list[i].Listed = func(owner string) []mcp.Resource { return hiddenData(r, f(owner)) }
		}
	}
	return list
}

// hiddenPrompts is hiddenTools for prompts.
func (r *Registry) hiddenPrompts(list []Prompt) []Prompt {
	list = slices.Clone(list)
	for i := range list {
		list[i].Def = hiddenData(r, list[i].Def)
	}
	return list
}

func large(t *table.Table) bool { return t.NumRows()*t.NumCols() > mostLooked }

// tells reports whether a cell of a table holds a secret.
func tells(t *table.Table, hide func(string) string) bool {
	if large(t) {
		return false
	}
	for c := range t.NumCols() {
		if t.Column(c).Type != table.Text {
			continue
		}
		for i := range t.NumRows() {
			if text := t.Value(i, c).Text(); hide(text) != text {
				return true
			}
		}
	}
	return false
}

// hidingError is an error whose text has no secrets. It unwraps to the error as it was, for errors.Is; what errors.As finds in it is without
// secrets too.
type hidingError struct {
	text string
	err  error
	hide func(string) string
}

// Error is the text without secrets.
func (e *hidingError) Error() string { return e.text }

// Unwrap is the error as it was.
func (e *hidingError) Unwrap() error { return e.err }

// As finds an error of the target's type, without secrets.
func (e *hidingError) As(target any) bool {
	if !errors.As(e.err, target) {
		return false
	}
	cleanTarget(e.hide, target)
	return true
}

// hiddenError is an error whose text has no secrets, nor what errors.As finds in it.
func (r *Registry) hiddenError(err error) error {
	if err == nil || r.opt.Hide == nil {
		return err
	}
	text := err.Error()
	clean, _ := cleaned(r.opt.Hide, text)
	var asks *NeedsError
	if clean != text || errors.As(err, &asks) {
		return &hidingError{clean, err, r.opt.Hide}
	}
	return err
}

// hiddenNeeds is a question before a resource is read, without secrets; one whose state holds a secret is not asked.
func (r *Registry) hiddenNeeds(asks *NeedsError) error {
	clean := hiddenData(r, asks)
	if clean.Needs != nil && clean.Needs.State != asks.Needs.State {
		return &UnansweredError{asks.Name + " asks a question with a secret of this program's settings in its state, so it is not asked."}
	}
	return clean
}
