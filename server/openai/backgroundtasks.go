package openai

import (
	"cmp"
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

// backgroundTask is something that a chat program asks on its own account beside a conversation: a title for it, tags, messages that could
// follow. Nobody wants tools run for it, nor a session.
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

// taskKinds are all kinds. A prompt is known by the keys of the JSON object that it wants; words count only where it wants a text.
var taskKinds = []taskKind{
	{key: "title", words: wordsOf(`titles?`), alone: func(prompt string) any { return titleOf(prompt) }},
	{key: "language", alone: always("English")}, // a field that a program wants beside the title
	{key: "tags", words: wordsOf(`tags?`), alone: always([]string{"General"})},
	{key: "follow_ups", words: wordsOf(`follow[- ]?ups?`), alone: always([]string{})},
	{key: "queries", words: wordsOf(`search quer(?:y|ies)`), alone: always([]string{})},
	{key: "text", words: wordsOf(`autocompletion|autocomplete`), alone: always("")},
	{key: "prompt", words: wordsOf(`image generation`), alone: always("")},
	{key: "emoji", words: wordsOf(`emojis?`), alone: always("💬")},
	{key: "tool_calls", alone: always([]string{}), fixed: true}, // tools run in this server, and no model picks the client's
}

// mergeKind is the one answer that a program wants made of several.
var mergeKind = taskKind{alone: func(prompt string) any { return fullestOf(prompt) }}

func wordsOf(words string) *regexp.Regexp { return regexp.MustCompile(`(?i)\b(?:` + words + `)\b`) }

func always(value any) func(string) any { return func(string) any { return value } }

// Parts of the prompts of chat programs.
var (
	// talkStart begins the conversation as a program writes it out: in an element, or as lines that begin with who speaks.
	talkStart = regexp.MustCompile(`(?m)<chat_history>|^[ \t]*(?i:user|human|assistant|ai)[ \t]*:`)
	talkEnd   = "</chat_history>"
	// askedKey is a key of a JSON object in the instructions: in an example of it, or named as "the key".
	askedKey = regexp.MustCompile(`[{,]\s*"(\w+)"\s*:|"(\w+)" key\b`)
	// taskHead begins a program's prompt in sections.
	taskHead = regexp.MustCompile(`(?i)^#{2,3} task:?\s`)
	// quotedMessage ends a prompt about one message.
	quotedMessage = regexp.MustCompile("(?s)\nMessage: ```.*```$")
	// aboutTalk says that the instructions are about a conversation.
	aboutTalk = regexp.MustCompile(`(?i)\b(?:conversation|chat)\b`)
	// offeredTools are the tools of the program that asks which of them to call.
	offeredTools = regexp.MustCompile(`(?i)\bavailable tools\s*:`)
	// merging says that one answer is to be made of several; answersGiven begins them.
	merging      = regexp.MustCompile(`(?is)\bresponses\b.*\bsingle\b.*\bresponse\b`)
	answersGiven = regexp.MustCompile(`:\s*"""`)
)

// backgroundTaskOf recognises a request that a chat program made itself, by what it asks to be returned and of what; nil is a message of
// a person. instructions is the system message, "" for none: some programs write there what they want. format is what the request
// demands of the answer's form.
func backgroundTaskOf(instructions, message string, format answerFormat) *backgroundTask {
	text := strings.TrimSpace(message)
	if t := toolChoosing(instructions, text); t != nil {
		return t
	}
	t := &backgroundTask{prompt: text}
	if instructions != "" {
		t.prompt = instructions + "\n\n" + text
	}
	if mergesAnswers(text) {
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

// programPrompt is a prompt that may be a program's.
type programPrompt struct {
	asked     string // without the conversation in it
	element   bool   // the conversation stands in an element
	about     bool   // it stands as lines, and the prompt speaks of it
	quoted    bool   // it ends with the one message that it is about
	documents bool   // it has documents that answer a person's words
}

func promptOf(text string) programPrompt {
	p := programPrompt{asked: text, quoted: quotedMessage.MatchString(text)}
	at := talkStart.FindStringIndex(text)
	if at != nil {
		p.asked = text[:at[0]]
		p.element = text[at[0]] == '<'
		p.about = !p.element && aboutTalk.MatchString(p.asked)
		if end := strings.LastIndex(text, talkEnd); p.element && end > at[0] {
			p.asked += text[end+len(talkEnd):]
		}
	}
	p.documents = strings.Contains(p.asked, "<context>")
	return p
}

// kindsByKey are the kinds whose keys the prompt wants in a JSON object about a conversation.
func (p programPrompt) kindsByKey() []taskKind {
	if !p.element && !p.about {
		return nil
	}
	return kindsOf(askedKeys(p.asked))
}

// askedKeys are the keys of the JSON objects that instructions show or name.
func askedKeys(asked string) map[string]bool {
	keys := map[string]bool{}
	for _, m := range askedKey.FindAllStringSubmatch(asked, -1) {
		keys[cmp.Or(m[1], m[2])] = true
	}
	return keys
}

func kindsOf(keys map[string]bool) []taskKind {
	var kinds []taskKind
	for _, k := range taskKinds {
		if keys[k.key] {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// kindByWords is the kind that a prompt wants as a text: none where it is no program's, which has sections, speaks of the conversation
// that it holds, or ends with the one message that it is about.
func (p programPrompt) kindByWords() []taskKind {
	first := p.asked
	sections := p.element && taskHead.MatchString(first)
	if next := strings.Index(first, "\n#"); sections && next > 0 {
		first = first[:next] // rules and examples follow
	}
	for _, k := range taskKinds {
		if k.words == nil || !k.words.MatchString(first) {
			continue
		}
		if sections || p.about && k.key == "title" || p.quoted && k.key == "emoji" {
			return []taskKind{k}
		}
	}
	return nil
}

// withSchema adds the kinds that the schema of a format has.
func withSchema(kinds []taskKind, format answerFormat) []taskKind {
	for _, k := range kindsOf(format.properties()) {
		if k.key != kinds[0].key {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// toolChoosing recognises the question which of a program's own tools to call.
func toolChoosing(instructions, text string) *backgroundTask {
	if !offeredTools.MatchString(instructions) || !strings.Contains(text, "Query: ") {
		return nil
	}
	for _, k := range kindsOf(askedKeys(instructions)) {
		if k.fixed {
			return &backgroundTask{kinds: []taskKind{k}, asJSON: true, fixed: true}
		}
	}
	return nil
}

// mergesAnswers reports whether a prompt ends with answers of which one is to be made.
func mergesAnswers(text string) bool {
	at := answersGiven.FindStringIndex(text)
	return at != nil && strings.HasSuffix(text, `"""`) && at[1] < len(text) && merging.MatchString(text[:at[0]])
}

// fullestOf is the longest of the answers that a prompt wants made into one.
func fullestOf(prompt string) string {
	at := answersGiven.FindStringIndex(prompt)
	if at == nil {
		return ""
	}
	longest := ""
	for _, answer := range strings.Split(strings.TrimSuffix(prompt[at[1]:], `"""`), `"""`) {
		if answer = strings.TrimSpace(answer); len(answer) > len(longest) {
			longest = answer
		}
	}
	return "No model is set here that could make one answer of these. The longest of them, as it is:\n\n" + longest
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

// fits reports whether a model's text has the form that was asked for. Fences around JSON are what these programs take off themselves.
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
