package code

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"catena/internal/text"
	"catena/table"
	"catena/tools"
	"catena/tools/code/redact"
)

// Bounds of an answer. Three hops reach what the best hits call and what that calls; more brings little that the question is about.
const (
	askHits    = 8  // chunks of the first search
	askHops    = 3  // the search, what its hits use, what that uses
	askBranch  = 4  // chunks that are followed further, of each hop
	askChunks  = 24 // in all
	askQuotes  = 12 // lines of an answer
	askSources = 10 // places listed for a definition, callers ...
)

// passage is a chunk that may hold a part of the answer.
type passage struct {
	path       string
	start, end int
	symbol     string // Engine.Turn; "" for none
	kind       string
	signature  string
	doc        string
	docLine    int // where the comment begins, else the declaration
	line       int // of the declaration
	text       string
	score      float64 // 0..1
	confidence string
	test       bool   // of a test file
	hop        int    // 0 was found by the search
	via        string // the symbol that led here
	have       map[string]bool
}

// words are the key words of the passage. They are taken apart once.
func (p *passage) words() map[string]bool {
	if p.have == nil {
		p.have = map[string]bool{}
		for _, w := range keyWords(p.symbol + " " + p.doc + " " + p.path + " " + p.text) {
			p.have[w] = true
		}
	}
	return p.have
}

