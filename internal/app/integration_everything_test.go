//go:build integration

package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	overmcp "catena/server/mcp"

	"catena/tools"
)

// everything is the toolkit that the MCP conformance suite asks its servers for, by the suite's names. It is registered beside the
// product's own tools, so that its calls take the same way: front, sessions, registry, journal.
type everything struct {
	p     *App
	tries atomic.Int64
}

const (
	pixel   = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
	silence = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="
)

func text(s string) mcp.Content { return mcp.NewTextContent(s) }

// answer makes the handler of a tool that always gives the same parts.
func answer(parts ...mcp.Content) tools.Handler {
	return func(context.Context, tools.Call) (tools.Result, error) { return tools.Result{Content: parts}, nil }
}

func said(format string, args ...any) (tools.Result, error) {
	return tools.Result{Text: fmt.Sprintf(format, args...)}, nil
}

const noArgs = `{"type":"object","properties":{}}`

func (e *everything) kit() kit {
	tool := func(name, schema string, h tools.Handler) tools.Tool {
		def := mcp.NewToolWithRawSchema(name, "What the suite asks for as "+name+".", json.RawMessage(schema))
		yes := true
		def.Annotations.ReadOnlyHint = &yes
		return tools.Tool{Def: def, Toolset: "everything", Handler: h}
	}
	embedded := func(uri, media, body string) mcp.Content {
		return mcp.NewEmbeddedResource(mcp.TextResourceContents{URI: uri, MIMEType: media, Text: body})
	}
	message := func(field string) string {
		return `{"type":"object","properties":{"` + field + `":{"type":"string"}},"required":["` + field + `"]}`
	}
	list := []tools.Tool{
		tool("test_simple_text", noArgs, func(context.Context, tools.Call) (tools.Result, error) {
			return said("This is a simple text response for testing.")
		}),
		tool("test_image_content", noArgs, answer(mcp.NewImageContent(pixel, "image/png"))),
		tool("test_audio_content", noArgs, answer(mcp.NewAudioContent(silence, "audio/wav"))),
		tool("test_embedded_resource", noArgs, answer(embedded("test://embedded-resource", "text/plain", "This is an embedded resource content."))),
		tool("test_multiple_content_types", noArgs, answer(text("Multiple content types test:"), mcp.NewImageContent(pixel, "image/png"),
			embedded("test://mixed-content-resource", "application/json", `{"test":"data","value":123}`))),
		tool("test_tool_with_logging", noArgs, logging),
		tool("test_logging_tool", noArgs, logging),
		tool("test_tool_with_progress", noArgs, progressing),
		tool("test_streaming_elicitation", noArgs, progressing),
		tool("test_error_handling", noArgs, func(context.Context, tools.Call) (tools.Result, error) {
			return tools.Failed("intended", "This tool intentionally returns an error for testing"), nil
		}),
		tool("json_schema_2020_12_tool", dialect, func(_ context.Context, call tools.Call) (tools.Result, error) {
			return said("called with %v", call.Args)
		}),
		tool("test_x_mcp_header", `{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}},"required":["region"]}`, answer(text("routed"))),
		tool("test_trigger_tool_change", noArgs, e.changeTools),
		tool("test_trigger_prompt_change", noArgs, e.changePrompts),
		tool("test_sampling", message("prompt"), samples),
		tool("test_missing_capability", noArgs, samples),
		tool("test_elicitation", message("message"), elicits("message", `{"response":{"type":"string","description":"User's response"}}`, "response")),
		tool("test_elicitation_sep1034_defaults", noArgs, elicits("", preset)),
		tool("test_elicitation_sep1330_enums", noArgs, elicits("", enums)),
	}
	for name, h := range asking {
		list = append(list, tool("test_input_required_result_"+name, noArgs, h))
	}
	return kit{tools: append(list, lasting()...), resources: resources(), prompts: prompts()}
}

func logging(ctx context.Context, call tools.Call) (tools.Result, error) {
	for i, line := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
		if i > 0 {
			pause(ctx)
		}
		if call.Log != nil {
			call.Log(tools.LogEntry{Level: mcp.LoggingLevelInfo, Data: line})
		}
	}
	return said("Tool with logging executed successfully")
}

