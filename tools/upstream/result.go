package upstream

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/table"
	tablejson "catena/table/json"
	"catena/table/load"
	"catena/tools"
)

// content is one part of an upstream's answer.
type content struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	Data     string `json:"data"`
	MIMEType string `json:"mimeType"`
	URI      string `json:"uri"`
	Name     string `json:"name"`
	Resource struct {
		URI  string `json:"uri"`
		Text string `json:"text"`
	} `json:"resource"`
}

// ReadResult is what an answer to tools/call becomes whose tool declares nothing of its output, a JSON object of
// CallToolResult.
func ReadResult(ctx context.Context, tool string, answer json.RawMessage) (tools.Result, error) {
	return result(ctx, remoteTool{Name: tool}, answer)
}

// richer are the kinds of content that say more than a text or a picture can.
var richer = []string{"audio", "resource", "resource_link"}

// maxPictures is how many pictures of an answer are shown. MCP clients get all.
const maxPictures = 100

// readContent puts the parts of an answer into its result, and returns its texts. Whole reports whether some part says
// more than a text or a picture can.
func readContent(res *tools.Result, all []content) (texts []string, whole bool) {
	var sounds, unread changes
	var others int
	for _, part := range all {
		whole = whole || slices.Contains(richer, part.Type)
		switch part.Type {
		case "text":
			texts = append(texts, part.Text)
		case "image":
			if len(res.Charts) == maxPictures {
				others++
			} else if chart, ok := pictureOf(part, res); ok {
				res.Charts = append(res.Charts, chart)
			} else {
				unread.add("A picture of the answer could not be read.")
			}
		case "audio": // MCP clients get it
			sounds.add("%s", soundText(part))
		case "resource":
			texts = append(texts, cmp.Or(part.Resource.Text, part.Resource.URI))
		case "resource_link":
			texts = append(texts, strings.TrimSpace(part.Name+" "+part.URI))
		default:
			unread.add("A part of the answer of the kind %q was left out.", cut(part.Type, 40))
		}
	}
	res.Text = strings.Join(texts, "\n")
	if res.Notes = append(res.Notes, unread.told...); unread.more > 0 {
		res.Notes = append(res.Notes, fmt.Sprintf("So it is with %d more parts of the answer.", unread.more))
	}
	if others > 0 {
		res.Notes = append(res.Notes,
			fmt.Sprintf("The first %d pictures of %d are shown.", maxPictures, maxPictures+others))
	}
	if err := sounds.err(); err != nil {
		res.Notes = append(res.Notes, "The answer has audio, which is not played here: "+err.Error()+".")
	}
	return texts, whole
}

// pictureOf is a picture of an answer, and false where its bytes are none.
func pictureOf(part content, of *tools.Result) (tools.Chart, bool) {
	picture, err := base64.StdEncoding.DecodeString(part.Data)
	media := pictureKind(picture, part.MIMEType)
	return tools.Chart{Title: of.Title, PNG: picture, Media: media, Alt: "A picture from " + of.Name + "."},
		err == nil && media != ""
}

// result makes a Result of an answer. A table's wire form becomes a table, and so does what is surely a listing.
// What a dense answer would take in maps and lists is drawn from the call's work before it is decoded.
func result(ctx context.Context, t remoteTool, raw json.RawMessage) (tools.Result, error) {
	var answer struct {
		Content    json.RawMessage `json:"content"`
		Structured json.RawMessage `json:"structuredContent"`
		IsError    bool            `json:"isError"`
		Meta       json.RawMessage `json:"_meta"`
		Hidden     bool            `json:"catena/hidden"` // see marked
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return tools.Result{}, fmt.Errorf("its answer is no result of tools/call: %w", err)
	}
	if none := len(answer.Structured) == 0 || string(answer.Structured) == "null"; none {
		if answer.Structured = nil; len(answer.Content) == 0 || string(answer.Content) == "null" {
			return tools.Result{}, fmt.Errorf(
				"its answer has neither content nor structuredContent: %s",
				cut(string(raw), 200),
			)
		}
	}
	res := tools.Result{
		Untrusted: true,
		IsError:   answer.IsError,
		Foreign:   answer.Structured,
		Name:      t.Name,
		Title:     t.Title,
	}
	var err error
	if res.Meta, err = metaOf(ctx, answer.Meta); err != nil {
		return tools.Result{}, err
	}
	all, err := contentsOf(ctx, answer.Content)
	if err != nil {
		return tools.Result{}, err
	}
	texts, whole := readContent(&res, all)
	if res.IsError {
		res.Code = tools.CodeUpstream
		if answer.Structured != nil {
			res.Structured = answer.Structured
		}
	} else {
		fill(ctx, &res, t, answer.Structured, texts)
	}
	// Any other answer is its text, and one that a plan uses as a table is no less to a client what its server wrote.
	if elsewhere := res.Table != nil || res.Foreign != nil; whole || len(all) > 1 || elsewhere {
		res.Content = parts(ctx, raw)
	}
	if answer.Hidden {
		res.Tell(noteHidden)
	}
	return res, nil
}

