package code

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"catena/table"
	"catena/tools"
	"catena/tools/code/index"
	"catena/tools/code/redact"
)

// hitColumns are those of tables of what a search found.
var hitColumns = []table.Column{{Name: "path", Type: table.Text}, {Name: "line", Type: table.Int}, {Name: "end_line", Type: table.Int}, {Name: "symbol", Type: table.Text},
	{Name: "kind", Type: table.Text}, {Name: "language", Type: table.Text}, {Name: "signature", Type: table.Text}, {Name: "score", Type: table.Float}, {Name: "confidence", Type: table.Text}}

// relevance is the word of the former code tools for a confidence.
var relevance = map[string]string{confidenceHigh: "highly_relevant", confidenceMedium: "relevant", confidenceLow: "loosely_related"}

// found is one hit as clients of the code intelligence tools read it: content, metadata, score and relevance are the former
// tools' own names.
func found(h index.Hit) object {
	out := object{"path": h.Path, "line": h.Start, "end_line": h.End, "citation": cite(h.Path, h.Start), "language": h.Language, "score": round(h.Score),
		"confidence": h.Confidence, "relevance": cmp.Or(relevance[h.Confidence], "not_relevant"), "why": why(h), "content": redact.Text(h.Text), "metadata": metadata(h)}
	if h.Symbol != "" {
		out["symbol"], out["kind"], out["signature"] = h.Symbol, string(h.Kind), redact.Text(h.Signature)
	}
	return out
}

// metadata is a hit's place as clients of the former code tools read it.
func metadata(h index.Hit) object {
	out := object{"file": h.Path, "startLine": h.Start, "endLine": h.End, "language": h.Language}
	if h.Symbol != "" {
		parent, name := "", h.Symbol
		if i := strings.LastIndexByte(name, '.'); i >= 0 {
			parent, name = name[:i], name[i+1:]
		}
		out["symbolName"], out["symbolType"], out["signature"] = name, string(h.Kind), redact.Text(h.Signature)
		if parent != "" {
			out["parentClass"] = parent
		}
	}
	return out
}

func why(h index.Hit) []string {
	if h.Why == nil {
		return []string{}
	}
	return h.Why
}

// hitTable is hits as a table.
func hitTable(hits []index.Hit) (*table.Table, error) {
	b := table.NewBuilder(hitColumns...)
	for _, h := range hits {
		said := h.Signature
		if said == "" {
			said = firstLine(h.Text)
		}
		err := b.Append(table.TextValue(h.Path), whole64(h.Start), whole64(h.End), orNull(h.Symbol), orNull(string(h.Kind)), table.TextValue(h.Language),
			table.TextValue(brief(redact.Text(said))), table.FloatValue(round(h.Score)), table.TextValue(h.Confidence))
		if err != nil {
			return nil, fmt.Errorf("the table of what was found: %w", err)
		}
	}
	return b.Table(), nil
}

func whole64(n int) table.Value { return table.IntValue(int64(n)) }

func orNull(s string) table.Value {
	if s == "" {
		return table.NullValue
	}
	return table.TextValue(s)
}

// round keeps three digits after the point: scores and measures are not known better.
func round(f float64) float64 { return math.Round(f*1000) / 1000 }

// reply is a result of the code intelligence tools: indexInfo and results beside the same rows as a table.
type reply struct {
	text, name, title string
	results           []object
	more              object // beside results
	table             *table.Table
	total             int // of rows before a limit; 0 when nothing was cut
	notes             []string
	hide              []string
}

// result puts a reply together with the state of the index.
func (r *reading) result(p reply) tools.Result {
	notes := append(append([]string{}, r.notes...), p.notes...)
	if p.results == nil {
		p.results = []object{}
	}
	out := object{"indexInfo": r.info, "results": p.results, "notes": notes}
	for name, v := range p.more {
		out[name] = v
	}
	if p.total > len(p.results) {
		out["total"], out["truncated"] = p.total, true
	}
	return tools.Result{Text: p.text, Structured: out, Table: p.table, Name: p.name, Title: p.title, Total: cut(p.total, p.table), Notes: notes, Hide: p.hide,
		Untrusted: true, AsOf: r.asOf()}
}

// cut is a total when the table has fewer rows.
func cut(total int, t *table.Table) int {
	if t != nil && total > t.NumRows() {
		return total
	}
	return 0
}
