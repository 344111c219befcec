package data

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/internal/lru"
	"catena/internal/parallel"
	"catena/internal/text"
	"catena/planner/plan"
	"catena/profiler"
	"catena/table"
	"catena/table/load"
	"catena/tools"
	"catena/tools/data/pipeline"
	"catena/tools/handle"
)

// Toolset is the name that these tools are registered under.
const Toolset = "data"

// Model is one call to a language model without tools. It returns text only.
type Model func(ctx context.Context, system, prompt string) (string, error)

// Options are the parts of a toolkit. Sources and Tables are needed.
type Options struct {
	Sources *Sources
	Tables  *handle.Tables
	Live    LiveTables // the registry; nil: toolkits make no tables
	// Model gives the model of now, for extract and the prose of generate_insights; nil, or a nil Model, is none: extract
	// says how to configure one.
	Model func() Model
	// Policy decides whose plans and lists may go by the sources: those of who may call some tool over them. Nil lets all.
	Policy access.Policy
}

// Toolkit is the tools over tables, and what a chat turn asks of them: Describe, Values and Attach. It is safe for concurrent
// use.
type Toolkit struct {
	opt   Options
	reads []access.Target // the tools that read sources
	index IndexCache
	facts factCache

	models  *lru.Cache[string, *modelEntry] // by what their tables are called and hold
	shapes  *lru.Cache[shapeKey, plan.ResultShape]
	metrics metricList
}

// writer is the model of now, nil where there is none.
func (k *Toolkit) writer() Model {
	if k.opt.Model == nil {
		return nil
	}
	return k.opt.Model()
}

// New makes a toolkit.
func New(opt Options) *Toolkit {
	k := &Toolkit{
		opt: opt, facts: newFacts(maxDescribed), models: lru.New[string, *modelEntry](maxModels),
		shapes: lru.New[shapeKey, plan.ResultShape](maxShapes),
	}
	if k.opt.Policy == nil {
		k.opt.Policy = access.AllowAll{}
	}
	for _, t := range k.Tools() {
		a := t.Def.Annotations
		k.reads = append(k.reads, access.Target{Toolset: t.Toolset, Name: t.Def.Name, ReadOnly: a.ReadOnlyHint != nil && *a.ReadOnlyHint})
	}
	return k
}

// list gives the sources and uploads that a caller may read: without a right to any tool over tables, the caller's own uploads alone. What
// a plan, a question back or a list says of a table must not tell what the tools would not.
func (k *Toolkit) list(c access.Caller, session string) []SourceTable {
	all := k.opt.Sources.List(c, session)
	if slices.ContainsFunc(k.reads, func(t access.Target) bool { return k.opt.Policy.Allow(c, t) == nil }) {
		return all
	}
	return slices.DeleteFunc(all, func(t SourceTable) bool { return t.Source != sourceUpload })
}

// Describe returns the facts that a planner may see of the sources, of the session's uploads, and of the caller's live tables.
// The latter are not made for it: see plan.TableInfo.Live.
func (k *Toolkit) Describe(ctx context.Context, c access.Caller, session string) ([]plan.TableInfo, error) {
	tables := k.list(c, session)
	out := make([]plan.TableInfo, len(tables))
	for i, t := range tables {
		out[i] = k.facts.of(t)
	}
	return append(out, k.describeLive(ctx, c, tables)...), nil
}

// Values returns the finder of phrases over the sources and the session's uploads. What live tables hold is not looked through:
// it may be anybody's words, and a word of the message must not become a name in a memory.
func (k *Toolkit) Values(_ context.Context, c access.Caller, session string) plan.Values {
	tables := k.list(c, session)
	named := make([]table.Named, len(tables))
	for i, t := range tables {
		named[i] = table.Named{Name: t.Name, Table: t.Table}
		if t.Remote != nil && t.Remote.Values != nil {
			named[i].Table = t.Remote.Values
		}
	}
	return known{
		Index: k.index.Over(named), k: k, tables: tables,
		content: sync.OnceValue(func() string { return contentsOf(tables) }),
	}
}

// Attach loads a file sent with a message as tables of the session: see Sources.Attach. What the bytes hold decides how they are read, not
// the media type; the locale of who sends it, a BCP 47 tag or "", decides what they leave open. Notes say how the tables stand to the
// operator's: see againstSources.
func (k *Toolkit) Attach(ctx context.Context, c access.Caller, u tools.Upload) (tools.Uploaded, error) {
	leave, err := k.opt.Sources.turn(ctx, c, u)
	if err != nil {
		return tools.Uploaded{}, err
	}
	defer leave()
	if isSmall(u.Data) {
		return k.attach(ctx, c, u)
	}
	var done tools.Uploaded
	parallel.Aside(func() { done, err = k.attach(ctx, c, u) })
	return done, err
}

