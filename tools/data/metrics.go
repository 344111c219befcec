package data

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"catena/internal/access"
	"catena/internal/text"
	"catena/profiler"
	"catena/query"
	"catena/query/semantic"
	"catena/query/sql"
	"catena/table"
	"catena/tools"
	"catena/tools/data/pipeline"
)

// metricTool begins the names of the tools that metrics of model files are.
const metricTool = "metric__"

// The arguments of a metric's tool.
const (
	metricGroup  = "group_by"
	metricPeriod = "period"
	metricWhere  = "where"
	metricLimit  = "limit"
)

// maxMetricRows bounds what one call gives.
const maxMetricRows = 10_000

// metricList is made once for what the operator's files and tables are: see Sources.Take.
type metricList struct {
	mu    sync.Mutex
	made  bool
	taken int
	tools []tools.Tool
}

// metricTools are the metrics of the operator's model files, each as a tool with its dimensions as arguments. One whose
// expression cannot be read over the tables is none: catena model check says why.
func (k *Toolkit) metricTools() []tools.Tool {
	if k.opt.Sources == nil {
		return nil
	}
	l := &k.metrics
	l.mu.Lock()
	defer l.mu.Unlock()
	if taken := k.opt.Sources.howOften(); !l.made || l.taken != taken {
		l.made, l.taken, l.tools = true, taken, k.makeMetricTools()
	}
	return l.tools
}

func (k *Toolkit) makeMetricTools() []tools.Tool {
	if !k.opt.Sources.hasMetrics() {
		return nil
	}
	m, err := k.opt.Sources.Meaning(context.Background())
	if err != nil {
		return nil
	}
	var out []tools.Tool
	for _, x := range m.Metrics {
		dimensions, err := m.Dimensions(x)
		taken := slices.ContainsFunc(out, func(t tools.Tool) bool { return t.Def.Name == metricTool+x.Name })
		if err != nil || taken {
			continue
		}
		out = append(out, k.metricTool(x, dimensions))
	}
	return out
}

// hasMetrics reports whether a model file has any.
func (s *Sources) hasMetrics() bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.ContainsFunc(s.models, func(d *semantic.Document) bool { return len(d.Model().Metrics) > 0 })
}

func (k *Toolkit) metricTool(x semantic.Metric, dimensions []semantic.DimensionField) tools.Tool {
	label := profiler.TableLabel(x.Name)
	about := cmp.Or(strings.TrimSuffix(x.Description, "."), label) + "."
	if len(x.Synonyms) > 0 {
		about += " Also called " + joinWords(x.Synonyms) + "."
	}
	names, conditions := make([]string, len(dimensions)), object{}
	for i, d := range dimensions {
		names[i] = d.Name
		conditions[d.Name] = object{"description": "A value, a list of values, or {from, to}, of " + cmp.Or(d.Field.Label, d.Field.Name) + "."}
	}
	in := object{"properties": object{
		metricLimit: object{"type": "integer", "minimum": 1, "maximum": maxMetricRows, "description": "Rows at most, the largest first."},
	}}
	if len(names) > 0 {
		in["properties"].(object)[metricGroup] = object{"type": "array", "items": object{"type": "string", "enum": names}, "description": "What to compute it for each of."}
		in["properties"].(object)[metricPeriod] = object{"type": "string", "enum": []string{"year", "quarter", "month", "week", "day"}, "description": "Cuts the times that are grouped by."}
		in["properties"].(object)[metricWhere] = object{"type": "object", "properties": conditions, "additionalProperties": false, "description": "Only rows with these values."}
	}
	return define(metricTool+x.Name, label, about+" A metric of the model file: use it in place of computing the same from the tables.", in, tools.TableSchema(),
		func(ctx context.Context, call tools.Call) (tools.Result, error) { return k.metric(ctx, call, x.Name) })
}

// metric answers a metric's tool: by the caller's own model, so that a table which the caller may not read is none.
func (k *Toolkit) metric(ctx context.Context, call tools.Call, name string) (tools.Result, error) {
	m, err := k.model(ctx, call.Caller, "")
	if err != nil {
		return tools.Result{}, err
	}
	x, _ := m.Metric(name)
	ask, err := metricAsk(call)
	if err != nil {
		return tools.Result{}, err
	}
	statement, err := m.Statement(x, ask)
	var fault *semantic.MetricError
	if errors.As(err, &fault) {
		return tools.Result{}, pipeline.Errorf("%s", fault.Error())
	}
	if err != nil {
		return tools.Result{}, err
	}
	res, err := k.compute(ctx, call, statement)
	res.Name, res.Title = x.Name, metricTitle(x, ask)
	return res, err
}

// compute makes a query of a metric's statement, checks it and runs it. Where a join would count rows several times, the
// answer is that, and no number.
func (k *Toolkit) compute(ctx context.Context, call tools.Call, statement string) (tools.Result, error) {
	call.Session = "" // uploads are none of the model's tables
	c := &sqlCatalog{k: k, ctx: ctx, call: call, found: map[string]*sqlTable{}, adapt: exactRatios}
	opt := sql.Options{Now: asOf(call, SourceTable{}), Dialect: sql.DialectPostgreSQL}
	return c.run(statement, opt, func(_ query.Query, again []string) ([]string, error) {
		if len(again) > 0 {
			return nil, pipeline.Errorf("%s", strings.Join(again, "; "))
		}
		return nil, nil
	})
}

