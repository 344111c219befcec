package planner

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"text/template"
	"time"

	"catena/planner/loosejson"
	"catena/planner/plan"
	"catena/planner/wireschema"
)

//go:embed prompts/*.md.tpl
var promptFiles embed.FS

var prompts = sync.OnceValue(func() *template.Template {
	return template.Must(template.ParseFS(promptFiles, "prompts/*.md.tpl"))
})

// PromptVersion is a hash of the prompts and of an answer's schema: it changes when a model is asked differently.
var PromptVersion = sync.OnceValue(func() string {
	h := sha256.New()
	h.Write(planSchema(1))
	for _, schema := range exampleSchemas() {
		h.Write(schema)
	}
	files, _ := promptFiles.ReadDir("prompts")
	for _, f := range files {
		text, _ := promptFiles.ReadFile("prompts/" + f.Name())
		fmt.Fprintf(h, "%s %d\n%s", f.Name(), len(text), text)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
})

// exampleSchemas are schemas by tools that do not change, so that a change of how they are written shows.
func exampleSchemas() [2]json.RawMessage {
	args := json.RawMessage(`{"properties":{"data":{"type":"string","format":"table-ref"},"n":{"type":"integer"}}}`)
	byTool, strict := schemasOf([]wireschema.Tool{{Name: "tool", Args: args}}, 1)
	return [2]json.RawMessage{byTool, strict}
}

func render(name string, data any) (string, error) {
	var b strings.Builder
	if err := prompts().ExecuteTemplate(&b, name, data); err != nil {
		return "", fmt.Errorf("prompt %s: %w", name, err)
	}
	return b.String(), nil
}

// brief is what a model is told of a request. Of tables that is names, types, units, counts, and ranges of numbers and
// dates: never a text of a cell. Words of the user's own message may be said to be values, in the user's own spelling;
// values are listed only for columns of tables that their owner trusts.
type brief struct {
	Message string
	Now     string
	Locale  string
	MaxRows int
	*listing
	Tables []briefTable
	Hits   []string

	req   plan.Request
	names *promptNames
	done  []plan.TableInfo // results of the steps that ran before, by the steps' ids
	after []Message        // what follows the message: how an earlier plan of the turn went
}

type briefTable struct {
	Name, Handle, AsOf string
	Size               string
	Meaning            []string // what its rows are, and what they refer to
	Columns            []string
}

// The bounds of a brief.
const (
	maxTables  = 40       // tables
	maxColumns = 120      // columns of a table
	maxTurns   = 6        // earlier turns
	maxMessage = 64 << 10 // bytes of a message
	maxValues  = 12       // distinct values of a column that are listed
)

func newBrief(ctx context.Context, req plan.Request, tools *listing) (*brief, error) {
	if len(req.Message) > maxMessage {
		return nil, fmt.Errorf("%w: the message has %d bytes; %d are allowed", ErrNoPlan, len(req.Message), maxMessage)
	}
	b := &brief{Message: req.Message, req: req, names: newPromptNames(req), MaxRows: req.MaxRows, listing: tools}
	b.Now = localNow(req).Format("Monday, 2006-01-02 15:04 MST")
	if plan.SafeName(req.Locale) {
		b.Locale = req.Locale
	}
	meaning := meaningOf(ctx, req)
	for i, t := range req.Tables {
		if i == maxTables {
			break
		}
		told := b.table(t)
		told.Meaning = b.meaning(meaning, t)
		b.Tables = append(b.Tables, told)
	}
	b.Hits = b.hits(ctx)
	return b, ctx.Err()
}

// localNow is the request's time in its time zone, the clock's time where it has none.
func localNow(req plan.Request) time.Time {
	now := req.Now
	if now.IsZero() {
		now = time.Now()
	}
	if loc, err := time.LoadLocation(req.TimeZone); err == nil {
		return now.In(loc)
	}
	return now
}

// topFields lists the fields that a schema declares at its top, in the schema's order.
func topFields(raw json.RawMessage) []string {
	var s struct {
		Properties json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(raw, &s) != nil {
		return nil
	}
	return slices.DeleteFunc(loosejson.Keys(s.Properties), func(name string) bool { return !plan.SafeName(name) })
}

func oneLine(s string) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " ")
}

