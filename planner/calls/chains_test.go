package calls

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"catena/planner/plan"
)

// shelfTool makes a tool: arguments are written name:type, ! for required, =a|b for a list of values, # for a description.
func shelfTool(name, description string, params ...string) plan.Tool {
	var props, required []string
	for _, p := range params {
		p, about, _ := strings.Cut(p, " # ")
		p, list, _ := strings.Cut(p, "=")
		p, need := strings.CutSuffix(p, "!")
		arg, typ, ok := strings.Cut(p, ":")
		if !ok {
			typ = "string"
		}
		if need {
			required = append(required, fmt.Sprintf("%q", arg))
		}
		enum := ""
		if list != "" {
			enum = `,"enum":["` + strings.ReplaceAll(list, "|", `","`) + `"]`
		}
		items := ""
		if typ == "array" {
			items = `,"items":{"type":"string"}`
		}
		props = append(props, fmt.Sprintf(`%q:{"type":%q,"description":%q%s%s}`, arg, typ, about, enum, items))
	}
	schema := fmt.Sprintf(`{"type":"object","properties":{%s},"required":[%s]}`, strings.Join(props, ","), strings.Join(required, ","))
	return plan.Tool{Name: name, Description: description, InputSchema: json.RawMessage(schema), ReadOnly: true}
}

var shelf = func() []plan.Tool {
	give := shelfTool("loans_cancel", "Cancel a loan.", "id! # loan id")
	give.ReadOnly = false
	return []plan.Tool{
		shelfTool("readers_find", "Find readers by name or city. Returns id, name, city, country, branch_id.", "name # part of the name", "city", "country # ISO country code"),
		shelfTool("readers_get", "Get one reader.", "id! # reader id, e.g. R10"),
		shelfTool("loans_list", "List loans with due date and fine.", "reader_id # reader id", "book_id # book id", "state=running|late|returned"),
		give,
		shelfTool("books_search", "Search books by title or genre: id, title, author_id, pages.", "query # part of the title", "genre=crime|poetry|science"),
		shelfTool("books_get", "Get one book.", "id! # book id, e.g. B7"),
		shelfTool("authors_get", "Get one author: name, born, email.", "id! # author id"),
		shelfTool("branch_hours", "Opening hours of a branch on a day.", "branch_id!", "day! # YYYY-MM-DD"),
	}
}()

func toldChain(c Chain) string {
	var out []string
	for _, st := range c.Steps {
		args, _ := json.Marshal(st.Args)
		each := ""
		if st.Each != nil {
			each = " each " + st.Each.String()
		}
		out = append(out, st.Tool+string(args)+each)
	}
	for _, a := range c.Among {
		out = append(out, fmt.Sprint(a.Column, " ", a.Not, " ", a.Values))
	}
	if c.Join != nil {
		out = append(out, "join "+c.Join.Tool+" by "+c.Join.Column+"="+c.Join.Key)
	}
	for _, o := range c.Others {
		out = append(out, "beside "+toldChain(o))
	}
	return strings.Join(out, "; ")
}

// TestChains: what a tool takes is found by names, filters and other tools' results.
func TestChains(t *testing.T) {
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	set := NewSet(shelf)
	for message, want := range map[string]string{
		"late loans of Ada Lovelace": `readers_find{"name":"Ada Lovelace"}; ` +
			`loans_list{"reader_id":{"$ref":"s1.rows[only].id"},"state":"late"}`,
		"loans of every French reader": `readers_find{"country":"FR"}; ` +
			`loans_list{"reader_id":{"$ref":"each"}} each s1.rows[*].id`,
		"show loans of crime books that are not returned": `books_search{"genre":"crime"}; ` +
			`loans_list{"book_id":{"$ref":"each"}} each s1.rows[*].id; state true [returned]`,
		"running or late loans of reader R12": `loans_list{"reader_id":"R12"}; state false [running late]`,
		"email of the author of book B12": `books_get{"id":"B12"}; ` +
			`authors_get{"id":{"$ref":"s1.rows[only].author_id"}}`,
		"cancel the late loan of Ada Lovelace": `readers_find{"name":"Ada Lovelace"}; ` +
			`loans_list{"reader_id":{"$ref":"s1.rows[only].id"},"state":"late"}; ` +
			`loans_cancel{"id":{"$ref":"s2.rows[only].id"}}`,
		"hours of the branch of Ada Lovelace on 2026-11-23": `readers_find{"name":"Ada Lovelace"}; ` +
			`branch_hours{"branch_id":{"$ref":"s1.rows[only].branch_id"},"day":"2026-11-23"}`,
		"loans of the book called winter tales": `books_search{"query":"winter tales"}; ` +
			`loans_list{"book_id":{"$ref":"s1.rows[only].id"}}`,
		"late loans with the reader name": `loans_list{"state":"late"}; join readers_find by reader_id=id`,
		"loans of Ada Lovelace and Alan Turing": `readers_find{"name":"Ada Lovelace"}; ` +
			`loans_list{"reader_id":{"$ref":"s1.rows[only].id"}}; beside readers_find{"name":"Alan Turing"}; ` +
			`loans_list{"reader_id":{"$ref":"s1.rows[only].id"}}`,
	} {
		list := set.Chains(message, now, "query_table", func(tool plan.Tool) bool {
			return tool.ReadOnly || strings.HasPrefix(message, "cancel")
		})
		if len(list) == 0 || toldChain(list[0]) != want {
			got := ""
			for _, c := range list[:min(len(list), 3)] {
				got += fmt.Sprintf("\n   %.2f %s", c.Score, toldChain(c))
			}
			t.Errorf("%q: want %s, got %s", message, want, got)
		}
	}
}

// TestChainsChangeOneThing: what changes something is given one thing that the message names, never all there are.
func TestChainsChangeOneThing(t *testing.T) {
	set := NewSet(shelf)
	for _, message := range []string{"cancel all loans", "cancel every loan", "cancel the loan"} {
		for _, c := range set.Chains(message, time.Now(), "query_table", func(plan.Tool) bool { return true }) {
			if c.Tool == "loans_cancel" && len(c.Open) == 0 {
				t.Errorf("%q: %s", message, toldChain(c))
			}
		}
	}
}

// TestChainsBounded: a long message over many tools that give each other everything ends soon, and gives something or nothing.
func TestChainsBounded(t *testing.T) {
	var tools []plan.Tool
	for i := range 60 {
		tools = append(tools, shelfTool(fmt.Sprintf("things%d_list", i), "List things by reader and book.", "reader_id", "book_id", "loan_id", "name"))
	}
	set := NewSet(append(tools, shelf...))
	message := strings.Repeat("loans of the reader Ada and the book B7 with things ", 8)
	for _, c := range set.Chains(message, time.Now(), "", func(plan.Tool) bool { return true }) {
		if len(c.Steps) == 0 {
			t.Error("a chain without steps")
		}
	}
}
