package text

import "strings"

// nameSeparators stand between the words of a tool's name.
const nameSeparators = "_-. /"

func nameWords(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(nameSeparators, r) })
}

// OwnName is the name of a server's tool without the server's name before it, however both are spelled: at a server
// my_json, list of my_json_list, my-json__list and list.
func OwnName(tool, server string) string {
	name := strings.Trim(tool, nameSeparators)
	rest := name
	for _, word := range nameWords(server) {
		if len(rest) <= len(word) || !strings.EqualFold(rest[:len(word)], word) {
			return name
		}
		behind := strings.TrimLeft(rest[len(word):], nameSeparators)
		if len(behind)+len(word) == len(rest) { // the word goes on
			return name
		}
		rest = behind
	}
	return rest
}

// OwnWords is OwnName as words: "list all" of list__all.
func OwnWords(tool, server string) string { return strings.Join(nameWords(OwnName(tool, server)), " ") }

// OwnTitle is the title of a server's tool on one line. One that repeats the tool's name, as some SDKs make titles of
// names, is without the server's name too.
func OwnTitle(title, tool, server string) string {
	words := nameWords(title)
	if !strings.EqualFold(strings.Join(words, " "), strings.Join(nameWords(tool), " ")) {
		return strings.Join(strings.Fields(title), " ")
	}
	own := len(nameWords(OwnName(tool, server)))
	return Capital(strings.Join(words[len(words)-own:], " "))
}