// MetricFaults says what is wrong with the expressions of a model's metrics over the tables that everybody may ask about.
func (s *Sources) MetricFaults(m *semantic.Model) []string {
	var out []string
	for _, x := range m.Metrics {
		statement, err := m.Statement(x, semantic.Ask{})
		if err != nil {
			continue // semantic.Document.Check says it
		}
		opt := sql.Options{Dialect: sql.DialectPostgreSQL}
		_, _, _, fault := understood(statement, sourceCatalog{s}, opt, nil)
		if fault != nil {
			out = append(out, "the metric "+x.Name+": "+fault.Error())
		}
	}
	return out
}

// sourceCatalog is the tables that everybody may ask about.
type sourceCatalog struct{ s *Sources }

// Schema is the columns of a table.
func (c sourceCatalog) Schema(name string) (query.Schema, bool) {
	t, err := c.s.Find(context.Background(), access.Caller{}, "", name)
	if err != nil {
		return nil, false
	}
	return query.SchemaOf(t.Table), true
}

// Tables are the names of all tables.
func (c sourceCatalog) Tables() []string { return namesOf(c.s.List(access.Caller{}, "")) }

// exactRatios divides whole numbers exactly, where SQL leaves the rest out: a metric is a ratio, not how often one number
// goes into another.
func exactRatios(q query.Query) query.Query {
	q.Stages = slices.Clone(q.Stages)
	for i, st := range q.Stages {
		switch s := st.(type) {
		case query.Project:
			q.Stages[i] = query.Project{Columns: exactNamed(s.Columns)}
		case query.Derive:
			q.Stages[i] = query.Derive{Columns: exactNamed(s.Columns)}
		}
	}
	return q
}

func exactNamed(list []query.Named) []query.Named {
	out := make([]query.Named, len(list))
	for i, n := range list {
		out[i] = query.Named{As: n.As, Expr: exactly(n.Expr)}
	}
	return out
}

func exactly(e query.Expr) query.Expr {
	switch x := e.(type) {
	case query.Call:
		args := make([]query.Expr, len(x.Args))
		for i, a := range x.Args {
			args[i] = exactly(a)
		}
		if x.Func == "idiv" {
			x.Func = "div"
		}
		return query.Call{Func: x.Func, Args: args}
	case query.Cast:
		x.Expr = exactly(x.Expr)
		return x
	}
	return e
}

// metricAsk reads the arguments.
func metricAsk(call tools.Call) (semantic.Ask, error) {
	ask := semantic.Ask{Period: call.Text(metricPeriod), Limit: maxMetricRows}
	if list, ok := call.Args[metricGroup].([]any); ok {
		for _, v := range list {
			if name, ok := v.(string); ok && !slices.Contains(ask.GroupBy, name) {
				ask.GroupBy = append(ask.GroupBy, name)
			}
		}
	}
	if n, ok := argument(call.Args[metricLimit]).Int(); ok {
		ask.Limit = int(min(n, maxMetricRows))
	}
	where, _ := call.Args[metricWhere].(map[string]any)
	for _, field := range sortedKeys(where) {
		c := semantic.Condition{Field: field}
		switch v := where[field].(type) {
		case []any:
			for _, one := range v {
				c.Values = append(c.Values, argument(one))
			}
		case map[string]any:
			c.From, c.To = argument(v["from"]), argument(v["to"])
			if extra := slices.DeleteFunc(sortedKeys(v), func(key string) bool { return key == "from" || key == "to" }); len(extra) > 0 {
				return ask, pipeline.Errorf("where.%s has %q: give a value, a list of values, or from and to", field, extra[0])
			}
		default:
			c.Values = []table.Value{argument(v)}
		}
		if slices.ContainsFunc(c.Values, table.Value.IsNull) {
			return ask, pipeline.Errorf("where.%s holds null, which no row equals", field)
		}
		ask.Where = append(ask.Where, c)
	}
	return ask, nil
}

// argument is a value of JSON as a cell; null for lists and objects.
func argument(v any) table.Value {
	switch x := v.(type) {
	case string:
		return table.TextValue(x)
	case bool:
		return table.BoolValue(x)
	case json.Number:
		if n, err := x.Int64(); err == nil {
			return table.IntValue(n)
		}
		f, _ := x.Float64()
		return table.FloatValue(f)
	case float64:
		if n := int64(x); float64(n) == x {
			return table.IntValue(n)
		}
		return table.FloatValue(x)
	}
	return table.Value{}
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// metricTitle is a heading: "Total sales by region and month".
func metricTitle(x semantic.Metric, ask semantic.Ask) string {
	var by []string
	for _, name := range ask.GroupBy {
		_, column, _ := strings.Cut(name, ".")
		by = append(by, strings.ToLower(strings.Join(text.Words(column), " ")))
	}
	title := profiler.TableLabel(x.Name)
	if len(by) > 0 {
		title += " by " + joinWords(by)
	}
	if ask.Period != "" {
		title += ", each " + ask.Period
	}
	if len(ask.Where) > 0 {
		title += fmt.Sprintf(" (%s)", text.Count(len(ask.Where), "condition"))
	}
	return title
}