func progressing(ctx context.Context, call tools.Call) (tools.Result, error) {
	for i, p := range []float64{0, 50, 100} {
		if i > 0 {
			pause(ctx)
		}
		if call.Progress != nil {
			call.Progress(tools.Progress{Done: p, Total: 100, Message: fmt.Sprintf("Completed step %v of 100", p)})
		}
	}
	return said("progress reported")
}

// pause is the time that the suite wants between two notifications.
func pause(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(50 * time.Millisecond):
	}
}

// changeTools and changePrompts change the lists as an upstream does that comes.
func (e *everything) changeTools(context.Context, tools.Call) (tools.Result, error) {
	name := fmt.Sprintf("late__tool_%d", e.tries.Add(1))
	err := e.p.Registry.Replace("late", tools.Tool{Def: mcp.NewToolWithRawSchema(name, "Came late.", json.RawMessage(noArgs)), Toolset: "late", Handler: answer(text("late"))})
	e.p.listsChanged((*overmcp.Server).ToolsChanged)
	return tools.Result{Text: "changed"}, err
}

func (e *everything) changePrompts(context.Context, tools.Call) (tools.Result, error) {
	err := e.p.Registry.RegisterPrompts(tools.Prompt{Toolset: "late", Def: mcp.NewPrompt(fmt.Sprintf("late_%d", e.tries.Add(1)), mcp.WithPromptDescription("Came late.")), Get: simplePrompt})
	e.p.overMCP.Load().PromptsChanged()
	return tools.Result{Text: "changed"}, err
}

