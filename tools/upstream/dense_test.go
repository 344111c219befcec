package upstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/table"
	"catena/table/tabletest"
	"catena/tools"
)

// manyMembers are members of an object.
func manyMembers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"%06x":1,`, i)
	}
	return b.String()
}

// Millions of nothings in a list, beside it or in a definition take about their bytes, and no more is taken of them than of a
// list that is as long as it may be.
func TestDenseLists(t *testing.T) {
	nothings := strings.Repeat("{},", 1<<20)
	for name, text := range map[string]string{
		"list":       `{"tools":[` + nothings + `{}]}`,
		"page":       `{` + manyMembers(300_000) + `"tools":[]}`,
		"definition": `{"tools":[{` + manyMembers(300_000) + `"name":"a","inputSchema":{}}]}`,
		"schema":     `{"tools":[{"name":"a","inputSchema":{"properties":{` + manyMembers(300_000) + `"a":{}}}}]}`,
	} {
		c := newConn(slog.New(slog.DiscardHandler), nil, func(string) {})
		c.proto.modern, c.streams = true, true
		raw := []byte(text)
		took := tabletest.Allocated(func() {
			page, err := c.learnHeaders(raw, true)
			if err != nil {
				t.Fatal(err)
			}
			list, _, err := readPage(page, "tools")
			if err != nil || len(list) > maxListed+1 {
				t.Errorf("%s: %d elements, %v", name, len(list), err)
			}
			var d door
			for _, one := range list[:min(10, len(list))] {
				d.admit(one, "name", maxKey)
			}
		})
		if took > uint64(4*len(raw)+1<<20) {
			t.Errorf("%s: %d KiB were allocated for %d", name, took>>10, len(raw)>>10)
		}
	}
}

// What was learnt of the tools of former lists is forgotten.
func TestHeadersAreForgotten(t *testing.T) {
	c := newConn(slog.New(slog.DiscardHandler), nil, func(string) {})
	c.proto.modern, c.streams = true, true
	for i := range 10 {
		page := fmt.Sprintf(`{"tools":[{"name":"t%d","inputSchema":{"type":"object"}}]}`, i)
		if _, err := c.learnHeaders(json.RawMessage(page), i%2 == 0); err != nil {
			t.Fatal(err)
		}
	}
	if len(c.mirrored) != 2 {
		t.Errorf("%d tools are remembered, want those of the last two pages", len(c.mirrored))
	}
}

// A token of progress is a text of ours; what else a server calls one takes nothing.
func TestDenseProgress(t *testing.T) {
	c := newConn(slog.New(slog.DiscardHandler), nil, func(string) {})
	heard := 0
	defer c.onProgress("p1", func(float64, float64, string) { heard++ })()
	took := tabletest.Allocated(func() {
		c.progressed(json.RawMessage(`{"progress":1,"progressToken":[` + strings.Repeat("1,", 1<<20) + `1]}`))
	})
	c.progressed(json.RawMessage(`{"progress":1,"progressToken":"p1"}`))
	if took > 8<<20 || heard != 1 {
		t.Errorf("%d KiB were allocated, %d reports were heard", took>>10, heard)
	}
}

// What prompts and resources unfold to, and the bytes of a long answer, are drawn from what a call may take before they are
// there: as one message, and as an event of a stream.
func TestLargeAnswersAreDrawn(t *testing.T) {
	dense := strings.Repeat("{},", 200_000) + "{}"
	long := strings.Repeat("x", 12<<20)
	answers := map[string]string{"prompts/get": `{"messages":[` + dense + `]}`, "resources/read": `{"contents":[` + dense + `]}`,
		"tools/call": `{"content":[{"type":"text","text":"` + long + `"}]}`}
	var streams atomic.Bool
	w := newWeb(t, false)
	w.handle = func(out http.ResponseWriter, _ *http.Request, m request) bool {
		switch result := answers[m.Method]; {
		case m.Method == "initialize":
			reply(out, m, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"prompts":{},"resources":{}},"serverInfo":{"name":"old"}}`)
		case m.Method == "prompts/list":
			reply(out, m, `{"prompts":[{"name":"p"}]}`)
		case m.Method == "resources/list":
			reply(out, m, `{"resources":[{"uri":"x://r","name":"r"}]}`)
		case result == "":
			return false
		case streams.Load():
			stream(out)(`data: {"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":` + result + `}`)
		default:
			reply(out, m, result)
		}
		return true
	}
	budget := table.NewMemoryBudget(8 << 20)
	reg := tools.NewRegistry(tools.Options{Memory: budget})
	attachTo(t, reg, Options{}, Config{URL: w.URL})
	uri := ""
	for _, r := range reg.Resources(access.Local("test")) {
		if r.Def != nil {
			uri = r.Def.URI
		}
	}
	tooLarge := func(err error) bool {
		var arg *tools.ArgumentError
		return errors.As(err, &arg) && arg.Code == tools.CodeTooLarge
	}
	for _, in := range []bool{false, true} {
		streams.Store(in)
		if _, err := reg.GetPrompt(t.Context(), "web__p", tools.PromptCall{Caller: access.Local("test")}); !tooLarge(err) {
			t.Errorf("stream %t: prompt: %v", in, err)
		}
		if _, err := reg.ReadResource(t.Context(), access.Local("test"), uri); !tooLarge(err) {
			t.Errorf("stream %t: resource %s: %v", in, uri, err)
		}
		if res, err := reg.Call(t.Context(), tools.Call{Caller: access.Local("test"), Tool: "web__do", Args: map[string]any{"n": 2}}); err != nil || res.Code != tools.CodeTooLarge {
			t.Errorf("stream %t: call: %v, %s %s", in, err, res.Code, res.Text)
		}
	}
	if n := budget.Taken(); n != 0 {
		t.Errorf("%d bytes are not given back", n)
	}
}

