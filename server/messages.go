package server

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"

	"catena/chat"
)

// Message is a message of OpenAI's protocols.
type Message struct {
	Role    string  `json:"role"`
	Content Content `json:"content"`
}

// Said makes a message of a text.
func Said(role, text string) Message {
	return Message{Role: role, Content: Content{Text: text}}
}

// Content is what a message says: a string, null, or a list of parts, of which the texts count, and files in the newest
// message.
type Content struct {
	Text  string
	parts []contentPart
}

// contentPart is a part of a content, as chat completions or responses write it.
type contentPart struct {
	Type string    `json:"type"`
	Text string    `json:"text"`
	File *partFile `json:"file"` // of a chat completion's file part
	partFile
}

// partFile is a file in a part: its bytes as base64, or as a data URL.
type partFile struct {
	Name string `json:"filename"`
	Data string `json:"file_data"`
	ID   string `json:"file_id"`
	URL  string `json:"file_url"`
}

// UnmarshalJSON takes a string, null, or a list of parts.
func (t *Content) UnmarshalJSON(b []byte) error {
	*t = Content{}
	if json.Unmarshal(b, &t.Text) == nil {
		return nil
	}
	if json.Unmarshal(b, &t.parts) != nil {
		return errors.New("content must be a string or a list of parts")
	}
	var texts []string
	for _, p := range t.parts {
		switch p.Type {
		case "text", "input_text", "output_text":
			texts = append(texts, p.Text)
		}
	}
	t.Text = strings.Join(texts, "\n")
	return nil
}

// files are the files of a content. What is neither text nor file is refused: to leave it out would be to answer
// something else.
func (t Content) files() ([]chat.Attachment, error) {
	var list []chat.Attachment
	for i, p := range t.parts {
		switch p.Type {
		case "text", "input_text", "output_text", "refusal":
		case "file", "input_file":
			f := p.partFile
			if p.File != nil {
				f = *p.File
			}
			a, err := f.attachment(i)
			if err != nil {
				return nil, err
			}
			list = append(list, a)
		default:
			return nil, NewProblem(http.StatusBadRequest, "unsupported_content",
				fmt.Sprintf("A part of the type %q cannot be read here.", p.Type),
				"Send texts and files with tables: CSV, JSON, Excel and others.")
		}
	}
	return list, nil
}

func (f partFile) attachment(i int) (chat.Attachment, error) {
	a := chat.Attachment{Name: cmp.Or(f.Name, fmt.Sprintf("file%d", i+1)), Unnamed: f.Name == ""}
	if f.Data == "" {
		return a, NewProblem(http.StatusBadRequest, "unsupported_content",
			"A file must come with its bytes; files elsewhere are not fetched.",
			"Send filename and file_data, as base64.")
	}
	encoded := f.Data
	if header, rest, ok := strings.Cut(f.Data, ","); ok && strings.HasPrefix(header, "data:") {
		encoded = rest
		// "" leaves it to the name
		a.MediaType, _, _ = mime.ParseMediaType(strings.TrimSuffix(strings.TrimPrefix(header, "data:"), ";base64"))
	}
	var err error
	if a.Data, err = base64.StdEncoding.DecodeString(encoded); err != nil {
		return a, NewProblem(http.StatusBadRequest, "bad_attachment", "file_data is not base64.",
			"Send the file's bytes as base64, or as a data URL.")
	}
	return a, nil
}

// Newest finds the newest message of the user: its place in the list, below 0 for none.
func Newest(messages []Message) int {
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].Role == "user" {
			return i
		}
	}
	return -1
}

// ownWords takes a person's own words out of a message in which a chat program has put them behind documents that it
// found.
func ownWords(text string) string {
	if !strings.HasPrefix(text, "### Task:") || !strings.Contains(text, "<context>") {
		return text
	}
	if _, after, ok := strings.Cut(text, "<user_query>"); ok {
		if inside, _, ok := strings.Cut(after, "</user_query>"); ok && strings.TrimSpace(inside) != "" {
			return strings.TrimSpace(inside)
		}
	}
	if i := strings.LastIndex(text, "</context>"); i >= 0 {
		if after := strings.TrimSpace(text[i+len("</context>"):]); after != "" {
			return after
		}
	}
	return text
}