// attach is Attach in its turn.
func (k *Toolkit) attach(ctx context.Context, c access.Caller, u tools.Upload) (tools.Uploaded, error) {
	done, err := k.opt.Sources.Attach(ctx, c, u)
	for i, handle := range done.Handles {
		t, ferr := k.opt.Sources.Find(ctx, c, u.Session, handle)
		if err == nil {
			err = ferr
		}
		if err != nil {
			return done, err
		}
		t.Name = done.Tables[i]
		done.Infos = append(done.Infos, k.facts.of(t))
		done.Notes = append(done.Notes, k.againstSources(c, t)...)
	}
	return done, err
}

// factCache keeps what Describe found, by what a table holds: a turn must not scan all sources again. It keeps no table
// alive. Those of uploads are kept apart: who sends wide ones must not have the operator's tables scanned again.
type factCache struct {
	kept    *lru.Cache[factKey, *factEntry]
	uploads *lru.Cache[factKey, *factEntry]
}

const (
	// maxDescribed is of how many of the operator's and live tables, and of how many uploads, facts are kept.
	maxDescribed = 256
	// usualColumns is how many columns an upload counts for at least: the facts of each take a kilobyte, and a small
	// file may have thousands.
	usualColumns = 128
)

func newFacts(most int) factCache {
	return factCache{lru.New[factKey, *factEntry](most), lru.New[factKey, *factEntry](most * usualColumns)}
}

// factKey tells tables apart: by what they hold, a live one by caller, name and version. The facts of a trusted table hold values, which the same rows of somebody else must not get.
type factKey struct {
	fingerprint string
	trusted     bool
}

func newFactEntry() *factEntry { return &factEntry{} }

type factEntry struct {
	once     sync.Once
	info     plan.TableInfo
	profiled sync.Once
	meta     []profiler.ColumnMetadata
	counted  atomic.Int64 // rows of a live table and one; 0 while nobody has counted them
}

func (f *factCache) entry(t SourceTable) *factEntry {
	if t.key != "" {
		return f.at(factKey{fingerprint: t.key})
	}
	key := factKey{t.Table.Fingerprint(), t.Trusted}
	if t.Source != sourceUpload {
		return f.at(key)
	}
	return f.uploads.AtWeight(key, max(usualColumns, t.Table.NumCols()), newFactEntry)
}

// known gives what is kept under a key, nil when nothing is.
func (f *factCache) known(key factKey) *factEntry {
	e, _ := f.kept.Get(key)
	return e
}

// at gives what is kept under a key, making room for it.
func (f *factCache) at(key factKey) *factEntry {
	return f.kept.At(key, newFactEntry)
}

// of returns the facts of a table under its present name. The columns are shared: read only.
func (f *factCache) of(t SourceTable) plan.TableInfo {
	t.Table = t.Table.Free() // facts are kept, also where a call ends that they were found in
	entry := f.entry(t)
	entry.once.Do(func() {
		entry.info = factsOf(t.Name, t.Table, entry.profile(context.Background(), t))
		if t.Trusted {
			addValues(&entry.info, t.Table)
		}
	})
	info := entry.info
	info.Rows = t.rows()
	info.Name, info.Handle, info.Source, info.AsOf, info.Trusted = t.Name, t.Handle, t.Source, t.AsOf, t.Trusted
	info.DecimalComma = slices.ContainsFunc(t.Notes, func(n string) bool { return strings.Contains(n, commaNote) })
	return info
}

// commaNote is what loading says of numbers with a decimal comma.
const commaNote = "the comma was read as the decimal point"

// describe gives what the columns of a table mean. For tables that stay it is kept; results come and go. Read only.
func (k *Toolkit) describe(ctx context.Context, t SourceTable) []profiler.ColumnMetadata {
	if t.Handle != "" || t.Source == inlineSource {
		return profiler.ProfileWith(ctx, t.Table, profiler.Options{Title: t.Name, Light: true})
	}
	return k.facts.entry(t).profile(ctx, t)
}

// profile gives what the columns mean, made once. Another call may wait for it: it does not end half-way with the first call's
// context.
func (e *factEntry) profile(ctx context.Context, t SourceTable) []profiler.ColumnMetadata {
	e.profiled.Do(func() {
		e.meta = profiler.ProfileWith(context.WithoutCancel(ctx), t.Table.Free(), profiler.Options{Title: t.Name, Light: true})
	})
	return e.meta
}

// maxShownValues bounds the values of a trusted column that a planner may see.
const maxShownValues = 40

