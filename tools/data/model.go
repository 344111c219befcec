package data

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"catena/internal/access"
	"catena/query/semantic"
	"catena/table"
)

// maxModelTables bounds the tables that a model is made of: the first ones that are listed.
const maxModelTables = 500

// maxModels is how many models are kept: callers with uploads have one each.
const maxModels = 16

// modelEntry is a model that is kept. It keeps no table alive.
type modelEntry struct {
	mu    sync.Mutex
	model *semantic.Model // nil until it is made
}

// model says what the tables mean that a caller may read: made when it is first asked for, and kept until they change.
func (k *Toolkit) model(ctx context.Context, c access.Caller, session string) (*semantic.Model, error) {
	return k.modelOf(ctx, k.list(c, session))
}

// modelOf says what tables mean that a caller may read.
func (k *Toolkit) modelOf(ctx context.Context, list []SourceTable) (*semantic.Model, error) {
	list = list[:min(len(list), maxModelTables)]
	var key strings.Builder
	for _, t := range list {
		fmt.Fprintf(&key, "%s\x00%s\x00%q\x00", t.Name, t.Table.Fingerprint(), t.input().Declared)
	}
	e := k.models.At(key.String(), func() *modelEntry { return &modelEntry{} })
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.model != nil {
		return e.model, nil
	}
	inputs := make([]semantic.Input, len(list))
	for i, t := range list {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		inputs[i] = t.input()
		inputs[i].Columns = k.describe(ctx, t)
	}
	m, err := semantic.Infer(ctx, inputs)
	if err != nil {
		return nil, err
	}
	uploaded := map[string]bool{}
	for _, t := range list {
		uploaded[t.Name] = t.Source == sourceUpload
	}
	e.model = k.opt.Sources.said(m, func(table string) bool { return !uploaded[table] })
	return e.model, nil
}

// said is a model with what the operator's model files say of the tables that own allows.
func (s *Sources) said(m *semantic.Model, own func(table string) bool) *semantic.Model {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, f := range s.models {
		m = m.With(f, own)
	}
	return m
}

// loadModel reads a model file of the operator's.
func (s *Sources) loadModel(path string) error {
	d, notes, err := ReadModel(path)
	if err != nil {
		return err
	}
	if found := d.Check(nil); len(found) > 0 {
		return &table.FormatError{Source: path, Reason: found[0].String(), Hint: "catena model check tells all that is wrong with it"}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.models = append(s.models, d)
	if len(notes) > 0 {
		return &table.FormatError{Source: path, Reason: notes[0], Hint: "the rest of the file is used"}
	}
	return nil
}

// ReadModel reads a model file, in Ossie's form or dbt's; see semantic.Read. The error is a *table.FormatError.
func ReadModel(path string) (d *semantic.Document, notes []string, err error) {
	const most = 4 << 20 // bytes, as semantic.Read has it
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, &table.FormatError{Source: path, Reason: "the file cannot be read", Hint: "check the path and its permissions", Err: err}
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil {
		d, notes, err = semantic.Read(text)
	}
	if err != nil {
		return nil, nil, &table.FormatError{Source: path, Reason: err.Error(), Hint: "docs/data.md shows the form", Err: err}
	}
	return d, notes, nil
}

// Meaning is the model of the tables that everybody may ask about.
func (s *Sources) Meaning(ctx context.Context) (*semantic.Model, error) {
	list := s.List(access.Caller{}, "")
	inputs := make([]semantic.Input, min(len(list), maxModelTables))
	for i := range inputs {
		inputs[i] = list[i].input()
	}
	m, err := semantic.Infer(ctx, inputs)
	if err != nil {
		return nil, err
	}
	return s.said(m, nil), nil
}

// input is what a model is made of: the table, and the keys that its file or database declares.
func (t SourceTable) input() semantic.Input {
	in := semantic.Input{Name: t.Name, Table: t.Table, Sample: t.Remote != nil && t.Table.NumRows() < t.Remote.Rows}
	if t.Declared != nil {
		in.Declared = *t.Declared
	}
	return in
}

// references says what columns of a table refer to, by the sure relationships of a model.
func references(m *semantic.Model, table string) map[string]string {
	out := map[string]string{}
	for _, r := range m.Of(table) {
		if !r.Usable() || !strings.EqualFold(r.Left, table) {
			continue
		}
		for i, c := range r.LeftColumns {
			out[c] = r.Right + "." + r.RightColumns[i]
		}
	}
	return out
}

// relatedTables says which columns of a table refer to which of others, in a line.
func relatedTables(m *semantic.Model, table string) string {
	var parts []string
	for _, r := range m.Of(table) {
		if r.Usable() && strings.EqualFold(r.Left, table) {
			parts = append(parts, strings.Join(r.LeftColumns, ", ")+" -> "+r.Right+"."+strings.Join(r.RightColumns, ", "))
		}
	}
	return strings.Join(parts, "; ")
}

// meaningNotes say what a row of a table is, and which tables refer to it or may do so.
func meaningNotes(m *semantic.Model, table string) []string {
	e, ok := m.Entity(table)
	if !ok {
		return nil
	}
	var out []string
	if len(e.Key) > 0 {
		note := "A row is one " + e.Singular + ", identified by " + strings.Join(e.Key, " and ")
		if e.Name != "" && !slices.Contains(e.Key, e.Name) {
			note += " and called by " + e.Name
		}
		out = append(out, note+".")
	}
	if len(e.Synonyms) > 0 {
		out = append(out, "Also called "+joinWords(e.Synonyms)+".")
	}
	for _, r := range m.Of(table) {
		switch {
		case !r.Usable():
			out = append(out, "Perhaps related, which nothing is joined by unasked: "+r.String()+".")
		case strings.EqualFold(r.Right, table) && !strings.EqualFold(r.Left, table):
			out = append(out, "Referred to by "+r.Left+"."+strings.Join(r.LeftColumns, ", ")+".")
		}
	}
	return out
}

// addsUp says how a column's values are put together; "" where that is not known.
func addsUp(e semantic.Entity, column string) string {
	f, _ := e.Field(column)
	return string(f.Adds)
}

// fieldSynonyms are other names of a column.
func fieldSynonyms(e semantic.Entity, column string) string {
	f, _ := e.Field(column)
	return strings.Join(f.Synonyms, ", ")
}
