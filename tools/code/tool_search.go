package code

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"catena/internal/text"
	"catena/table"
	"catena/tools"
	"catena/tools/code/index"
	"catena/tools/code/redact"
	"catena/tools/code/workspace"
)

// searchTool is semantic_search, and search_code, which is the same under the name that newer clients use.
func (k *Toolkit) searchTool(name, title string) tools.Tool {
	return define(spec{
		name: name, title: title, shape: codeErrors, columns: hitColumns, handler: k.searchCode, reaches: k.opt.Embed != nil,
		description: "Searches the code of the current workspace for what a question or some words mean: functions, classes, comments, files, with path:line and confidence. " +
			"Use it to find code, to search the codebase, to see where something is done.",
		in: object{"query": textSchema("What to look for, in words or names.", maxText), "limit": whole("Hits at most.", 1, maxHits, 5), "workspace": workspaceArg(),
			"path": textSchema("Only files below this folder.", workspace.MaxPath), "language": textSchema("Only this language: go, python, typescript ...", 40)},
		required: []string{"query"},
		out:      answers(object{"total": aCount, "notes": texts}),
	})
}

// searchCode is the handler of semantic_search and search_code.
func (k *Toolkit) searchCode(ctx context.Context, call tools.Call) (tools.Result, error) {
	r, err := k.current(ctx, call)
	if err != nil {
		return tools.Result{}, err
	}
	q := index.Query{Text: strings.TrimSpace(call.Text("query")), Limit: call.Int("limit", 5), Lexical: true, Symbol: true, Graph: true,
		Language: strings.ToLower(strings.TrimSpace(call.Text("language")))}
	if q.PathPrefix, err = r.prefix(call.Text("path")); err != nil {
		return tools.Result{}, err
	}
	hits, notes, err := r.search(ctx, k, q, true)
	if err != nil {
		return tools.Result{}, err
	}
	t, err := hitTable(hits)
	if err != nil {
		return tools.Result{}, err
	}
	return r.result(reply{text: saidOf(hits, q.Text), name: "code_search", title: "Code found for \"" + brief(q.Text) + "\"", results: foundAll(hits), table: t, notes: notes}), nil
}

// prefix is what a path argument narrows a search to: "" for everything.
func (r *reading) prefix(given string) (string, error) {
	if strings.TrimSpace(given) == "" || !r.searchable() {
		return "", nil
	}
	t, err := r.find(given)
	if err != nil {
		return "", err
	}
	switch {
	case t.folder == ".":
		return "", nil
	case t.folder != "":
		return t.folder + "/", nil
	}
	return t.files[0], nil
}

