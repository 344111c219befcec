package server

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"unicode/utf8"

	"catena/chat"
	"catena/internal/access"
	"catena/planner/plan"
)

// backgroundTask is something that a chat program asks on its own account beside a conversation: a title for it, tags, questions that could
// follow. Nobody wants tools run for it, nor a session.
type backgroundTask struct {
	marks  []string // the beginning of the prompt has one of them
	key    string   // of the JSON object to answer
	nobody any      // the key's value where no model can be asked; nil is a title made of the first message
}

// Prompts of Open WebUI begin with "### Task:" and hold the conversation as <chat_history>.
var openWebUITasks = []backgroundTask{
	{[]string{"autocompletion"}, "text", ""},
	{[]string{"follow-up", "follow up"}, "follow_ups", []string{}},
	{[]string{" tags "}, "tags", []string{"General"}},
	{[]string{"queries"}, "queries", []string{}},
	{[]string{"image generation"}, "prompt", ""},
	{[]string{"title"}, "title", nil},
}

// taskHead is how much of a prompt says what is asked; behind it come rules, examples, and the conversation with any words at all.
const taskHead = 240

// backgroundTaskOf recognises a prompt that a chat program wrote itself; nil is a message of a person.
func backgroundTaskOf(prompt string) *backgroundTask {
	text := strings.TrimSpace(prompt)
	head := strings.ToLower(text[:min(len(text), taskHead)])
	if rest, ok := strings.CutPrefix(head, "### task:"); ok && (strings.Contains(text, "<chat_history>") || strings.Contains(text, "### Output")) {
		for _, t := range openWebUITasks {
			for _, mark := range t.marks {
				if strings.Contains(rest, mark) {
					return &t
				}
			}
		}
	}
	if strings.HasPrefix(head, "your task is to reflect the speaker's likely facial expression") { // Open WebUI's, for a call
		return &backgroundTask{key: "emoji", nobody: "💬"}
	}
	// LibreChat's, in its two forms.
	if strings.Contains(head, "5-word-or-less title") || strings.HasPrefix(head, "analyze this conversation and provide") && strings.Contains(head, "concise title") {
		return &backgroundTask{key: "title"}
	}
	return nil
}

// background answers a task: by the model where there is one, else by itself.
func (s *Server) background(ctx context.Context, caller access.Caller, task *backgroundTask, prompt string, asJSON bool) (string, plan.Usage) {
	asJSON = asJSON || strings.Contains(prompt, `"`+task.key+`"`)
	text, usage, err := s.opt.Planner.Aside(ctx, caller, prompt)
	if err == nil && fits(text, task.key, asJSON) {
		return text, usage
	}
	if err != nil && !errors.Is(err, chat.ErrNoModel) {
		s.log.WarnContext(ctx, "a chat program's own prompt is answered without the model", "error", err.Error())
	}
	value := task.nobody
	if value == nil {
		value = titleOf(prompt)
	}
	if title, ok := value.(string); ok && !asJSON {
		return title, usage
	}
	answer := map[string]any{task.key: value}
	if asJSON && strings.Contains(prompt, "detected language") {
		answer["language"] = "English" // of which no word is known; it is a field that the program wants
	}
	data, err := json.Marshal(answer)
	if err != nil {
		return "", usage // strings and lists of strings
	}
	return string(data), usage
}

// fits reports whether a model's text has the form that was asked for. Fences around JSON are what these programs take off themselves.
func fits(text, key string, asJSON bool) bool {
	if !asJSON {
		return text != "" && !strings.HasPrefix(text, "{")
	}
	from, to := strings.Index(text, "{"), strings.LastIndex(text, "}")
	var object map[string]json.RawMessage
	return from >= 0 && to > from && json.Unmarshal([]byte(text[from:to+1]), &object) == nil && object[key] != nil
}

// firstSaid is the person's first message in a conversation written out.
var firstSaid = regexp.MustCompile(`(?im)^\s*(?:user|human)\s*:[ \t]*(\S.*)$`)

// Bounds of a title made here.
const (
	titleWords = 6
	titleRunes = 60
)

// titleOf makes a title of the first message in a conversation that a prompt shows.
func titleOf(prompt string) string {
	for _, mark := range []string{"<chat_history>", "Conversation:"} {
		if _, after, ok := strings.Cut(prompt, mark); ok {
			prompt = after
		}
	}
	m := firstSaid.FindStringSubmatch(prompt)
	if m == nil {
		return "Chat"
	}
	words := strings.Fields(m[1])
	title := strings.TrimRight(strings.Join(words[:min(len(words), titleWords)], " "), ".,;:?! ")
	if title == "" {
		return "Chat"
	}
	if r := []rune(title); len(r) > titleRunes {
		title = string(r[:titleRunes-1]) + "…"
	}
	first, size := utf8.DecodeRuneInString(title)
	return strings.ToUpper(string(first)) + title[size:]
}
