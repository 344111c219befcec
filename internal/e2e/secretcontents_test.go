package e2e

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"go.yaml.in/yaml/v3"

	"catena/internal/access"
	"catena/internal/config"
	"catena/internal/e2e/e2etest"
	"catena/tools"
)

// TestNoSecretSettingInContents: no value of a secret setting leaves in what another server gives, in any kind of content: TestHiddenResults of
// tools has every place of each.
func TestNoSecretSettingInContents(t *testing.T) {
	document, secrets := secretSettings(t)
	text, err := yaml.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/settings.yaml", text, 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(t.Context(), e2etest.Settings(), dir+"/settings.yaml", nil, map[string][]string{"store.dir": {dir}})
	if err != nil {
		t.Fatal(err)
	}
	hider := &config.Hider{}
	hider.Set(cfg)
	for path, secret := range secrets {
		r := tools.NewRegistry(tools.Options{Hide: hider.Hide})
		var heard []any
		contents := contentsWith(secret)
		yes := true
		err := errors.Join(r.Register(tools.Tool{
			Def:     mcp.Tool{Name: "srv__give", Description: secret, RawInputSchema: json.RawMessage(`{"type":"object"}`), Annotations: mcp.ToolAnnotation{ReadOnlyHint: &yes}},
			Toolset: "srv", Sinks: map[string]tools.Sink{},
			Handler: func(_ context.Context, call tools.Call) (tools.Result, error) {
				call.Progress(tools.Progress{Message: secret})
				call.Log(tools.LogEntry{Logger: "srv", Data: map[string]any{"a": []any{secret}}})
				raw := json.RawMessage(`{"a":["` + secret + `"]}`)
				return tools.Result{Text: secret, Structured: map[string]any{"a": secret}, Foreign: raw, Meta: map[string]any{"m": []any{secret}}, Content: contents,
					Charts: []tools.Chart{{Title: secret, SVG: "<svg>" + secret + "</svg>", Alt: secret, VegaLite: map[string]any{"v": secret}}}, Notes: []string{secret}}, nil
			},
		}), r.RegisterPrompts(tools.Prompt{Toolset: "srv", Def: mcp.Prompt{Name: "p"}, Get: func(context.Context, tools.PromptCall) (*mcp.GetPromptResult, error) {
			out := &mcp.GetPromptResult{Description: secret}
			for _, c := range contents {
				out.Messages = append(out.Messages, mcp.PromptMessage{Role: mcp.RoleUser, Content: c})
			}
			return out, nil
		}}))
		if err != nil {
			t.Fatal(err)
		}
		ann := access.Caller{ID: "ann"}
		res, err := r.Call(t.Context(), tools.Call{Tool: "srv__give", Caller: ann, Progress: func(p tools.Progress) { heard = append(heard, p) }, Log: func(e tools.LogEntry) { heard = append(heard, e) }})
		prompt, perr := r.GetPrompt(t.Context(), "p", tools.PromptCall{Caller: ann})
		tool, _ := r.Find(ann, "srv__give")
		out, jerr := json.Marshal([]any{res, prompt, heard, tool.Def.Description})
		if all := errors.Join(err, perr, jerr); all != nil {
			t.Fatal(all)
		}
		if found := leaks(string(out)+fmt.Sprintf("%+v", res), secrets); len(found) > 0 || len(heard) != 2 {
			t.Errorf("%s leaves: %v\n%s", path, found, out)
		}
	}
}

// contentsWith are contents of each kind with a text in them.
func contentsWith(text string) []mcp.Content {
	blob := base64.StdEncoding.EncodeToString([]byte("x" + text))
	meta := &mcp.Meta{AdditionalFields: map[string]any{"m": text}}
	return []mcp.Content{
		mcp.TextContent{Type: "text", Text: text, Meta: meta}, mcp.ImageContent{Type: "image", Data: blob, MIMEType: "image/png", Meta: meta},
		mcp.AudioContent{Type: "audio", Data: blob, MIMEType: "audio/wav"}, mcp.NewResourceLink("x://"+text, text, text, "text/plain"),
		mcp.NewEmbeddedResource(mcp.TextResourceContents{URI: "x://y", Text: text, Meta: meta.AdditionalFields}), mcp.NewEmbeddedResource(mcp.BlobResourceContents{URI: "x://" + text, Blob: blob}),
	}
}