// dialect uses what JSON Schema 2020-12 has beside properties and required.
const dialect = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
"$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},
"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},"contactMethod":{"type":"string","enum":["phone","email"]},"phone":{"type":"string"},"email":{"type":"string"}},
"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],
"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},"then":{"required":["phone"]},"else":{"required":["email"]},
"additionalProperties":false}`

func resources() []tools.Resource {
	fixed := func(uri, name, media string, c mcp.ResourceContents) tools.Resource {
		def := mcp.NewResource(uri, name, mcp.WithMIMEType(media), mcp.WithResourceDescription("What the suite reads."))
		return tools.Resource{Toolset: "everything", Def: &def, Read: func(context.Context, tools.ResourceCall) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{c}, nil
		}}
	}
	template := mcp.NewResourceTemplate("test://template/{id}/data", "template", mcp.WithTemplateMIMEType("application/json"))
	return []tools.Resource{
		fixed("test://static-text", "static-text", "text/plain", mcp.TextResourceContents{URI: "test://static-text", MIMEType: "text/plain", Text: "This is the content of the static text resource."}),
		fixed("test://static-binary", "static-binary", "image/png", mcp.BlobResourceContents{URI: "test://static-binary", MIMEType: "image/png", Blob: pixel}),
		fixed("test://watched-resource", "watched-resource", "text/plain", mcp.TextResourceContents{URI: "test://watched-resource", MIMEType: "text/plain", Text: "Watched"}),
		{Toolset: "everything", Template: &template, Read: func(_ context.Context, call tools.ResourceCall) ([]mcp.ResourceContents, error) {
			body, err := json.Marshal(map[string]any{"id": call.Vars["id"], "templateTest": true, "data": "Data for ID: " + call.Vars["id"]})
			return []mcp.ResourceContents{mcp.TextResourceContents{URI: call.URI, MIMEType: "application/json", Text: string(body)}}, err
		}},
	}
}

func told(parts ...mcp.Content) (*mcp.GetPromptResult, error) {
	out := &mcp.GetPromptResult{}
	for _, part := range parts {
		out.Messages = append(out.Messages, mcp.NewPromptMessage(mcp.RoleUser, part))
	}
	return out, nil
}

func simplePrompt(context.Context, tools.PromptCall) (*mcp.GetPromptResult, error) {
	return told(text("This is a simple prompt for testing."))
}

func prompts() []tools.Prompt {
	prompt := func(name string, get func(context.Context, tools.PromptCall) (*mcp.GetPromptResult, error), args ...string) tools.Prompt {
		opts := []mcp.PromptOption{mcp.WithPromptDescription("What the suite gets as " + name + ".")}
		for _, a := range args {
			opts = append(opts, mcp.WithArgument(a, mcp.RequiredArgument(), mcp.ArgumentDescription("Any text.")))
		}
		return tools.Prompt{Toolset: "everything", Def: mcp.NewPrompt(name, opts...), Get: get}
	}
	return []tools.Prompt{
		prompt("test_simple_prompt", simplePrompt),
		prompt("test_prompt_with_arguments", func(_ context.Context, call tools.PromptCall) (*mcp.GetPromptResult, error) {
			return told(text(fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", call.Args["arg1"], call.Args["arg2"])))
		}, "arg1", "arg2"),
		prompt("test_prompt_with_embedded_resource", func(_ context.Context, call tools.PromptCall) (*mcp.GetPromptResult, error) {
			return told(mcp.NewEmbeddedResource(mcp.TextResourceContents{URI: call.Args["resourceUri"], MIMEType: "text/plain", Text: "Embedded resource content for testing."}),
				text("Please process the embedded resource above."))
		}, "resourceUri"),
		prompt("test_prompt_with_image", func(context.Context, tools.PromptCall) (*mcp.GetPromptResult, error) {
			return told(mcp.NewImageContent(pixel, "image/png"), text("Please analyze the image above."))
		}),
		prompt("test_input_required_result_prompt", func(_ context.Context, call tools.PromptCall) (*mcp.GetPromptResult, error) {
			if said, ok := field(call.Answers, "user_context", "context"); ok {
				return told(text("Prompt with context: " + said))
			}
			out := &mcp.GetPromptResult{Result: mcp.Result{ResultType: mcp.ResultTypeInputRequired}}
			out.InputRequests = mcp.InputRequests{"user_context": form("What context should the prompt use?", `{"context":{"type":"string"}}`, "context")}
			return out, nil
		}),
	}
}

// form is an elicitation of properties.
func form(message, properties string, required ...string) mcp.InputRequest {
	if required == nil {
		required = []string{}
	}
	return mcp.NewElicitationInputRequest(mcp.ElicitationParams{Message: message,
		RequestedSchema: map[string]any{"type": "object", "properties": json.RawMessage(properties), "required": required}})
}

func sample(prompt string) mcp.InputRequest {
	return mcp.NewSamplingInputRequest(mcp.CreateMessageParams{MaxTokens: 100, Messages: []mcp.SamplingMessage{{Role: mcp.RoleUser, Content: text(prompt)}}})
}

func needs(state string, requests mcp.InputRequests) (tools.Result, error) {
	return tools.Result{Needs: &tools.Needs{Requests: requests, State: state}}, nil
}

// field is a text field of what a person answered.
func field(answers mcp.InputResponses, id, name string) (string, bool) {
	got := tools.Elicited(answers, id)
	if got == nil {
		return "", false
	}
	fields, _ := got.Content.(map[string]any)
	value, ok := fields[name]
	return fmt.Sprint(value), ok
}

// sampled is the text of what a client's model answered.
func sampled(answers mcp.InputResponses, id string) (string, bool) {
	answer, ok := answers[id]
	if !ok || answer.DecodeFor(mcp.MethodSamplingCreateMessage) != nil {
		return "", false
	}
	raw, err := json.Marshal(answer.Sampling.Content)
	var part struct{ Text string }
	return part.Text, err == nil && json.Unmarshal(raw, &part) == nil
}

func rooted(answers mcp.InputResponses, id string) (int, bool) {
	answer, ok := answers[id]
	if !ok || answer.DecodeFor(mcp.MethodListRoots) != nil {
		return 0, false
	}
	return len(answer.Roots.Roots), true
}

func samples(_ context.Context, call tools.Call) (tools.Result, error) {
	if got, ok := sampled(call.Answers, "sample"); ok {
		return said("LLM response: %s", got)
	}
	prompt, _ := call.Args["prompt"].(string)
	return needs("", mcp.InputRequests{"sample": sample(prompt)})
}

// elicits makes the handler of a tool that puts a form before a person and says what came of it.
func elicits(argument, properties string, required ...string) tools.Handler {
	return func(_ context.Context, call tools.Call) (tools.Result, error) {
		got := tools.Elicited(call.Answers, "form")
		if got == nil {
			message, _ := call.Args[argument].(string)
			return needs("", mcp.InputRequests{"form": form(strings.TrimSpace(message+" Please fill in."), properties, required...)})
		}
		content, err := json.Marshal(got.Content)
		return tools.Result{Text: fmt.Sprintf("Elicitation completed: action=%s, content=%s", got.Action, content)}, err
	}
}

const preset = `{"name":{"type":"string","default":"John Doe"},"age":{"type":"integer","default":30},"score":{"type":"number","default":95.5},
"status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},"verified":{"type":"boolean","default":true}}`

const enums = `{"untitledSingle":{"type":"string","enum":["option1","option2","option3"]},
"titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},{"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]},
"legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],"enumNames":["Option One","Option Two","Option Three"]},
"untitledMulti":{"type":"array","minItems":1,"maxItems":3,"items":{"type":"string","enum":["option1","option2","option3"]}},
"titledMulti":{"type":"array","minItems":1,"maxItems":3,"items":{"anyOf":[{"const":"value1","title":"First Choice"},{"const":"value2","title":"Second Choice"},{"const":"value3","title":"Third Choice"}]}}}`

const (
	askName    = `{"name":{"type":"string"}}`
	askConfirm = `{"ok":{"type":"boolean"}}`
)

// asking are the tools that ask before they answer, by the end of their names.
var asking = map[string]tools.Handler{
	"elicitation": func(_ context.Context, call tools.Call) (tools.Result, error) {
		if name, ok := field(call.Answers, "user_name", "name"); ok {
			return said("Hello, %s!", name)
		}
		return needs("", mcp.InputRequests{"user_name": form("What is your name?", askName, "name")})
	},
	"sampling": func(_ context.Context, call tools.Call) (tools.Result, error) {
		if got, ok := sampled(call.Answers, "sample_request"); ok {
			return said("Sampling result: %s", got)
		}
		return needs("", mcp.InputRequests{"sample_request": sample("What is the capital of France?")})
	},
	"list_roots": func(_ context.Context, call tools.Call) (tools.Result, error) {
		if n, ok := rooted(call.Answers, "roots_request"); ok {
			return said("Found %d root(s)", n)
		}
		return needs("", mcp.InputRequests{"roots_request": mcp.NewRootsInputRequest()})
	},
	"request_state":  confirms("state-ok: requestState validated"),
	"tampered_state": confirms("integrity-ok: state verified"),
	"multiple_inputs": func(_ context.Context, call tools.Call) (tools.Result, error) {
		name, named := field(call.Answers, "user_name", "name")
		greeting, greeted := sampled(call.Answers, "greeting")
		roots, found := rooted(call.Answers, "client_roots")
		if named && greeted && found && call.State == "all" {
			return said("Name: %s; Greeting: %s; Roots: %d", name, greeting, roots)
		}
		return needs("all", mcp.InputRequests{"user_name": form("What is your name?", askName, "name"), "greeting": sample("Generate a greeting"),
			"client_roots": mcp.NewRootsInputRequest()})
	},
	"multi_round": func(_ context.Context, call tools.Call) (tools.Result, error) {
		first, hasFirst := field(call.Answers, "step1", "name")
		color, hasColor := field(call.Answers, "step2", "color")
		name, second := strings.CutPrefix(call.State, "named ")
		switch {
		case second && hasColor:
			return said("Multi-round complete for %s who likes %s", name, color)
		case call.State == "started" && hasFirst:
			return needs("named "+first, mcp.InputRequests{"step2": form("Step 2: What is your favorite color?", `{"color":{"type":"string"}}`, "color")})
		}
		return needs("started", mcp.InputRequests{"step1": form("Step 1: What is your name?", askName, "name")})
	},
	"capabilities": func(_ context.Context, call tools.Call) (tools.Result, error) {
		requests := mcp.InputRequests{}
		if call.Client == nil {
			return tools.Result{}, errors.New("a client without capabilities")
		}
		if call.Client.Elicitation != nil {
			requests["elicit_input"] = form("Elicitation input", `{"value":{"type":"string"}}`, "value")
		}
		if call.Client.Sampling != nil {
			requests["sample_input"] = sample("Sample request")
		}
		if len(call.Answers) > 0 || len(requests) == 0 {
			return said("capabilities-ok: %d answers", len(call.Answers))
		}
		return needs("asked", requests)
	},
}

func confirms(done string) tools.Handler {
	return func(_ context.Context, call tools.Call) (tools.Result, error) {
		if ok, there := field(call.Answers, "confirm", "ok"); there && ok == "true" && call.State == "asked" {
			return said("%s", done)
		}
		return needs("asked", mcp.InputRequests{"confirm": form("Please confirm", askConfirm, "ok")})
	}
}
