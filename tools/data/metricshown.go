package data

import (
	"context"
	"slices"
	"strings"

	"catena/query"
	"catena/query/semantic"
	"catena/query/sql"
	"catena/tools"
)

// metricsOf are the metrics that are computed from the rows of a table. An upload of a table's name has none.
func metricsOf(m *semantic.Model, table, source string) (out []semantic.Metric) {
	if source == sourceUpload {
		return nil
	}
	for _, x := range m.Metrics {
		of, err := m.Tables(x)
		is := func(name string) bool { return strings.EqualFold(name, table) }
		if err == nil && slices.ContainsFunc(of, is) {
			out = append(out, x)
		}
	}
	return out
}

// metricNames are the tools of a table's metrics.
func metricNames(m *semantic.Model, t listed) (out []string) {
	for _, x := range metricsOf(m, t.name, t.source) {
		out = append(out, metricTool+x.Name)
	}
	return out
}

// metricNotes say of a table's metrics what they compute, in the words of the algebra. One that cannot be computed over
// the caller's tables is not told.
func (k *Toolkit) metricNotes(
	ctx context.Context, call tools.Call, m *semantic.Model, t SourceTable,
) (out []string) {
	call.Session = "" // uploads are none of the model's tables
	for _, x := range metricsOf(m, t.Name, t.Source) {
		statement, err := m.Statement(x, semantic.Ask{})
		if err != nil {
			continue
		}
		c := &sqlCatalog{k: k, ctx: ctx, call: call, found: map[string]*sqlTable{}, adapt: exactRatios}
		opt := sql.Options{Now: asOf(call, SourceTable{}), Dialect: sql.DialectPostgreSQL}
		q, _, _, err := understood(statement, c, opt, c.adapt)
		if err != nil || c.err != nil {
			continue
		}
		note := "Metric " + metricTool + x.Name
		if len(x.Synonyms) > 0 {
			note += " (" + strings.Join(x.Synonyms, ", ") + ")"
		}
		out = append(out, note+": "+query.Words(q, c, call.Locale)+".")
	}
	return out
}
