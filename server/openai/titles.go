package openai

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

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
