package openai

import (
	"encoding/json"
	"strings"
	"testing"

	"catena/server/servertest"
)

// taskPrompt is a prompt in the form of Open WebUI's: a task of many words, rules, the JSON that is wanted, and the conversation.
func taskPrompt(task, output string) string {
	rules := strings.Repeat("- Stay close to what was said, and write nothing that nobody asked for.\n", 6)
	return "### Task:\n" + task + "\n### Guidelines:\n" + rules + "### Output:\n" + output +
		"\n### Chat History:\n<chat_history>\nUSER: which client paid most? Title it \"tags\"\nASSISTANT: {\"title\": \"no\", \"tags\": []}\n</chat_history>"
}

// TestTasksByWhatTheyAsk: the JSON keys that a prompt wants say what it is, in whatever words it wants them, over both of OpenAI's protocols. No
// run is started.
func TestTasksByWhatTheyAsk(t *testing.T) {
	const mixed = "Which answers there are:\n"
	answers := "From two models come responses to: \"totals?\"\n\nMake of these a single, better response.\n\nGiven: \"\"\"Ten.\"\"\"\n\n\"\"\"Ten in all, of two clients.\"\"\""
	for name, c := range map[string]struct{ system, prompt, format, want string }{
		"follow-ups, predicted": {"", taskPrompt("Predict what this person would send next, three to five of them.", `JSON format: { "follow_ups": ["One", "Two"] }`), "", `{"follow_ups":[]}`},
		"follow-ups, in German": {"", taskPrompt("Schlage vor, was als Nächstes gefragt werden könnte.", "JSON:\n{\n  \"follow_ups\": [\"Eins\"]\n}"), "", `{"follow_ups":[]}`},
		"follow-ups, by name":   {"", taskPrompt("What may come next?", `An object with a "follow_ups" key and a list of texts.`), "", `{"follow_ups":[]}`},
		"title":                 {"", taskPrompt("Name the talk in a few words.", `JSON format: { "title": "the name" }`), "", `{"title":"Which client paid most? Title it"}`},
		"tags":                  {"", taskPrompt("Put this into broad groups.", `JSON format: { "tags": ["a", "b"] }`), "", `{"tags":["General"]}`},
		"title and tags":        {"", taskPrompt("Describe the talk.", `{ "title": "a name", "tags": ["a"] }`), "", `{"tags":["General"],"title":"Which client paid most? Title it"}`},
		"queries":               {"", taskPrompt("Decide whether the web has to be searched, and return an empty list if not.", "{\n  \"queries\": [\"one\"]\n}"), "", `{"queries":[]}`},
		"a face, in fences":     {"", "Show by a fitting emoji how the speaker looks.\n\nMessage: ```totals?```", "", "💬"},
		"a face, in quotes":     {"", "Show by a fitting emoji how the speaker looks.\n\nMessage: \"\"\"totals?\"\"\"", "", "💬"},
		"image":                 {"", taskPrompt("Describe a picture of what was said.", "{\n    \"prompt\": \"A description.\"\n}"), "", `{"prompt":""}`},
		"completion":            {"", taskPrompt("Go on with the words in `<text>`.", "Only JSON: `{ \"text\": \"<rest>\" }`.") + "\n<type>General</type>\n<text>which cli</text>\n#### Output:", "", `{"text":""}`},
		"lines of a talk":       {"", "Look at this chat and answer as JSON: {\"tags\": [\"x\"]}\n\nUSER: totals?\nASSISTANT: Ten.", "", `{"tags":["General"]}`},
		"answers to merge":      {"", answers, "", "No model is set here that could make one answer of these. The longest of them, as it is:\n\nTen in all, of two clients."},
		"tools to choose": {"Available Tools: [{\"name\": \"f\"}]\n\nReturn JSON: {\"tool_calls\": [{\"name\": \"t\", \"parameters\": {}}]}",
			"History:\nUSER: \"\"\"totals?\"\"\"\nQuery: totals?", "", `{"tool_calls":[]}`},
		"a title by a schema": {"", "Provide a concise, 5-word-or-less title for the conversation.\n\nUser: totals by region", `{"type":"json_schema","json_schema":{"name":"x","schema":{"type":"object","properties":{"title":{"type":"string"},"language":{"type":"string"}}}}}`,
			`{"language":"English","title":"Totals by region"}`},
		"completion without a heading": {"", "Finish what the person types. Reply with nothing but JSON such as {\"text\": \"rest\"}.\n\n<text>which clients ha</text>\nOutput:", "", `{"text":""}`},
		"other keys": {"", "Below is an exchange. Give back JSON only: {\"suggestions\": [\"one\"], \"useful\": true, \"score\": 5, \"why\": \"\"}\n\nHuman: totals by region?\nAI: Ten.", "",
			`{"score":0,"suggestions":[],"useful":false,"why":""}`},
		"another element":            {"", "Name this.\nOutput only {\"title\": \"\"}\n<conversation>\nuser: totals?\nassistant: Ten.\n</conversation>", "", `{"title":"Totals"}`},
		"tags by words, and no more": {"", "Write tags for this dialogue. Print only the tags, with commas.\n<dialogue>\nHuman: totals?\nAI: Ten.\n</dialogue>", "", "General"},
		"another text of a talk":     {"", "Sum up this chat for a list. Reply with the summary only.\nUSER: how many orders?\nASSISTANT: 3", "", "No model is set here that could write this."},
		"a person's talk":            {"", "Here is our chat. Answer only with the totals by region.\nUser: hi\nAssistant: hello", "", ""},
		"a person's talk in JSON":    {"", "My conversation is below. Return only JSON: {\"total\": 0}\nUser: hi\nAssistant: hello", "", ""},
		"a talk with a question":     {"", "Answer the last question of this chat, reply only with a table.\nUSER: hi\nASSISTANT: hello\nUSER: how many orders?", "", ""},
		"answers in lines": {"", "Three assistants gave these answers to \"totals?\". Combine them into one final answer.\n\nAnswers:\n1. Ten.\n2. Ten in all, of two clients.", "",
			"No model is set here that could make one answer of these. The longest of them, as it is:\n\nTen in all, of two clients."},
		"answers with names": {"", "Replies of several models are below; write a single best reply from them.\n\nModel A: Ten.\nModel B: Ten in all, of two clients.", "",
			"No model is set here that could make one answer of these. The longest of them, as it is:\n\nTen in all, of two clients."},
		"a talk to go on with":              {"", "The following is a conversation. Return only JSON: {\"answer\": \"\"}\nHuman: totals by region?\nAI: Ten.\nHuman: and by client?\nAI:", "", ""},
		"a person's data and form":          {"", "Which client paid most? Return only JSON: {\"client\": \"\", \"revenue\": 0}\n<data>\nclient,revenue\nAcme,5\n</data>", "", ""},
		"a person's models":                 {"", "Which models sold best? Give one answer:\n1. by units\n2. by revenue", "", ""},
		"a person's survey":                 {"", "Make one answer of these responses: how many clients are there, and in which regions?\n- by region", "", ""},
		"a person's only":                   {"", "Return only the clients in the USA as JSON", "", ""},
		"a person's question about tasks":   {"", "### Task: list the tags by title", "", ""},
		"a person's JSON":                   {"", "What is wrong here? {\"title\": \"x\", \"tags\": []}\nUser: bob", "", ""},
		"a person's conversation":           {"", mixed + "USER: hi\nASSISTANT: hello", "", ""},
		"a person with a system message":    {"Answer as JSON: {\"title\": \"x\"}", "which client paid most?", "", ""},
		"documents that hold such a prompt": {"", "### Task:\nAnswer by the context.\n<context>\n" + taskPrompt("Name it.", `{ "title": "x" }`) + "\n</context>\n\nhow many rows?", "", ""},
		"a person's quotations":             {"", "Compare the responses: \"\"\"one\"\"\"", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, h, runs := newTest(t)
			messages := []map[string]string{{"role": "user", "content": c.prompt}}
			if c.system != "" {
				messages = append([]map[string]string{{"role": "system", "content": c.system}}, messages...)
			}
			chat, responses := map[string]any{"messages": messages}, map[string]any{"input": messages}
			if c.format != "" {
				chat["response_format"] = json.RawMessage(c.format)
				flat := map[string]any{"type": "json_schema", "name": "x", "schema": json.RawMessage(`{"properties":{"title":{},"language":{}}}`)}
				responses["text"] = map[string]any{"format": flat}
			}
			for path, body := range map[string]map[string]any{completionsPath: chat, "/v1/responses": responses} {
				for _, streamed := range []bool{false, true} {
					body["stream"] = streamed
					data, err := json.Marshal(body)
					if err != nil {
						t.Fatal(err)
					}
					status, _, got := servertest.Ask(t, "POST", h.URL+path, string(data))
					want, err := json.Marshal(c.want)
					if err != nil {
						t.Fatal(err)
					}
					if status != 200 || c.want != "" && !strings.Contains(got, string(want)) {
						t.Errorf("%s, streamed %v: %d, want %s: %s", path, streamed, status, want, got)
					}
				}
			}
			if ran := len(runs.ByID) > 0; ran != (c.want == "") {
				t.Errorf("a run was started: %v", ran)
			}
		})
	}
}
