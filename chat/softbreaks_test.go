package chat

import (
	"encoding/json"
	"strings"
	"testing"

	"catena/chat/chattest"
	"catena/planner/plan"
)

// brokenFigures are texts whose figure is unknown only as it is read: over the breaks of its lines. All numbers of the
// lines by themselves are known: 5, 12, 213, 345, 678.
var brokenFigures = []string{
	"It came to 5\nmillion evil.", "It came to 5\nMilliarden evil", "It came to 12\n345 evil.", "It came to 12\n345\n678 evil",
	"Evil fell by 5\n%.", "Evil fell by 5\nper cent", "Evil: 5\nk of them.", "Evil grew 12,\n345 times", "Evil grew 12\n,345 times",
	"It came to **5**\n**million** evil.", "It came to 5  \nmillion evil.", "It came to 5\\\nmillion evil.", "It came to 5\r\nmillion evil.",
	"It came to 5\u2028million evil.", "It came to 5\n   million evil.", "> It came to 5\n> million evil.", "> It came to 5\nmillion evil.",
	"- It came to 5\n  million evil.", "- It came to 5\nmillion evil.", "1. It came to 12\n345 evil.", "It came to 5\n(million evil).",
	"It came to 5\nIt was 99,999.\nmillion evil.", "It came to 5\n<b></b>\nmillion evil.", "So 12\n213\nand 345 evil", "Evil, of 5\n\u200bmillion.",
	"| 5\nmillion evil", "# 5\nmillion evil", "Evil was 5\n-million.", "1\n12.\nmillion evil", "Evil was 5.\n345.\nbillion of it", "It came to 5\n[x]: http://x\nmillion evil.",
}

// A figure that a model breaks over lines is judged as it is read: in every text of a plan, and in what closes an answer.
func TestFiguresOverLines(t *testing.T) {
	req := plan.Request{Message: "5; 12; 213; 345; 678; 1"}
	whole := func(text string) string { return strings.ToLower(strings.Join(strings.Fields(readable(text)), " ")) }
	for _, text := range brokenFigures {
		res := modelText(plan.Response{By: "llm", Direct: text, Plan: plan.Plan{Clarify: text, Title: text, Answer: []any{text, "More."}}}, req)
		raw, err := json.Marshal(res.Plan.Answer)
		if err != nil {
			t.Fatal(err)
		}
		for where, got := range map[string]string{"direct": res.Direct, "clarify": res.Plan.Clarify, "title": res.Plan.Title, "answer": string(raw)} {
			if n := unknownIn(whole(strings.ReplaceAll(got, `\n`, " "))); n != "" {
				t.Errorf("%q: %s says %s: %q", text, where, n, got)
			}
		}
		w := newWorld(t)
		w.opts.Writer = &chattest.Writes{Text: text}
		resp, err := w.engine().Turn(t.Context(), chattest.Ann, Request{Message: "which ids? 5; 12; 213; 345; 678; 1"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if n := unknownIn(whole(resp.Response)); n != "" && strings.Contains(strings.ToLower(resp.Response), "evil") {
			t.Errorf("%q: the summary says %s: %q", text, n, resp.Response)
		}
	}
}

// unknownIn is a figure of a text that is none of those that are known, "" for none.
func unknownIn(text string) string {
	for _, n := range numbersIn(text) {
		if !supported(n, numbersIn("5; 12; 213; 345; 678; 1; 2; 3")) {
			return strings.TrimSpace(text)
		}
	}
	return ""
}

// What is no figure over a break stays as it is: lists, paragraphs, lines of a table, and known figures in broken text.
func TestLinesThatStay(t *testing.T) {
	for _, text := range []string{
		"Ask so:\n1. By region.\n2. By month.", "Of 12.\n\nMillions are others.", "- 5\n- million", "It has 5\nrows and 12\ncolumns.", "There are 12.\n345 are left.",
		"Which of\nthe 213?", "# 5\n\nMany more.", "Top 5\nClients 12",
	} {
		res := modelText(plan.Response{By: "llm", Direct: text}, plan.Request{Message: "5; 12; 213; 345; 678"})
		if res.Direct != text {
			t.Errorf("%q became %q", text, res.Direct)
		}
	}
}

// What a plan says behind a value is read on over a break, too.
func TestScaleOverLines(t *testing.T) {
	ref := plan.Ref{Step: "s1"}
	for _, text := range []string{"\nbillion of it", " \n billion of it", "\n(billion of it", "\n%"} {
		res := modelText(plan.Response{By: "llm", Plan: plan.Plan{Answer: []any{plan.Concat{Parts: []any{"It is ", ref, text}}, ref, text}}}, plan.Request{})
		raw, err := json.Marshal(res.Plan.Answer)
		if err != nil || strings.Contains(string(raw), "billion") || strings.Contains(string(raw), "%") {
			t.Errorf("%q: %s %v", text, raw, err)
		}
	}
}
