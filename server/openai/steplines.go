package openai

import (
	"encoding/json"
	"fmt"
	"strings"

	"catena/chat"
	"catena/tools"
)

// What clients of OpenAI's protocols are shown of the steps of an answer, in Options.Steps.
const (
	StepsReasoning = "reasoning" // as reasoning_content, or a reasoning item
	StepsDetails   = "details"   // as a <details> block before the answer's text
	StepsOff       = "off"
)

// stepLine says what became of a step, for people.
func stepLine(tool, status string, rows *int, ms float64, failure string) string {
	parts := []string{tool}
	if status != string(tools.StepDone) {
		parts = append(parts, status)
	}
	if failure != "" {
		parts = append(parts, failure)
	}
	if rows != nil {
		noun := "rows"
		if *rows == 1 {
			noun = "row"
		}
		parts = append(parts, fmt.Sprintf("%d %s", *rows, noun))
	}
	if ms > 0 {
		parts = append(parts, fmt.Sprintf("%.1f ms", ms))
	}
	return strings.Join(parts, " · ")
}

// stepLines are the lines of a whole answer.
func stepLines(resp chat.Response) []string {
	var lines []string
	for _, st := range resp.Steps {
		lines = append(lines, stepLine(st.Tool, st.Status, st.Rows, st.DurationMS, st.Error))
	}
	return lines
}

// detailsBlock shows lines as a block that chat programs fold.
func detailsBlock(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	noun := "steps"
	if len(lines) == 1 {
		noun = "step"
	}
	return fmt.Sprintf("<details>\n<summary>%d %s</summary>\n\n- %s\n\n</details>\n\n", len(lines), noun,
		strings.Join(lines, "\n- "))
}

// runEvent is what these protocols read of an event.
type runEvent struct {
	Type     string `json:"type"`
	Delta    string `json:"delta"`
	Metadata *struct {
		Catena chat.StepMetadata `json:"catena"`
	} `json:"metadata"`
}

func readEvent(e chat.Event) (runEvent, error) {
	var m runEvent
	if err := json.Unmarshal(e.Data, &m); err != nil {
		return m, fmt.Errorf("server: event %d cannot be read: %w", e.Seq, err)
	}
	return m, nil
}

// line is what the event says of a tool's step that is over; "" for any other event.
func (m runEvent) line() string {
	if m.Type != chat.StepFinished || m.Metadata == nil || m.Metadata.Catena.Kind != "tool" {
		return ""
	}
	st := m.Metadata.Catena
	return stepLine(st.Tool, st.Status, st.Rows, st.DurMS, st.Error)
}