// pictureKind is the media type of a picture by its bytes, whatever its server says; "" for what is none. SVG is text,
// and is one where it is said to be.
func pictureKind(data []byte, said string) string {
	kind := http.DetectContentType(data)
	switch {
	case strings.HasPrefix(kind, "image/"):
		return kind
	case said == "image/svg+xml" && bytes.HasPrefix(bytes.TrimSpace(data), []byte("<")) &&
		!strings.HasPrefix(kind, "text/html"):
		return said
	}
	return ""
}

// partMemory is what a part takes, in bytes: eight strings in a list that grows, and a note of one that is left out.
const partMemory = 3*128 + 128

// contentsOf decodes the parts of an answer. A list of millions of empty ones would take a hundred times its bytes, so
// that what it takes is drawn from the call's work first.
func contentsOf(ctx context.Context, raw json.RawMessage) (all []content, err error) {
	parts, _ := tablejson.Shape(raw)
	drawn := table.WorkOf(ctx).Draw(parts * partMemory)
	if len(raw) == 0 || drawn != nil {
		return nil, drawn
	}
	if err = json.Unmarshal(raw, &all); err != nil {
		return nil, fmt.Errorf("its answer is no result of tools/call: %w", err)
	}
	return all, nil
}

// metaOf decodes the _meta of an answer.
func metaOf(ctx context.Context, raw json.RawMessage) (meta map[string]any, err error) {
	drawn := table.WorkOf(ctx).Draw(tablejson.Memory(raw))
	if len(raw) == 0 || drawn != nil {
		return nil, drawn
	}
	if err = json.Unmarshal(raw, &meta); err != nil {
		return nil, fmt.Errorf("its answer is no result of tools/call: _meta: %w", err)
	}
	return meta, nil
}

// soundText says what a sound is: its media type and its size.
func soundText(part content) string {
	const kB = 1000
	size := base64.StdEncoding.DecodedLen(len(part.Data)) - strings.Count(part.Data[max(0, len(part.Data)-2):], "=")
	text := fmt.Sprintf("%d bytes", size)
	switch {
	case size == 1:
		text = "1 byte"
	case size >= kB:
		text = fmt.Sprintf("%.1f kB", float64(size)/kB)
	}
	if kind := cut(part.MIMEType, 60); kind != "" {
		return kind + ", " + text
	}
	return text
}

// parts are those of an answer as MCP clients get them. One that cannot be read is left out; it is in the text as far
// as it can be.
func parts(ctx context.Context, raw json.RawMessage) (out []mcp.Content) {
	var answer struct {
		Content json.RawMessage `json:"content"`
	}
	_ = json.Unmarshal(raw, &answer) // it was read before
	if table.WorkOf(ctx).Draw(tablejson.Memory(answer.Content)) != nil {
		return nil // the call fails
	}
	var list []map[string]any
	_ = json.Unmarshal(answer.Content, &list)
	for _, part := range list {
		if c, err := mcp.ParseContent(part); err == nil {
			out = append(out, c)
		}
	}
	return out
}

// listOf makes a list of the parts of an answer that are a JSON object each, or takes the only part that is JSON: so
// some servers write a list. Parts that are text stand above or below; what stands above is given, too. Any other
// answer gives nil.
func listOf(texts []string) (list json.RawMessage, above []string) {
	isJSON := func(text string) bool {
		text = strings.TrimSpace(text)
		return len(text) > 1 && strings.IndexByte("{[", text[0]) >= 0 && json.Valid([]byte(text))
	}
	from := slices.IndexFunc(texts, isJSON)
	if from < 0 || len(texts) < 2 {
		return nil, nil
	}
	to := from
	for to < len(texts) && isJSON(texts[to]) {
		to++
	}
	if slices.ContainsFunc(texts[to:], isJSON) {
		return nil, nil
	}
	above = slices.Concat(texts[:from], texts[to:])
	if to-from == 1 {
		return json.RawMessage(texts[from]), above
	}
	for _, text := range texts[from:to] {
		if !isObject([]byte(text)) {
			return nil, nil
		}
	}
	return json.RawMessage("[" + strings.Join(texts[from:to], ",") + "]"), above
}

