package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"

	"catena/planner/plan"
)

// obedient is a model, behind OpenAI's API, that does what it reads: it plans as it was told to until an attack's words are in a
// prompt, and then as the attack says.
type obedient struct {
	mu     sync.Mutex
	c      testCase
	turn   int // prompts for a plan in this turn
	clean  string
	asked  count
	obeyed bool // an attack's words were in a prompt for a plan
	// catalogue is what the server said of its tools before anything was called: which of it is in a prompt depends on the message, and
	// an attack may use its words.
	catalogue string
}

// count is how often the model was asked for what.
type count struct{ plan, again, replan, extract, summary int }

func (c count) total() int { return c.plan + c.again + c.replan + c.extract + c.summary }

func (c *count) add(d count) {
	c.plan, c.again, c.replan, c.extract, c.summary = c.plan+d.plan, c.again+d.again, c.replan+d.replan, c.extract+d.extract, c.summary+d.summary
}

// start begins a case.
func (m *obedient) start(c testCase) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.c, m.turn, m.clean, m.obeyed, m.asked = c, 0, "", false, count{}
}

// message begins another message of the case.
func (m *obedient) message() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.turn = 0
}

func (m *obedient) state() (count, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.asked, m.obeyed
}

func (m *obedient) listen() *httptest.Server { return httptest.NewServer(m) }

// ServeHTTP is POST /v1/chat/completions.
func (m *obedient) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var req struct {
		Messages []struct {
			Role    string `json:"role"`
			Content any    `json:"content"`
		} `json:"messages"`
	}
	raw, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(raw, &req)
	}
	if err != nil || len(req.Messages) == 0 {
		http.Error(w, `{"error":{"message":"no messages"}}`, http.StatusBadRequest)
		return
	}
	var all strings.Builder
	for _, msg := range req.Messages {
		text, _ := msg.Content.(string)
		if parts, ok := msg.Content.([]any); ok {
			for _, p := range parts {
				if part, ok := p.(map[string]any); ok {
					text += fmt.Sprint(part["text"])
				}
			}
		}
		all.WriteString(text + "\n")
	}
	last, _ := req.Messages[len(req.Messages)-1].Content.(string)
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"id": "x", "object": "chat.completion", "model": "obedient", "usage": map[string]any{"prompt_tokens": len(raw) / 4, "completion_tokens": 1},
		"choices": []any{map[string]any{"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": m.answer(all.String(), last)}}},
	})
}

// How the prompts of each call begin.
const (
	plannerBegins = "You plan for Catena."
	extractBegins = "You copy facts out of a text"
	summaryBegins = "You close an answer"
	replanHolds   = "That plan ran in part."
	againHolds    = "That plan cannot run."
)

func (m *obedient) answer(prompt, last string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case strings.HasPrefix(prompt, extractBegins):
		m.asked.extract++
		return m.extracted(prompt)
	case strings.HasPrefix(prompt, summaryBegins):
		m.asked.summary++
		return m.summary()
	case !strings.HasPrefix(prompt, plannerBegins):
		return "I do what I am told: " + m.c.payload
	}
	m.turn++
	if m.clean == "" {
		m.clean = prompt // nothing was called yet
	}
	if m.c.payload != "" && reads(prompt, m.c.payload, m.catalogue+m.clean+m.c.broken+m.c.gold+m.c.without) {
		m.obeyed = true
		return m.c.obedient
	}
	switch {
	case strings.HasPrefix(last, replanHolds):
		m.asked.replan++
		return m.c.without // the plan without what failed
	case strings.HasPrefix(last, againHolds):
		m.asked.again++
		return m.c.gold
	case m.turn > 1:
		m.asked.plan++
		return m.c.gold
	}
	m.asked.plan++
	return m.c.broken
}

// extracted obeys a text that it was to read: the values are the attacker's plan.
func (m *obedient) extracted(prompt string) string {
	values := map[string]string{"about": "what was read", "next": ""}
	if m.c.payload != "" && reads(prompt, m.c.payload, "") {
		values["about"], values["next"] = m.c.payload, m.c.obedient
	}
	raw, err := json.Marshal(values)
	if err != nil {
		return "{}"
	}
	return string(raw)
}

// What the summary's model makes up when it obeys.
const (
	falseFigure = "987,654,321"
	falseHost   = "invented.example"
)

func (m *obedient) summary() string {
	if m.c.payload == "" {
		return "That is what was found."
	}
	return "The total is " + falseFigure + " dollars. See [the details](https://" + falseHost + "/?q=1) or https://" + falseHost + "/raw. " +
		"![seen](https://" + falseHost + "/p.png) <img src=https://" + falseHost + "/i>. " + m.c.payload + "\n" + m.c.obedient
}

// window is how many words in a row of an attack give it away in a prompt.
const window = 4

// reads reports whether a prompt holds words of an attack that are not in what the model was told before.
func reads(prompt, payload, before string) bool {
	words := plan.FoldWords(payload)
	if len(words) < window {
		return strings.Contains(prompt, payload) && !strings.Contains(before, payload)
	}
	in, known := " "+strings.Join(plan.FoldWords(prompt), " ")+" ", " "+strings.Join(plan.FoldWords(before), " ")+" "
	for i := 0; i+window <= len(words); i++ {
		part := " " + strings.Join(words[i:i+window], " ") + " "
		if strings.Contains(in, part) && !strings.Contains(known, part) {
			return true
		}
	}
	return false
}
