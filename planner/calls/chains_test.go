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

// TestChainsDirect: what one call lists is not got again, one by one; one thing is, since a list may say less of it.
func TestChainsDirect(t *testing.T) {
	set := NewSet(shelf)
	reads := func(tool plan.Tool) bool { return tool.ReadOnly }
	for message, want := range map[string]string{
		"poetry books":              `books_search{"genre":"poetry"}`,
		"which books are of crime?": `books_search{"genre":"crime"}`,
		"show the book B7":          "",
	} {
		got := ""
		for _, c := range set.Chains(message, time.Now(), "query_table", reads) {
			if c.Direct {
				got = toldChain(c)
				break
			}
		}
		if got != want {
			t.Errorf("%q: %s, want %s", message, got, want)
		}
	}
}

// TestChainsCodes: a code that begins with an argument's name is that argument's value, and is not looked for by name.
func TestChainsCodes(t *testing.T) {
	set := NewSet([]plan.Tool{
		shelfTool("books_search", "Search books by title: isbn, title, pages.", "query # part of the title"),
		shelfTool("copies_list", "List the copies of a book, per branch.", "isbn!", "state=lent|here"),
		shelfTool("branches_list", "List branches by city: id, city.", "city"),
	})
	for message, want := range map[string]string{
		"copies of ISBN-4711 that are lent": `copies_list{"isbn":"ISBN-4711","state":"lent"}`,
		"copies of Winter Tales": `books_search{"query":"Winter Tales"}; ` +
			`copies_list{"isbn":{"$ref":"s1.rows[only].isbn"}}`,
	} {
		list := set.Chains(message, time.Now(), "query_table", func(plan.Tool) bool { return true })
		if len(list) == 0 || toldChain(list[0]) != want {
			t.Errorf("%q: %v, want %s", message, list, want)
		}
	}
}

// TestElsewhere: a word of what other tools give is told from one that tells of a tool's own rows, or of nothing.
func TestElsewhere(t *testing.T) {
	set := NewSet(shelf)
	for _, tc := range []struct {
		tool, word string
		want       bool
	}{
		{"loans_list", "genre", true}, {"loans_list", "poetry", true}, {"loans_list", "author", true},
		{"loans_list", "late", false}, {"loans_list", "loans", false}, {"loans_list", "yesterday", false},
		{"books_get", "genre", false}, {"books_get", "pages", false}, {"nobody", "genre", false},
	} {
		if got := set.Elsewhere(tc.tool, tc.word); got != tc.want {
			t.Errorf("%s beside %s: %v", tc.word, tc.tool, got)
		}
	}
}

// TestMisplaced: what looks like the id of one thing is none of another's, no name and no country; money is no number
// of days.
func TestMisplaced(t *testing.T) {
	set := NewSet(append([]plan.Tool{
		shelfTool("loans_overdue", "List loans that are overdue for so many days.", "min_days:integer! # minimum days"),
		shelfTool("fines_list", "List fines.", "amount:number # least amount"),
	}, shelf...))
	bad := map[string]map[string]string{
		"get the reader B7":              {"readers_get id": "B7", "readers_find name": "B7"},
		"find readers in the country B7": {"readers_find country": "B7", "readers_find name": "B7"},
		"overdue loans over 500 EUR":     {"loans_overdue min_days": "500"},
	}
	for message := range bad {
		for _, f := range set.Fits(message, time.Now(), func(tool plan.Tool) bool { return tool.ReadOnly }) {
			for _, c := range f.Calls {
				for name, v := range c.Args {
					if fmt.Sprint(v) == bad[message][c.Tool+" "+name] {
						t.Errorf("%q: %s takes %v as its %s", message, c.Tool, v, name)
					}
				}
			}
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