// addValues adds the values of low-cardinality text columns; those that could carry instructions stay out.
func addValues(info *plan.TableInfo, t *table.Table) {
	for i := range info.Columns {
		c := &info.Columns[i]
		if t.Column(i).Type != table.Text || c.Distinct == 0 || c.Distinct > maxShownValues {
			continue
		}
		seen := map[string]bool{}
		for row := range t.Rows() {
			if v := t.Value(row, i).Text(); !t.IsNull(row, i) && !seen[v] && plan.SafeName(v) {
				v = strings.Clone(v) // a part of the column's memory would keep all of it
				seen[v] = true
				c.Values = append(c.Values, v)
			}
		}
	}
}

// Tools returns the tools, ready to be registered.
func (k *Toolkit) Tools() []tools.Tool {
	return tools.Closed(append([]tools.Tool{
		k.listTablesTool(), k.describeTableTool(), k.queryTableTool(), k.formatTool(), k.cleanTool(), k.summarizeTool(),
		k.trendTool(), k.chartTool(), k.insightsTool(), k.extractTool(),
	}, slices.Concat(k.verbTools(), k.metricTools())...))
}

// define makes a read-only tool of this toolkit.
func define(name, title, description string, in map[string]any, out json.RawMessage, h tools.Handler) tools.Tool {
	yes, no := true, false
	in["type"], in["additionalProperties"] = "object", false
	raw, err := json.Marshal(in)
	if err != nil {
		panic(fmt.Sprintf("the schema of %s: %v", name, err)) // maps of plain values always encode
	}
	return tools.Tool{Toolset: Toolset, Handler: forgiving(h), Def: mcp.Tool{Name: name, Title: title, Description: description,
		RawInputSchema: raw, RawOutputSchema: out,
		Annotations: mcp.ToolAnnotation{Title: title, ReadOnlyHint: &yes, DestructiveHint: &no, IdempotentHint: &yes, OpenWorldHint: &no}}}
}

// forgiving turns errors that the asker can mend into results.
func forgiving(h tools.Handler) tools.Handler {
	return func(ctx context.Context, call tools.Call) (tools.Result, error) {
		res, err := h(ctx, call)
		var query *pipeline.Error
		var found plan.Findings
		switch {
		case err == nil:
			return res, nil
		case errors.As(err, &query):
			return tools.Failed("bad_query", query.Reason), nil
		case errors.As(err, &found):
			return tools.Failed(tools.CodeInvalidArguments, err.Error()), nil
		}
		return tools.FailedBy(err)
	}
}

type object = map[string]any

func textSchema(description string) object {
	return object{"type": "string", "description": description}
}

func columnList(description string) object {
	return object{"type": "array", "items": object{"type": "string"}, "description": description}
}

// inlineSource marks tables that were given as an argument.
const inlineSource = "data"

// source reads the argument data: a name of a table that is loaded, or any form that tools.TableArg reads.
func (k *Toolkit) source(ctx context.Context, call tools.Call) (SourceTable, error) {
	t, err := k.given(ctx, call)
	t.Table = t.Table.In(ctx)
	return t, err
}

func (k *Toolkit) given(ctx context.Context, call tools.Call) (SourceTable, error) {
	if name, ok := call.Args["data"].(string); ok && len(name) <= 64 && !handle.Is(name) {
		if t, err := k.find(ctx, call.Caller, call.Session, name); err == nil {
			return t, nil
		} else if plan.SafeName(name) { // one line without a comma is no CSV
			return SourceTable{}, err
		}
	}
	if text, ok := call.Args["data"].(string); ok && !handle.Is(text) {
		if got, err := load.ReadText(text, inlineSource, table.Limits{Locale: call.Locale}); err == nil {
			return SourceTable{Name: inlineSource, Table: got.Table, Source: inlineSource, Notes: notesOf(got.Report)}, nil
		}
	}
	src, err := tools.TableArg(ctx, k.opt.Tables, call, "data")
	if err != nil {
		return SourceTable{}, err
	}
	if src.Meta.Handle != "" {
		return ofHandle(src.Table, src.Meta), nil
	}
	return SourceTable{Name: inlineSource, Table: src.Table, Source: inlineSource, Notes: longRows(call.Args["data"], src.Table)}, nil
}

// longRows tells of an object {columns, rows} that has rows with more cells than columns.
func longRows(v any, t *table.Table) []string {
	m, _ := v.(map[string]any)
	columns, ok := m["columns"].([]any)
	if !ok || m["rows"] == nil || t.NumCols() <= len(columns) {
		return nil
	}
	return []string{fmt.Sprintf("rows have more cells than the %s; they are in further columns", text.Count(len(columns), "column"))}
}

// asOf is the date that the answer is about: what the data say, else the turn's, else today.
func asOf(call tools.Call, t SourceTable) time.Time {
	switch {
	case !t.AsOf.IsZero():
		return t.AsOf
	case !call.Now.IsZero():
		return call.Now
	}
	return time.Now()
}
