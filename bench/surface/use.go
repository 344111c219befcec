package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// examples are values for what prompts require, by the argument's name; any other gets a word.
var examples = map[string]string{
	"persona_id": "lila", "personas": "lila, don", "scenario_description": "Don has not called for two days.",
}

// known are URIs that the bundled data have, by template.
var known = map[string]string{
	"neo4j://personas/{persona_id}":                     "neo4j://personas/lila",
	"neo4j://relationships/{persona1_id}/{persona2_id}": "neo4j://relationships/lila/don",
	"neo4j://interactions/recent/{count}":               "neo4j://interactions/recent/5",
}

// use gets each prompt, reads each resource, and one of each template's.
func (s *session) use(ctx context.Context, out *surface, repo string) {
	note := func(kind, name string, err error) {
		if err != nil {
			out.faults[kind+" "+name] = err.Error()
		}
	}
	for _, name := range slices.Sorted(maps.Keys(out.prompts)) {
		note("prompt", name, s.getPrompt(ctx, name, out.prompts[name]))
	}
	for _, uri := range slices.Sorted(maps.Keys(out.resources)) {
		note("resource", uri, s.read(ctx, uri))
	}
	handle, herr := s.field(ctx, out, "get_revenue_by_region", map[string]any{}, "handle")
	index, ierr := s.field(ctx, out, "ensure_repo_index", map[string]any{"path": repo}, "index_id")
	for _, template := range slices.Sorted(maps.Keys(out.templates)) {
		uri, err := known[template], error(nil)
		switch {
		case strings.Contains(template, "{handle}"):
			uri, err = strings.ReplaceAll(template, "{handle}", handle), herr
		case strings.Contains(template, "{index_id}"):
			uri, err = strings.ReplaceAll(template, "{index_id}", index), ierr
		}
		if err == nil && uri != "" {
			err = s.await(ctx, uri)
		}
		note("template", template, err)
	}
}

// getPrompt gets a prompt with example values.
func (s *session) getPrompt(ctx context.Context, name string, list []argument) error {
	args := map[string]string{}
	for _, a := range list {
		if a.Required {
			args[a.Name] = examples[a.Name]
			if args[a.Name] == "" {
				args[a.Name] = "example"
			}
		}
	}
	var got struct {
		Messages []struct {
			Role    string
			Content struct{ Type, Text string }
		}
	}
	if err := s.get(ctx, "prompts/get", map[string]any{"name": name, "arguments": args}, &got); err != nil {
		return err
	}
	if len(got.Messages) == 0 {
		return errors.New("prompts/get: there are no messages")
	}
	for _, m := range got.Messages {
		if m.Role == "" || m.Content.Type == "text" && strings.TrimSpace(m.Content.Text) == "" {
			return errors.New("prompts/get: a message is empty")
		}
	}
	return nil
}

// await reads a URI that may take a moment to come: the bundle of an index that is being made.
func (s *session) await(ctx context.Context, uri string) error {
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		if err := s.read(ctx, uri); err == nil || time.Now().After(end) || ctx.Err() != nil {
			return err
		}
	}
}

// read reads a URI and looks at what came.
func (s *session) read(ctx context.Context, uri string) error {
	var got struct {
		Contents []struct {
			URI, MimeType string
			Text, Blob    *string
		}
	}
	if err := s.get(ctx, "resources/read", map[string]any{"uri": uri}, &got); err != nil {
		return fmt.Errorf("%s: %w", uri, err)
	}
	if len(got.Contents) == 0 {
		return fmt.Errorf("%s: resources/read: there are no contents", uri)
	}
	for _, c := range got.Contents {
		switch {
		case c.Text == nil && c.Blob == nil:
			return fmt.Errorf("%s: resources/read: a content has neither text nor blob", uri)
		case c.Text != nil && c.MimeType == "application/json" && !json.Valid([]byte(*c.Text)):
			return fmt.Errorf("%s: resources/read: the JSON is none", uri)
		case c.Blob != nil:
			if _, err := base64.StdEncoding.DecodeString(*c.Blob); err != nil {
				return fmt.Errorf("%s: resources/read: the blob: %w", uri, err)
			}
		}
	}
	return nil
}

// field calls a tool and returns a text of its structured content.
func (s *session) field(ctx context.Context, out *surface, tool string, args map[string]any, name string) (string, error) {
	if _, ok := out.tools[tool]; !ok {
		return "", fmt.Errorf("nothing can be read: there is no tool %s", tool)
	}
	var got struct {
		IsError           bool
		Content           []struct{ Text string }
		StructuredContent map[string]any
	}
	if err := s.get(ctx, "tools/call", map[string]any{"name": tool, "arguments": args}, &got); err != nil {
		return "", fmt.Errorf("%s: %w", tool, err)
	}
	if text, ok := got.StructuredContent[name].(string); ok && !got.IsError {
		return text, nil
	}
	return "", fmt.Errorf("%s gave no %s: %.200v", tool, name, got.Content)
}