// quote is one piece of an answer: words of the index with the place that they come from.
type quote struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`
	EndLine int    `json:"end_line"`
	Cite    string `json:"citation"` // path:line
	Symbol  string `json:"symbol,omitempty"`
	Text    string `json:"text"`
	Hop     int    `json:"hop"`
}

// answer is what ask_index found.
type answer struct {
	lead       string // the answer in a sentence or two, plain
	text       string // Markdown with citations [path:line]
	found      bool
	confidence string // high, medium or low
	quotes     []quote
	passages   []passage // what was read, for a model to write from
	notes      []string
	chunks     int
	hops       int
	written    string // extractive or model
}

func (k *Toolkit) askTool() tools.Tool {
	return define(spec{
		name: "ask_index", title: "Ask a question about a repository", timeout: askTimeout, shape: indexErrors, columns: answerColumns, handler: k.ask, reaches: k.opt.Embed != nil || k.opt.Write != nil,
		description: "Answers a question about an indexed repository from its code: where something is defined, what calls it, which files depend on it, how it works. " +
			"It follows symbols over several files and quotes them with path:line. Use it to ask how the code works.",
		in:       object{"index_id": indexArg(), "question": textSchema("The question, in words.", maxText), "context_lines": contextArg()},
		required: []string{"index_id", "question"},
		out: object{"index_id": aText, "question": aText, "kind": aText, "answer": aText, "found": aFlag, "confidence": aText, "written_by": aText,
			"citations": aList, "hops": aCount, "chunks": aCount, "execution_time_ms": aNumber, "indexInfo": anInfo, "notes": texts, "handle": aText},
	})
}

// model is one call of a model without tools.
type model = func(ctx context.Context, system, prompt string) (string, error)

// writer is the model that writes prose now, or nil.
func (k *Toolkit) writer() model {
	if k.opt.Write == nil {
		return nil
	}
	return k.opt.Write()
}

// ask is the handler of ask_index.
func (k *Toolkit) ask(ctx context.Context, call tools.Call) (tools.Result, error) {
	start := time.Now()
	r, err := k.byID(call, "index_id")
	if err != nil {
		return tools.Result{}, err
	}
	question := strings.TrimSpace(call.Text("question"))
	if question == "" {
		return tools.Result{}, &fault{code: CodeBadArgument, text: "the question is empty", hint: "Ask something, such as \"where are retries handled?\""}
	}
	q := understand(question)
	var ans answer
	if r.searchable() {
		if ans, err = r.answer(ctx, k, q, question); err != nil {
			return tools.Result{}, err
		}
	} else {
		ans = answer{lead: "Not found: the index is empty.", confidence: confidenceLow, written: writtenExtractive}
	}
	if write := k.writer(); ans.found && write != nil {
		ans = k.prose(ctx, write, question, ans)
	}
	ans.text = cmp.Or(ans.text, ans.lead)
	t, err := answerTable(ans.quotes)
	if err != nil {
		return tools.Result{}, err
	}
	notes := append(slices.Clone(r.notes), ans.notes...)
	if notes == nil {
		notes = []string{}
	}
	res := tools.Result{Text: ans.said(), Table: t, Name: "answer", Title: "Where the code says it", Notes: notes, Untrusted: true, AsOf: r.asOf()}
	res.Structured = object{"index_id": r.view.Status.IndexID, "question": question, "kind": string(q.kind), "answer": ans.text, "found": ans.found,
		"confidence": ans.confidence, "written_by": ans.written, "citations": r.cited(ans.quotes, call.Int("context_lines", 5)), "hops": ans.hops, "chunks": ans.chunks,
		"execution_time_ms": milliseconds(time.Since(start)), "indexInfo": r.info, "notes": notes}
	return res, nil
}

var answerColumns = []table.Column{{Name: "says", Type: table.Text}, {Name: "path", Type: table.Text}, {Name: "line", Type: table.Int}, {Name: "symbol", Type: table.Text}}

// answerTable is the quotes of an answer as a table.
func answerTable(quotes []quote) (*table.Table, error) {
	b := table.NewBuilder(answerColumns...)
	for _, q := range quotes {
		if err := b.Append(table.TextValue(text.Clip(q.Text, 300)), table.TextValue(q.Path), whole64(q.Line), orNull(q.Symbol)); err != nil {
			return nil, fmt.Errorf("the table of an answer: %w", err)
		}
	}
	return b.Table(), nil
}

// said is the answer for people: prose as it was written, else its lead, with how sure it is.
func (a answer) said() string {
	switch {
	case a.written == writtenModel:
		return a.text
	case !a.found:
		return a.lead
	}
	return fmt.Sprintf("%s (%s confidence)", strings.TrimSuffix(cmp.Or(a.lead, a.text), "."), a.confidence)
}

// Levels of confidence, as the index gives them for hits.
const (
	confidenceHigh   = "high"
	confidenceMedium = "medium"
	confidenceLow    = "low"
)

// Who wrote an answer.
const (
	writtenExtractive = "extractive"
	writtenModel      = "model"
)

// answer finds an answer by quoting. Forms that name something that the index does not know fall back to the search.
func (r *reading) answer(ctx context.Context, k *Toolkit, q asked, question string) (answer, error) {
	forms := map[kind]func(context.Context, asked) (answer, error){
		askWhere: r.answerWhere, askCallers: r.answerCallers, askCallees: r.answerCallees, askDependents: r.answerDependents,
		askDependencies: r.answerDependencies, askTests: r.answerTests, askWhat: r.answerWhat,
	}
	if f := forms[q.kind]; f != nil && q.subject != "" {
		ans, err := f(ctx, q)
		if err != nil || ans.found {
			ans.written = writtenExtractive
			return ans, err
		}
	}
	read, hops, err := r.explore(ctx, k, question)
	if err != nil {
		return answer{}, err
	}
	ans := extract(question, read)
	ans.hops, ans.chunks, ans.passages, ans.written = hops, len(read), read, writtenExtractive
	return ans, nil
}

// cite is a place as answers name it.
func cite(path string, line int) string { return fmt.Sprintf("%s:%d", path, line) }

// inBrackets are citations as they stand in brackets in Markdown: a path cannot end them and begin a link.
func inBrackets(cites ...string) string { return "[" + inline(strings.Join(cites, ", ")) + "]" }

// citations as clients of the old surface read them, with the lines around each.
func (r *reading) cited(quotes []quote, around int) []object {
	out := make([]object, 0, len(quotes))
	for _, q := range quotes {
		c := object{"path": q.Path, "line": q.Line, "end_line": q.EndLine, "span": []int{q.Line, q.EndLine}, "citation": q.Cite, "text": q.Text, "hop": q.Hop,
			"repo_root": r.root(), "rev": cmp.Or(r.view.Status.Commit, r.view.Status.Rev)}
		if q.Symbol != "" {
			c["symbol"] = q.Symbol
		}
		if around > 0 {
			c["context"] = redact.Text(r.lines(q.Path, q.Line-around, q.EndLine+around))
		}
		out = append(out, c)
	}
	return out
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