func (b *brief) table(t plan.TableInfo) briefTable {
	out := briefTable{Name: b.names.table(t.Name), Size: fmt.Sprintf("%d rows", t.Rows)}
	if t.Live && t.Rows == 0 {
		out.Size = "its rows are made when it is asked about"
	}
	if t.Attached {
		out.Size += ", attached to this message"
	}
	for _, f := range t.Totals {
		out.Size += ", " + b.totals(t, f)
	}
	if plan.SafeName(t.Handle) {
		out.Handle = t.Handle
	}
	if !t.AsOf.IsZero() {
		out.AsOf = t.AsOf.Format(time.DateOnly)
	}
	for i, c := range t.Columns {
		if i == maxColumns {
			out.Columns = append(out.Columns, fmt.Sprintf("and %d more columns", len(t.Columns)-i))
			break
		}
		out.Columns = append(out.Columns, b.column(t, c))
	}
	return out
}

// totals says that rows sum up others, and how to leave them out: by the label where the table's owner trusts its
// values.
func (b *brief) totals(t plan.TableInfo, f plan.TotalRows) string {
	text := fmt.Sprintf("%d of them sums of others, labelled in %s", f.Rows, b.names.column(f.Column))
	switch {
	case f.Value == "":
		text += " by an empty cell (leave them out with not_null)"
	case t.Trusted && quotable(f.Value):
		text += fmt.Sprintf(" by %q (leave them out with ne)", f.Value)
	}
	return text
}

// column writes a column's facts: "revenue_usd: decimal, Currency, in USD, 0.00 to 98211.60, 3 nulls". What its type
// says already is left out, and so is how many different values a number or a time has.
func (b *brief) column(t plan.TableInfo, c plan.ColumnInfo) string {
	facts := []string{c.Type}
	for _, f := range []string{c.Semantic, c.Role} {
		if f != "" && !plainRoles[f] {
			facts = append(facts, f)
		}
	}
	if plan.SafeName(c.Unit) || c.Unit == "$" || c.Unit == "€" || c.Unit == "£" {
		facts = append(facts, "in "+c.Unit)
	}
	if c.NoSum != "" {
		facts = append(facts, "not to be summed")
	}
	ranged := inRange(c.Min) && inRange(c.Max)
	if ranged {
		facts = append(facts, c.Min+" to "+c.Max)
	}
	listed := t.Trusted && len(c.Values) > 0 && c.Distinct <= maxValues
	if counted := !ranged && !listed && c.Role != "identifier"; counted && c.Distinct > 0 {
		facts = append(facts, fmt.Sprintf("%d distinct", c.Distinct))
	}
	if c.Nulls > 0 {
		facts = append(facts, fmt.Sprintf("%d nulls", c.Nulls))
	}
	if listed {
		facts = append(facts, "values "+quotedValues(c.Values))
	}
	return b.names.column(c.Name) + ": " + strings.Join(facts, ", ")
}

// plainRoles are roles that a column's type tells: texts are dimensions, numbers measures, dates times.
var plainRoles = map[string]bool{"dimension": true, "measure": true, "time": true}

func quotedValues(all []string) string {
	var values []string
	for _, v := range all[:min(len(all), maxValues)] {
		if quotable(v) {
			values = append(values, fmt.Sprintf("%q", v))
		}
	}
	return strings.Join(values, " ")
}

// inRange reports whether a text can be the end of a range of numbers or dates. Everything else would be a cell's text.
func inRange(s string) bool {
	if s == "" || len(s) > 40 {
		return false
	}
	for _, r := range s {
		if !strings.ContainsRune("0123456789+-.eE:TZ ", r) {
			return false
		}
	}
	return strings.ContainsAny(s, "0123456789")
}

// again is what a model is told about a plan that cannot run.
type again struct {
	Findings plan.Findings
	More     int
}

// again says what is wrong in the prompt's names.
func (b *brief) again(f plan.Findings) again {
	const most = 20
	out := again{slices.Clone(f[:min(len(f), most)]), max(len(f)-most, 0)}
	for i := range out.Findings {
		out.Findings[i].Path = b.names.mask(out.Findings[i].Path)
		out.Findings[i].Message = b.names.mask(out.Findings[i].Message)
	}
	return out
}