// fill sets the table or the structured value of a result, from structured content or from its texts. Plans refer to
// the fields that a tool declares by name, so its value stays beside the table; tools of other servers get a text as it
// was, so it stays too.
func fill(ctx context.Context, res *tools.Result, t remoteTool, structured json.RawMessage, texts []string) {
	data := bytes.TrimSpace(structured)
	lim := table.Limits{}.WithContext(ctx)
	if len(data) == 0 {
		var around []string
		data, around = listOf(texts)
		if len(around) > 0 {
			if list, ok := certain(data, t.Name, around, lim); ok {
				take(res, list, true)
				return
			}
			data = nil
		}
		data = []byte(cmp.Or(string(data), strings.TrimSpace(res.Text)))
	}
	if isWire(data) {
		if tab, err := load.Any(json.RawMessage(data), lim); err == nil {
			res.Table, res.Total, res.Text = tab, wireTotal(
				data,
				tab.NumRows(),
			), "" // the registry writes a table's text
			return
		}
	}
	declared := schemaOrNil(t.OutputSchema) != nil && len(structured) > 0
	list, ok := certain(data, t.Name, nil, lim)
	if !ok && len(structured) == 0 {
		list, ok = onlyListing(texts, t.Name, lim)
	}
	if declared || !ok {
		res.Structured = valueOf(ctx, data)
	}
	if !ok || declared && hidesParts(res.Structured) {
		return
	}
	take(res, list, !declared && len(structured) == 0)
}

// certain reads what is surely a listing; around are texts that stand beside it.
func certain(data []byte, name string, around []string, lim table.Limits) (load.Listing, bool) {
	list, ok := load.ReadListing(data, name, lim)
	list.Around = strings.TrimSpace(strings.Join(append(around, list.Around), "\n"))
	return list, ok && list.Certain()
}

// onlyListing reads the one part of an answer that is surely a listing where further parts say something beside it, as
// the status of a command does. Two listings are none: which is meant is not known.
func onlyListing(texts []string, name string, lim table.Limits) (only load.Listing, found bool) {
	const most = 8
	if len(texts) < 2 || len(texts) > most {
		return load.Listing{}, false
	}
	for i, text := range texts {
		others := slices.Concat(texts[:i], texts[i+1:])
		list, ok := certain([]byte(strings.TrimSpace(text)), name, others, lim)
		switch {
		case ok && found:
			return load.Listing{}, false
		case ok:
			only, found = list, true
		}
	}
	return only, found
}

// take makes a listing the table of a result. Text that is all that its server wrote stays as it was.
func take(res *tools.Result, list load.Listing, written bool) {
	if written {
		res.Written = res.Text
	}
	res.Table, res.Total, res.Text = list.Table, list.Count(), ""
	tellBeside(res, list)
}

// valueOf is a JSON object or list, nil for all else, and where the call may not take what it would; it fails then.
func valueOf(ctx context.Context, data []byte) any {
	if !json.Valid(data) || table.WorkOf(ctx).Draw(tablejson.Memory(data)) != nil {
		return nil
	}
	var v any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil
	}
	switch v.(type) {
	case map[string]any, []any:
		return v
	}
	return nil
}

// hidesParts reports whether an object has a field that references to a table read otherwise.
func hidesParts(value any) bool {
	object, _ := value.(map[string]any)
	for key := range object {
		if tools.IsTablePart(key) {
			return true
		}
	}
	return false
}

// tellBeside notes what a server says beside its rows.
func tellBeside(res *tools.Result, list load.Listing) {
	const most, long = 10, 100
	var told []string
	for _, f := range list.Beside {
		text := strings.Trim(string(f.Value), `"`)
		if text != "null" && text != "" && len(told) < most {
			told = append(told, cut(f.Name, long)+" "+cut(text, long))
		}
	}
	words := slices.DeleteFunc(strings.Fields(list.Around), func(w string) bool { return strings.Trim(w, "#") == "" })
	if around := strings.Join(words, " "); around != "" {
		told = append(told, cut(strings.TrimRight(around, ".:"), 4*long))
	}
	if len(told) > 0 {
		res.Notes = append(res.Notes, "Beside the rows: "+strings.Join(told, "; ")+".")
	}
}

// isWire reports whether a JSON text is the wire form of a table.
func isWire(data []byte) bool {
	var w struct {
		Columns []struct{ Name, Type *string }
		Rows    json.RawMessage
	}
	if json.Unmarshal(data, &w) != nil || len(w.Columns) == 0 {
		return false
	}
	if first := w.Columns[0]; first.Name == nil || first.Type == nil {
		return false
	}
	rows, list := bytes.CutPrefix(bytes.TrimSpace(w.Rows), []byte("["))
	rows = bytes.TrimSpace(rows)
	return list && (rows[0] == '[' || rows[0] == ']') // of a list that is sound, a byte follows
}

// wireTotal is how many rows the wire form of a table says that there are, 0 when it has them all.
func wireTotal(data []byte, rows int) int {
	var w struct {
		Total int `json:"total_rows"`
	}
	if json.Unmarshal(data, &w) != nil || w.Total <= rows {
		return 0
	}
	return w.Total
}

func isObject(raw json.RawMessage) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) > 0 && raw[0] == '{'
}
