package openai

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strings"

	"catena/chat"
	"catena/internal/access"
	"catena/planner/plan"
	"catena/server"
)

// backgroundTask is something that a chat program asks on its own account beside a conversation: a title for it, tags,
// messages that could follow. Nobody wants tools run for it, nor a session.
type backgroundTask struct {
	prompt string
	kinds  []taskKind // what is to be returned, at least one
	asJSON bool       // as an object with a field for each kind
	fixed  bool       // no model is asked
}

// taskKind is one thing that chat programs ask to be returned.
type taskKind struct {
	key   string                  // of the JSON object that is asked for
	words *regexp.Regexp          // that ask for it as a text; nil is never
	alone func(prompt string) any // the value where no model can be asked: a text, or a list of texts
	fixed bool                    // alone is the answer even where a model is
}

// taskKinds are all kinds. A prompt is known by the keys of the JSON object that it wants; words count only where it
// wants a text.
var taskKinds = []taskKind{
	{key: "title", words: wordsOf(`titles?`), alone: func(prompt string) any { return titleOf(prompt) }},
	{key: "language", alone: always("English")}, // a field that a program wants beside the title
	{key: "tags", words: wordsOf(`tags?`), alone: always([]string{"General"})},
	{key: "follow_ups", words: wordsOf(`follow[- ]?ups?`), alone: always([]string{})},
	{key: "queries", words: wordsOf(`search quer(?:y|ies)`), alone: always([]string{})},
	{key: "text", words: wordsOf(`autocompletion|autocomplete`), alone: always("")},
	{key: "prompt", words: wordsOf(`image generation`), alone: always("")},
	{key: "emoji", words: wordsOf(`emojis?`), alone: always("💬")},
	// tools run in this server, and no model picks the client's
	{key: "tool_calls", alone: always([]string{}), fixed: true},
}

// mergeKind is the one answer that a program wants made of several.
var mergeKind = taskKind{alone: func(prompt string) any { return fullestOf(prompt) }}

func wordsOf(words string) *regexp.Regexp { return regexp.MustCompile(`(?i)\b(?:` + words + `)\b`) }

func always(value any) func(string) any { return func(string) any { return value } }

// backgroundTaskOf recognises a request that a chat program made itself, by what it asks to be returned and of what;
// nil is a message of a person. instructions is the system message, "" for none: some programs write there what they
// want. format is what the request demands of the answer's form.
func backgroundTaskOf(instructions, message string, format answerFormat) *backgroundTask {
	text := strings.TrimSpace(message)
	if t := toolChoosing(instructions, text); t != nil {
		return t
	}
	t := &backgroundTask{prompt: text}
	if instructions != "" {
		t.prompt = instructions + "\n\n" + text
	}
	if len(mergedAnswers(text)) > 0 {
		t.kinds = []taskKind{mergeKind}
		return t
	}
	p := promptOf(text)
	if p.documents { // around a person's words
		return nil
	}
	if t.kinds = p.kindsByKey(); len(t.kinds) > 0 {
		t.asJSON = true
		return t
	}
	if t.kinds = p.kindByWords(); len(t.kinds) == 0 {
		return nil
	}
	if t.asJSON = format.isJSON(); t.asJSON {
		t.kinds = withSchema(t.kinds, format)
	}
	return t
}

// background answers a task: by the model where there is one, else by itself.
func (s *handlers) background(ctx context.Context, caller access.Caller, task *backgroundTask) (string, plan.Usage) {
	if task.fixed {
		return task.alone(), plan.Usage{}
	}
	prompt := server.WithoutPictures(task.prompt) // charts of ours in the conversation
	text, usage, err := s.opt.Planner.Aside(ctx, caller, prompt)
	if err == nil && task.fits(text) {
		return text, usage
	}
	if err != nil && !errors.Is(err, chat.ErrNoModel) {
		s.log.WarnContext(ctx, "a chat program's own prompt is answered without the model", "error", err.Error())
	}
	return task.alone(), usage
}

// alone is the answer that no model gives.
func (t *backgroundTask) alone() string {
	object := map[string]any{}
	for _, k := range t.kinds {
		object[k.key] = k.alone(t.prompt)
	}
	text, isText := object[t.kinds[0].key].(string)
	switch {
	case t.asJSON:
	case isText:
		return text
	default:
		list, _ := object[t.kinds[0].key].([]string)
		return strings.Join(list, ", ")
	}
	data, err := json.Marshal(object)
	if err != nil {
		return "" // texts and lists of texts
	}
	return string(data)
}

// fits reports whether a model's text has the form that was asked for. Fences around JSON are what these programs take
// off themselves.
func (t *backgroundTask) fits(text string) bool {
	if !t.asJSON {
		return text != "" && !strings.HasPrefix(text, "{")
	}
	from, to := strings.Index(text, "{"), strings.LastIndex(text, "}")
	var object map[string]json.RawMessage
	if from < 0 || to <= from || json.Unmarshal([]byte(text[from:to+1]), &object) != nil {
		return false
	}
	for _, k := range t.kinds {
		if object[k.key] == nil {
			return false
		}
	}
	return true
}
