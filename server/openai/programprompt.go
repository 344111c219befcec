package openai

import (
	"cmp"
	"regexp"
	"strings"
)

// Parts of the prompts of chat programs.
var (
	// talkStart begins the conversation as a program writes it out: in an element, or as lines that begin with who
	// speaks.
	talkStart = regexp.MustCompile(`(?m)<(chat_?history|chat|conversation|dialog(?:ue)?|history|messages|transcript)>|` + speaker)
	// talkLine is a line of a conversation: its second group is set where an assistant speaks, the third is what is
	// said.
	talkLine = regexp.MustCompile(`(?m)` + speaker + `[ \t]*(.*)$`)
	// askedKey is a key of a JSON object in the instructions, with the first character of its value: in an example, or
	// named as "the key".
	askedKey = regexp.MustCompile(`[{,]\s*"(\w+)"\s*:\s*(.)|"(\w+)" key\b`)
	// askedForm says that nothing but what is described may be returned, or that it is JSON.
	askedForm = regexp.MustCompile(alone + `|\bJSON\b`)
	// askedAlone says that nothing but what is described may be returned.
	askedAlone = regexp.MustCompile(alone)
	// taskHead begins a program's prompt in sections.
	taskHead = regexp.MustCompile(`(?i)^#{2,3} task:?\s`)
	// quotedMessage ends a prompt about one message.
	quotedMessage = regexp.MustCompile("(?s)\nMessage: (?:```.*```|\"{3}.*\"{3})$")
	// lastElement ends a prompt about a text in an element, but for a heading that the answer stands under.
	lastElement = regexp.MustCompile(`(?s)\n<\w+>.*</(\w+)>\s*(?:#*[ \t]*\w+:\s*)?$`)
	// aboutTalk says that the instructions are about a conversation.
	aboutTalk = regexp.MustCompile(`(?i)\b(?:conversation|chat|dialog(?:ue)?|transcript|exchange|discussion)\b`)
	// firstPerson are words of a person who speaks for himself, as no program's prompt does.
	firstPerson = regexp.MustCompile(`\b(?:I|[Mm]e|[Mm]y|[Ww]e|us|[Oo]ur)\b`)
	// offeredTools are the tools of the program that asks which of them to call.
	offeredTools = regexp.MustCompile(`(?i)\bavailable tools\s*:`)
)

const (
	speaker = `^[ \t]*(?i:user|human|(assistant|ai))[ \t]*:`
	returns = `return|respond|reply|output|answer|write|give|provide|produce|print`
	alone   = `(?i)\b(?:` + returns + `)\b[^.\n]*\b(?:` + onlys + `)\b|\b(?:` + onlys + `)\s+(?:\w+\s+)?(?:` +
		returns + `)\b`
	onlys = `only|just|solely|nothing (?:but|else|other)|exclusively`
)

// programPrompt is a prompt that may be a program's.
type programPrompt struct {
	asked     string // without the conversation in it
	element   bool   // the conversation stands in an element
	about     bool   // it stands as lines, and the prompt speaks of it
	answered  bool   // an assistant spoke last in it, and nothing is asked after it
	quoted    bool   // it ends with the one message that it is about
	set       bool   // it ends with an element that holds a text
	person    bool   // who asks speaks for himself: what is of no known kind may be about tables
	documents bool   // it has documents that answer a person's words
}

func promptOf(text string) programPrompt {
	p := programPrompt{asked: text, quoted: quotedMessage.MatchString(text)}
	at := talkStart.FindStringSubmatchIndex(text)
	if at == nil {
		if set := lastElement.FindStringIndex(text); set != nil {
			p.asked, p.set = text[:set[0]], true
		}
	} else {
		talk := text[at[0]:]
		p.asked, p.element = text[:at[0]], at[2] >= 0
		if p.element {
			if end := strings.LastIndex(talk, "</"+text[at[2]:at[3]]+">"); end > 0 {
				p.asked += talk[end+len(text[at[0]:at[1]])+1:]
				talk = talk[:end]
			}
		}
		p.about = !p.element && aboutTalk.MatchString(p.asked)
		p.answered = answeredLast(talk)
	}
	p.person = firstPerson.MatchString(p.asked)
	p.documents = strings.Contains(p.asked, "<context>")
	return p
}

// answeredLast reports whether an assistant spoke last in a conversation: it is not one that the answer is to go on
// with.
func answeredLast(talk string) bool {
	lines := talkLine.FindAllStringSubmatch(talk, -1)
	if len(lines) == 0 {
		return false
	}
	last := lines[len(lines)-1]
	return last[1] != "" && strings.TrimSpace(last[2]) != ""
}

// kindsByKey are what the prompt wants in a JSON object: of a conversation, or of the text that it ends with. A key of
// another name than programs are known to use counts where the form is demanded and the conversation has had its
// answer.
func (p programPrompt) kindsByKey() []taskKind {
	keys := askedKeys(p.asked)
	kinds := kindsOf(keys)
	demanded := askedForm.MatchString(p.asked)
	switch {
	case p.element || p.about:
		byProgram := p.answered && !p.person
		if len(kinds) == 0 && demanded && byProgram {
			return unnamedKinds(keys)
		}
		return kinds
	case p.set && demanded && len(kinds) == len(keys):
		return kinds
	}
	return nil
}

// askedKeys are the keys of the JSON objects that instructions show or name, each with the first character of its value
// where it is shown.
func askedKeys(asked string) map[string]string {
	keys := map[string]string{}
	for _, m := range askedKey.FindAllStringSubmatch(asked, -1) {
		keys[cmp.Or(m[1], m[3])] = m[2]
	}
	return keys
}

func kindsOf[V any](keys map[string]V) []taskKind {
	var kinds []taskKind
	for _, k := range taskKinds {
		if _, ok := keys[k.key]; ok {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// nothingOf are values that say nothing, by the first character of a value in JSON.
var nothingOf = map[string]any{"[": []string{}, "{": map[string]any{}, "t": false, "f": false}

// unnamedKinds are keys that are no kind's; without a model each has a value that says nothing, of the type that is
// shown.
func unnamedKinds(keys map[string]string) []taskKind {
	var kinds []taskKind
	for key, first := range keys {
		nothing, ok := nothingOf[first]
		switch {
		case ok:
		case first >= "0" && first <= "9":
			nothing = 0
		default:
			nothing = ""
		}
		kinds = append(kinds, taskKind{key: key, alone: always(nothing)})
	}
	return kinds
}

// kindByWords is the kind that a prompt wants as a text: none where it is no program's, which has sections, speaks of
// the conversation that it holds, or ends with the one message that it is about.
func (p programPrompt) kindByWords() []taskKind {
	first := p.asked
	sections := p.element && taskHead.MatchString(first)
	if next := strings.Index(first, "\n#"); sections && next > 0 {
		first = first[:next] // rules and examples follow
	}
	demanded := (p.element || p.about) && p.answered && askedForm.MatchString(p.asked)
	for _, k := range taskKinds {
		if k.words == nil || !k.words.MatchString(first) {
			continue
		}
		if sections || demanded || p.about && k.key == "title" || p.quoted && k.key == "emoji" {
			return []taskKind{k}
		}
	}
	if demanded && !p.person && askedAlone.MatchString(p.asked) {
		return []taskKind{unnamedText}
	}
	return nil
}

// unnamedText is a text about a conversation, of no kind that is known.
var unnamedText = taskKind{alone: always("No model is set here that could write this.")}

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
