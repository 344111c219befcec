package chat

import (
	"context"
	"errors"
	"strings"
	"testing"

	"catena/chat/chattest"
	"catena/chat/form"
)

// TestForm: a model maps an answer into the asked schema where the names of its columns do not fit, is told what is wrong with a mapping once, and
// what it does not manage costs the mapping alone.
func TestForm(t *testing.T) {
	const schema = `{"type":"object","properties":{"best":{"type":"array","items":{"type":"object","properties":{"who":{"type":"string"}},"required":["who"]}},"n":{"type":"integer"}},"required":["best","n"]}`
	const good = `{"fields":[{"path":"$.best","table":1},{"path":"$.best[].who","column":1},{"path":"$.n","table":1,"fact":"rows"}]}`
	const otherSchema = `{"type":"array","items":{"type":"object","properties":{"client":{"type":"string"},"best.who":{"type":"string"}},"required":["client"]}}`
	const goodOther = `{"fields":[{"path":"$","table":1},{"path":"$[].client","column":1},{"path":"$[][\"best.who\"]","column":1}]}`
	for name, c := range map[string]struct {
		writer *chattest.Writes
		form   string
		calls  int
		mapped bool
		fault  string // its code
	}{
		"mapped":               {&chattest.Writes{Text: good}, schema, 1, true, ""},
		"no mapping":           {&chattest.Writes{Text: `{"fields":[{"path":"$.n","const":77}]}`}, schema, 2, false, codeBadMapping},
		"a model that is down": {&chattest.Writes{Err: errors.New("429")}, schema, 1, false, codeNoMapping},
		"columns by name":      {&chattest.Writes{Text: good}, `{"type":"array","items":{"type":"object","properties":{"client":{"type":"string"}}}}`, 0, false, ""},
		"no schema":            {&chattest.Writes{Text: good}, "", 0, false, ""},
		"an optional field":    {&chattest.Writes{Text: goodOther}, otherSchema, 1, true, ""},
		"an optional field that the model cannot map": {&chattest.Writes{Err: errors.New("429")}, otherSchema, 1, false, codeNoMapping},
	} {
		w := newWorld(t)
		w.opts.Writer = c.writer
		req := Request{Message: "top", Summarize: "off"}
		if c.form != "" {
			req.Form = []byte(c.form)
		}
		resp, err := w.engine().Turn(context.Background(), chattest.Ann, req, nil)
		if err != nil || resp.Outcome != OutcomeAnswer || (resp.Mapping != nil) != c.mapped || resp.Usage.Calls != c.calls {
			t.Errorf("%s: %d calls, mapping %+v, %v", name, resp.Usage.Calls, resp.Mapping, err)
		}
		if fault := resp.MappingFault; (fault != nil) != (c.fault != "") || fault != nil && fault.Code != c.fault {
			t.Errorf("%s: %+v", name, fault)
		}
		if left := strings.Contains(strings.Join(resp.Notes, " "), "Left out of the asked schema"); left != (c.form == otherSchema && !c.mapped) {
			t.Errorf("%s: notes %q", name, resp.Notes)
		}
		if c.calls > 0 && (strings.Contains(c.writer.Prompt, "Northwind") || !strings.Contains(c.writer.Prompt, "who")) {
			t.Errorf("%s: asked with %s", name, c.writer.Prompt)
		}
		if c.mapped {
			s, err := form.Read(req.Form)
			if err != nil {
				t.Fatal(err)
			}
			text, err := s.Fill(t.Context(), resp.FormAnswer(), resp.Mapping)
			if err != nil || !strings.Contains(text, "Northwind Freight") {
				t.Errorf("%s %v", text, err)
			}
		}
	}
}