// search runs a query. Where an embedder is configured its vector is added; one that fails is said in a note.
func (r *reading) search(ctx context.Context, k *Toolkit, q index.Query, vector bool) ([]index.Hit, []string, error) {
	if !r.searchable() {
		return nil, nil, nil
	}
	if q.Text == "" {
		return nil, nil, &fault{code: CodeBadArgument, text: "there is nothing to look for", hint: "Give some words or a name"}
	}
	var notes []string
	if vector && k.opt.Embed != nil {
		v, err := k.queries.of(ctx, k.opt.Options, q.Text)
		switch {
		case ctx.Err() != nil:
			return nil, nil, ctx.Err()
		case err != nil:
			k.log().WarnContext(ctx, "a search goes without vectors", "error", err.Error())
			notes = append(notes, "The embedder could not be reached, so this was found by words, names and dependencies alone.")
		default:
			q.Vector = v
		}
	}
	hits, err := r.snap.Search(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	if len(hits) == 0 {
		notes = append(notes, "Nothing in the index has these words or names.")
	}
	return hits, notes, nil
}

func foundAll(hits []index.Hit) []object {
	out := make([]object, len(hits))
	for i, h := range hits {
		out[i] = found(h)
	}
	return out
}

// saidOf is what is said of hits in one sentence.
func saidOf(hits []index.Hit, query string) string {
	if len(hits) == 0 {
		return fmt.Sprintf("Nothing in the index matches %q.", brief(query))
	}
	h := hits[0]
	what := h.Path
	if h.Symbol != "" {
		what = h.Symbol
	}
	return fmt.Sprintf("Found %s; the best is `%s` at %s (%s confidence).", text.Count(len(hits), "place"), code(what), cite(h.Path, h.Start), h.Confidence)
}

func (k *Toolkit) similarTool() tools.Tool {
	return define(spec{
		name: "find_similar", title: "Find similar code", shape: codeErrors, columns: hitColumns, handler: k.similar,
		description: "Finds code of the current workspace that is like a given snippet: the same names, calls and structure, best first. Use it to find similar or duplicate code, or other code done the same way.",
		in:          object{"code": textSchema("The snippet.", maxCode), "limit": whole("Hits at most.", 1, maxHits, 5), "workspace": workspaceArg()},
		required:    []string{"code"},
		out:         answers(object{"notes": texts}),
	})
}

// similar is the handler of find_similar.
func (k *Toolkit) similar(ctx context.Context, call tools.Call) (tools.Result, error) {
	r, err := k.current(ctx, call)
	if err != nil {
		return tools.Result{}, err
	}
	snippet := call.Text("code")
	if strings.TrimSpace(snippet) == "" {
		return tools.Result{}, &fault{code: CodeBadArgument, text: "the snippet is empty", hint: "Give some lines of code"}
	}
	if len(snippet) > maxCode {
		return tools.Result{}, &fault{code: CodeBadArgument, text: fmt.Sprintf("the snippet has %d bytes; %d are allowed", len(snippet), maxCode), hint: "Give the part that matters"}
	}
	var hits []index.Hit
	if r.searchable() {
		hits, err = r.snap.FindSimilar(ctx, snippet, call.Int("limit", 5))
	}
	if err != nil {
		return tools.Result{}, err
	}
	t, err := hitTable(hits)
	if err != nil {
		return tools.Result{}, err
	}
	return r.result(reply{text: saidOf(hits, firstLine(snippet)), name: "similar_code", title: "Similar code", results: foundAll(hits), table: t}), nil
}

func (k *Toolkit) searchRepoTool() tools.Tool {
	flag := func(what string) object { return object{"type": "boolean", "description": what, "default": true} }
	return define(spec{
		name: "search_repo", title: "Search an indexed repository", shape: indexErrors, columns: hitColumns, handler: k.searchRepo, reaches: k.opt.Embed != nil,
		description: "Searches an indexed repository by words, names of symbols, dependencies and, where an embedder is configured, meaning; each hit has its lines with those around them and a citation. " +
			"Use it to search a repository by its index_id.",
		in: object{"index_id": indexArg(), "query": textSchema("What to look for, in words or names.", maxText), "k": whole("Hits at most.", 1, maxHits, 20),
			"features": object{"type": "object", "description": "Which ways of finding are used beside words; all unless told.", "additionalProperties": true,
				"properties": object{"vector": flag("By meaning, where an embedder is configured."), "symbol": flag("By names of declarations."), "graph": flag("By dependencies.")}},
			"context_lines": contextArg()},
		required: []string{"index_id", "query"},
		out: object{"index_id": aText, "query": aText, "results": aList, "total_count": aCount, "features_used": object{"type": "object"}, "execution_time_ms": aNumber,
			"indexInfo": anInfo, "notes": texts, "handle": aText},
	})
}

// searchRepo is the handler of search_repo.
func (k *Toolkit) searchRepo(ctx context.Context, call tools.Call) (tools.Result, error) {
	start := time.Now()
	r, err := k.byID(call, "index_id")
	if err != nil {
		return tools.Result{}, err
	}
	on := func(name string) bool {
		features, _ := call.Args["features"].(map[string]any)
		v, ok := features[name].(bool)
		return !ok || v
	}
	q := index.Query{Text: strings.TrimSpace(call.Text("query")), Limit: call.Int("k", 20), Lexical: true, Symbol: on("symbol"), Graph: on("graph")}
	hits, notes, err := r.search(ctx, k, q, on("vector"))
	if err != nil {
		return tools.Result{}, err
	}
	t, err := hitTable(hits)
	if err != nil {
		return tools.Result{}, err
	}
	results := make([]object, len(hits))
	for i, h := range hits {
		results[i] = r.snippet(h, call.Int("context_lines", 5))
	}
	res := r.result(reply{text: saidOf(hits, q.Text), name: "repository_search", title: "Found for \"" + brief(q.Text) + "\"", results: results, table: t, notes: notes,
		more: object{"index_id": r.view.Status.IndexID, "query": q.Text, "total_count": len(hits), "execution_time_ms": milliseconds(time.Since(start)),
			"features_used": object{"vector": on("vector") && k.opt.Embed != nil, "symbol": q.Symbol, "graph": q.Graph, "lexical": true}}})
	return res, nil
}

// snippet is a hit as clients of the repository index read it: span, scores, content with the lines around it, citation.
func (r *reading) snippet(h index.Hit, around int) object {
	body := redact.Text(h.Text)
	sum := sha256.Sum256([]byte(h.Text))
	hash := hex.EncodeToString(sum[:])
	scores := object{"lexical": 0.0, "vector": 0.0, "symbol": 0.0, "graph": 0.0}
	for _, w := range h.Why {
		scores[w] = round(h.Score)
	}
	out := found(h)
	out["span"], out["scores"] = []int{h.Start, h.End}, scores
	out["content"] = object{"path": h.Path, "span": []int{h.Start, h.End}, "line_start": h.Start, "line_end": h.End, "hash": hash, "text": body,
		"pre": redact.Text(r.lines(h.Path, h.Start-around, h.Start-1)), "post": redact.Text(r.lines(h.Path, h.End+1, h.End+around))}
	out["citation"] = object{"repo_root": r.root(), "rev": r.view.Status.Commit, "path": h.Path, "span": []int{h.Start, h.End}, "content_sha": hash, "text": cite(h.Path, h.Start)}
	return out
}

// functionColumns are those of tables of functions, here and in the live table functions.
var functionColumns = []table.Column{{Name: "function", Type: table.Text}, {Name: "path", Type: table.Text}, {Name: "line", Type: table.Int}, {Name: "package", Type: table.Text},
	{Name: "language", Type: table.Text}, {Name: "cyclomatic", Type: table.Int}, {Name: "cognitive", Type: table.Int}, {Name: "halstead_volume", Type: table.Float},
	{Name: "halstead_difficulty", Type: table.Float}, {Name: "halstead_effort", Type: table.Float}, {Name: "halstead_bugs", Type: table.Float}, {Name: "lines", Type: table.Int},
	{Name: "parameters", Type: table.Int}, {Name: "nesting", Type: table.Int}, {Name: "exported", Type: table.Bool}, {Name: "test", Type: table.Bool}}