// A call that waits for a person outlives the request that it was for, and so does what it may take: the answer behind the
// question is drawn as it comes, refused where it is too large, and given back with the call.
func TestParkedCallsDrawTheirMemory(t *testing.T) {
	long := map[string]string{"small": strings.Repeat("x", 1<<20), "large": strings.Repeat("x", 12<<20)}
	answered := make(chan request, 1)
	w := newWeb(t, false)
	w.handle = func(out http.ResponseWriter, _ *http.Request, m request) bool {
		switch {
		case m.Method == "" && len(m.ID) > 0:
			answered <- m
		case m.Method == "tools/call":
			write := stream(out)
			write(`data: {"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"sure?","requestedSchema":{"type":"object","properties":{}}}}`)
			<-answered
			write(`data: {"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":{"content":[{"type":"text","text":"` + long[fmt.Sprint(m.Params["name"])] + `"}]}}`)
			return true
		}
		return false
	}
	c, err := dial(t.Context(), Config{URL: w.URL}, slog.New(slog.DiscardHandler), party{asked: mind{}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.close(nil)
	for name, fits := range map[string]bool{"small": true, "large": false} {
		c.memory = table.NewMemoryBudget(8 << 20)
		s := &server{}
		want := wanted{method: methodCall, caller: "ann", client: &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapability{}}}
		first, over := context.WithCancel(t.Context())
		_, needs, err := s.older(first, c, want, map[string]any{"name": name}, trip{}, nil)
		if over(); err != nil || needs == nil {
			t.Fatalf("%s: %+v, %v", name, needs, err)
		}
		var at trip
		if err := json.Unmarshal([]byte(needs.State), &at); err != nil {
			t.Fatal(err)
		}
		raw, _, err := s.older(t.Context(), c, want, map[string]any{"name": name}, at, nil)
		var limit *table.LimitError
		if fits && (err != nil || len(raw) < len(long[name])) || !fits && (!errors.As(err, &limit) || limit.What != table.LimitMemory) {
			t.Errorf("%s: %d bytes, %v", name, len(raw), err)
		}
		eventually(t, name+" gives all back", func() bool { return c.memory.Taken() == 0 })
	}
}

// Of suggestions, questions and errors no more is taken than somebody reads.
func TestWhatIsReadOfAnswers(t *testing.T) {
	many := strings.Repeat(`"a",`, 1<<20) + `"a"`
	took := tabletest.Allocated(func() {
		out, err := completionIn(json.RawMessage(`{"completion":{"values":[` + many + `],"total":7}}`))
		if err != nil || len(out.Values) != maxSuggested || !out.HasMore || out.Total != 7 {
			t.Errorf("%d suggestions, %v", len(out.Values), err)
		}
	})
	if took > 32<<20 {
		t.Errorf("suggestions: %d KiB", took>>10)
	}
	for _, text := range []string{
		`{"resultType":"input_required","inputRequests":{` + manyMembers(maxOpen) + `"a":1}}`,
		`{"resultType":"input_required","requestState":"` + strings.Repeat("x", maxQuestion+1) + `"}`,
		`{"resultType":"input_required","inputRequests":{"a":"` + strings.Repeat("x", maxQuestion+1) + `"}}`,
	} {
		if open, err := questionsOf(json.RawMessage(text)); err == nil {
			t.Errorf("%.60s: %d questions are taken", text, len(open.Requests))
		}
	}
	c := newConn(slog.New(slog.DiscardHandler), nil, func(string) {})
	c.wire = deaf{}
	got := make(chan outcome, 1)
	c.pending[7] = got
	c.receive([]byte(`{"id":7,"error":{"code":1,"message":"`+strings.Repeat("x", 1<<20)+`","data":[`+many+`]}}`), 0)
	var refused *protocolError
	if !errors.As((<-got).err, &refused) || len(refused.message) > 2*maxErrorText || refused.data != nil {
		t.Errorf("an error of %d bytes, with %d of data, is kept", len(refused.message), len(refused.data))
	}
}

// Parts of an answer that cannot be shown are counted, not told one by one.
func TestNotesOfPartsAreBounded(t *testing.T) {
	picture := `{"type":"image","mimeType":"image/png","data":"iVBORw0KGgo="},`
	for name, part := range map[string]string{"kind": `{"type":"k"},`, "broken": `{"type":"image","data":"eA=="},`,
		"audio": `{"type":"audio","data":"eA=="},`, "pictures": picture} {
		res, err := result(t.Context(), remoteTool{}, json.RawMessage(`{"content":[`+strings.Repeat(part, 5000)+`{"type":"text","text":"x"}]}`))
		text := strings.Join(res.Notes, "\n")
		if err != nil || len(res.Notes) > maxNotes+2 || len(text) > 5000 || len(res.Charts) > maxPictures {
			t.Errorf("%s: %d notes of %d bytes, %d pictures, %v", name, len(res.Notes), len(text), len(res.Charts), err)
		}
		if more := map[bool]string{true: "of 5000 are shown", false: fmt.Sprint(5000 - maxNotes)}[name == "pictures"]; !strings.Contains(text, more) {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// A list that is dear to read is read less often, so that one which changes all the time takes a tenth of a processor.
func TestDearListsAreReadLessOften(t *testing.T) {
	for took, want := range map[time.Duration]time.Duration{
		0: listEvery, 50 * time.Millisecond: listEvery, 400 * time.Millisecond: 4 * time.Second, time.Minute: listAtLast,
	} {
		if got := untilListed(took); got != want {
			t.Errorf("after %s: %s, want %s", took, got, want)
		}
	}
}
