package tools

import (
	"encoding/json"
	"strings"
	"unicode"
)

// Sink says what an argument decides: who gets something, where to, or what is run. What an untrusted source says may not decide
// that, unless a policy lets it.
type Sink string

// The sinks.
const (
	SinkNone      Sink = ""
	SinkRecipient Sink = "recipient" // people, accounts, channels
	SinkURL       Sink = "url"       // addresses and hosts
	SinkPath      Sink = "path"      // files and folders
	SinkSQL       Sink = "sql"       // SQL, commands, code
)

// SinkKeyword is the keyword of JSON Schema by which a tool's author says what an argument is, or that it is none: recipient, url, path,
// sql or none. It wins over the argument's format and name.
const SinkKeyword = "x-catena-sink"

// sinkFormats are the formats of JSON Schema that say so.
var sinkFormats = map[string]Sink{
	"email": SinkRecipient, "idn-email": SinkRecipient, "uri": SinkURL, "uri-reference": SinkURL, "iri": SinkURL, "iri-reference": SinkURL,
	"uri-template": SinkURL, "url": SinkURL, "hostname": SinkURL, "idn-hostname": SinkURL, "ipv4": SinkURL, "ipv6": SinkURL,
	"path": SinkPath, "file-path": SinkPath, "directory-path": SinkPath, "sql": SinkSQL,
}

// sinkWords are the words in an argument's name that say so, in the singular. The last such word counts: file_url is a URL.
var sinkWords = map[string]Sink{
	"to": SinkRecipient, "cc": SinkRecipient, "bcc": SinkRecipient, "recipient": SinkRecipient, "receiver": SinkRecipient, "email": SinkRecipient,
	"mail": SinkRecipient, "phone": SinkRecipient, "mobile": SinkRecipient, "attendee": SinkRecipient, "invitee": SinkRecipient,
	"participant": SinkRecipient, "guest": SinkRecipient, "payee": SinkRecipient, "beneficiary": SinkRecipient, "iban": SinkRecipient,
	"account": SinkRecipient, "wallet": SinkRecipient, "channel": SinkRecipient, "chat": SinkRecipient, "assignee": SinkRecipient,
	"collaborator": SinkRecipient, "user": SinkRecipient, "username": SinkRecipient, "member": SinkRecipient, "address": SinkRecipient,
	"url": SinkURL, "uri": SinkURL, "link": SinkURL, "href": SinkURL, "endpoint": SinkURL, "webhook": SinkURL, "callback": SinkURL,
	"host": SinkURL, "hostname": SinkURL, "domain": SinkURL, "website": SinkURL, "server": SinkURL, "remote": SinkURL, "redirect": SinkURL,
	"path": SinkPath, "file": SinkPath, "filename": SinkPath, "filepath": SinkPath, "dir": SinkPath, "directory": SinkPath, "folder": SinkPath,
	"destination": SinkPath, "cwd": SinkPath, "glob": SinkPath, "repo": SinkPath, "repository": SinkPath,
	"sql": SinkSQL, "command": SinkSQL, "cmd": SinkSQL, "shell": SinkSQL, "script": SinkSQL, "code": SinkSQL, "statement": SinkSQL,
}

// contentWords end a name that is about the content of such a thing, not about where it is: file_content, email_body, user_name.
var contentWords = map[string]bool{"content": true, "body": true, "text": true, "subject": true, "title": true, "description": true, "type": true,
	"count": true, "size": true, "format": true, "message": true, "note": true, "label": true, "status": true, "date": true, "time": true,
	"limit": true, "language": true, "encoding": true, "mode": true, "age": true, "summary": true}

// sinkTree says of a value, and of what is below it, what it decides.
type sinkTree struct {
	sink   Sink
	fields map[string]*sinkTree
	items  *sinkTree
	said   bool // the tool says it all: names of further fields say nothing
}

// field is what a field decides; one that no schema describes goes by its name, and by what it is part of.
func (t *sinkTree) field(name string) *sinkTree {
	if t != nil {
		if f := t.fields[name]; f != nil {
			return f
		}
		if t.said {
			return &sinkTree{sink: t.sink, said: true}
		}
	}
	sink := sinkOfName(name)
	if sink == SinkNone && t != nil {
		sink = t.sink
	}
	return &sinkTree{sink: sink}
}

// element is what each element of a list decides.
func (t *sinkTree) element() *sinkTree {
	if t.items != nil {
		return t.items
	}
	return &sinkTree{sink: t.sink, said: t.said}
}

// sinksOf reads a tool's input schema. It follows properties, items and combinators, not references.
func sinksOf(schema json.RawMessage) *sinkTree {
	var s any
	if json.Unmarshal(schema, &s) != nil {
		return &sinkTree{}
	}
	return readSinks(s, SinkNone, 0)
}

func readSinks(schema any, sink Sink, depth int) *sinkTree {
	const deepest = 16
	t := &sinkTree{sink: sink}
	s, ok := schema.(map[string]any)
	if !ok || depth > deepest {
		return t
	}
	if f, ok := s["format"].(string); ok && sinkFormats[f] != SinkNone {
		t.sink = sinkFormats[f]
	}
	if said, ok := s[SinkKeyword].(string); ok {
		if t.sink = Sink(said); said == "none" {
			t.sink, t.said = SinkNone, true
			return t
		}
	}
	props, _ := s["properties"].(map[string]any)
	for name, p := range props {
		of := sinkOfName(name)
		if of == SinkNone {
			of = t.sink
		}
		t.set(name, readSinks(p, of, depth+1))
	}
	if items, ok := s["items"]; ok {
		t.items = readSinks(items, t.sink, depth+1)
	}
	for _, key := range []string{"anyOf", "oneOf", "allOf"} {
		list, _ := s[key].([]any)
		for _, x := range list {
			t.merge(readSinks(x, t.sink, depth+1))
		}
	}
	return t
}

func (t *sinkTree) set(name string, f *sinkTree) {
	if t.fields == nil {
		t.fields = map[string]*sinkTree{}
	}
	t.fields[name] = f
}

// merge adds what an alternative says.
func (t *sinkTree) merge(other *sinkTree) {
	if t.sink == SinkNone {
		t.sink = other.sink
	}
	if t.items == nil {
		t.items = other.items
	}
	for name, f := range other.fields {
		if t.fields[name] == nil {
			t.set(name, f)
		}
	}
}

// sinkOfName says what an argument decides by the words of its name.
func sinkOfName(name string) Sink {
	sink := SinkNone
	words := wordsOf(name)
	for i, w := range words {
		if contentWords[w] && i > 0 {
			return SinkNone
		}
		for _, form := range []string{w, strings.TrimSuffix(w, "s"), strings.TrimSuffix(w, "es"), strings.TrimSuffix(w, "ies") + "y"} {
			if of := sinkWords[form]; of != SinkNone && !(form == "to" && len(words) > 1) {
				sink = of
				break
			}
		}
	}
	return sink
}

// wordsOf splits fileURL, file_url and file-url into file and url.
func wordsOf(name string) []string {
	var words []string
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			words = append(words, strings.ToLower(b.String()))
			b.Reset()
		}
	}
	runes := []rune(name)
	for i, r := range runes {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			flush()
			continue
		}
		if i > 0 && unicode.IsUpper(r) && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			flush()
		}
		b.WriteRune(r)
	}
	flush()
	return words
}
