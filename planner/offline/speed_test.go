package offline

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"catena/internal/cputime"
	"catena/planner/plan"
)

// fields of business that the large catalogue and the tables are made of; each has things of its own.
var (
	businesses = []string{"crm", "billing", "shipping", "hiring", "support", "fleet", "clinic", "school", "hotel", "library", "energy", "farming", "banking", "insurance", "travel", "media", "games", "sports", "legal", "retail", "mining", "forestry", "fishing", "music", "museum"}
	objects    = []string{"account", "invoice", "parcel", "candidate", "case", "truck", "patient", "course", "room", "volume", "meter", "field", "loan", "claim", "trip", "article", "match", "player", "contract", "basket", "shaft", "plot", "vessel", "album", "exhibit"}
)

// manyTools makes 500 tools with schemas: for each of 25 fields, two kinds of things with ten tools each.
func manyTools() []plan.Tool {
	var out []plan.Tool
	for i, b := range businesses {
		for k := range 2 {
			thing, other := objects[(i+k*7)%len(objects)], objects[(i+3)%len(objects)]
			add := func(verb, desc, props, required string, reads bool) {
				out = append(out, plan.Tool{Name: b + "_" + verb + fmt.Sprint(k+1), Toolset: b, Description: desc, ReadOnly: reads,
					InputSchema: json.RawMessage(`{"type":"object","properties":{` + props + `},"required":[` + required + `]}`)})
			}
			id := `"id":{"type":"string","description":"` + thing + ` id, e.g. ` + string(rune('A'+i)) + fmt.Sprint(k) + `01"}`
			own := `"` + thing + `_id":{"type":"string","description":"` + thing + ` id"}`
			state := `"status":{"type":"string","enum":["open","pending","closed"]}`
			add("search_"+thing+"s", "Find "+thing+"s by name, region or status. Returns rows of id, name, region, status, owner_id.", `"name":{"type":"string","description":"part of the name"},"region":{"type":"string"},`+state, ``, true)
			add("get_"+thing, "Get one "+thing+" by id.", id, `"id"`, true)
			add("list_"+thing+"_events", "List the events of a "+thing+": date, kind, amount.", own+`,"since":{"type":"string","description":"YYYY-MM-DD"}`, `"`+thing+`_id"`, true)
			add("list_"+thing+"_costs", "List the costs of a "+thing+" by month: month, cost, currency.", own+`,"limit":{"type":"integer","maximum":100}`, `"`+thing+`_id"`, true)
			add(thing+"_history", "History of a "+thing+".", own, `"`+thing+`_id"`, true)
			add("find_"+other+"s_of_"+thing, "Find the "+other+"s that belong to a "+thing+".", own+`,"kind":{"type":"string","enum":["new","used"]}`, `"`+thing+`_id"`, true)
			add("create_"+thing, "Create a "+thing+".", `"name":{"type":"string"},"region":{"type":"string"},`+state, `"name"`, false)
			add("update_"+thing+"_status", "Move a "+thing+" to another status.", id+`,`+state, `"id","status"`, false)
			add("close_"+thing, "Close a "+thing+".", id, `"id"`, false)
			add("quote_"+thing, "Price of a "+thing+" for a number of days in a country.", `"days":{"type":"integer","description":"number of days"},"country":{"type":"string","description":"ISO country code"}`, `"days","country"`, true)
		}
	}
	return out
}

// manyTables makes 50 tables with ten columns.
func manyTables() []plan.TableInfo {
	var out []plan.TableInfo
	for i, b := range businesses {
		for k := range 2 {
			thing := objects[(i+k*7)%len(objects)]
			out = append(out, plan.TableInfo{Name: fmt.Sprintf("%s_%ss", b, thing), Rows: 1000 * (i + 1), Columns: []plan.ColumnInfo{
				{Name: thing + "_id", Type: "text", Role: "identifier", Distinct: 1000}, {Name: thing + "_name", Type: "text", Role: "dimension", Distinct: 900},
				{Name: "region", Type: "text", Role: "dimension", Distinct: 8}, {Name: "status", Type: "text", Role: "dimension", Distinct: 4},
				{Name: "opened", Type: "date", Role: "time", Min: "2021-01-01", Max: "2026-10-31"}, {Name: b + "_revenue", Type: "decimal", Role: "measure", Unit: "EUR", Min: "0", Max: "90000"},
				{Name: "cost", Type: "decimal", Role: "measure", Unit: "EUR", Min: "0", Max: "50000"}, {Name: "quantity", Type: "integer", Role: "measure", Min: "0", Max: "500"},
				{Name: "rating", Type: "decimal", Role: "measure", Min: "1", Max: "5"}, {Name: "country", Type: "text", Role: "dimension", Distinct: 30},
			}})
		}
	}
	return out
}

// mixedQuestions are questions about tables, calls of tools, chains, follow-ups in words of their own, and what nothing here answers.
func mixedQuestions() []string {
	var out []string
	for i, b := range businesses {
		thing := objects[i]
		out = append(out,
			fmt.Sprintf("total %s revenue by region in 2025", b), fmt.Sprintf("top 5 %ss by cost", thing), fmt.Sprintf("how many %ss were opened per month", thing),
			fmt.Sprintf("average rating of %s by country, lowest first", thing), fmt.Sprintf("Get the %s %s001", thing, string(rune('A'+i))),
			fmt.Sprintf("Which events does the %s Blue Harbour have since 2026-01-01?", thing), fmt.Sprintf("close the open %s of Nora Lind and then list the costs of the %s Old Mill", thing, thing),
			fmt.Sprintf("compare the costs of the %s Old Mill and the %s Blue Harbour", thing, thing), fmt.Sprintf("what does a %s cost for 12 days in Norway and in Japan?", thing),
			"what is the weather like in Oslo tomorrow", "and the same for Germany?", fmt.Sprintf("write a poem about the %s", thing))
	}
	return out
}

// BenchmarkPlan plans mixed questions with 500 tools and 50 tables, and with the tools alone, and reports the slowest percent.
func BenchmarkPlan(b *testing.B) {
	for _, set := range []struct {
		name   string
		tables []plan.TableInfo
	}{{"tables", manyTables()}, {"alone", nil}} {
		b.Run(set.name, func(b *testing.B) {
			o, questions := New(), mixedQuestions()
			req := plan.Request{Now: time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC), Tools: manyTools(), Tables: set.tables}
			req.Message = questions[0]
			if _, err := o.Plan(context.Background(), req); err != nil { // makes what is kept of the tools and tables
				b.Fatal(err)
			}
			cputime.Each(b, func(i int) {
				req.Message = questions[i%len(questions)]
				if _, err := o.Plan(context.Background(), req); err != nil {
					b.Fatal(err)
				}
			})
		})
	}
}

// BenchmarkShortlist4000 finds the tools for mixed messages among 4,000.
func BenchmarkShortlist4000(b *testing.B) {
	var tools []plan.Tool
	for n := range 8 {
		for _, t := range manyTools() {
			t.Name = fmt.Sprintf("%s_%d", t.Name, n)
			tools = append(tools, t)
		}
	}
	o, questions := New(), mixedQuestions()
	o.Shortlist(questions[0], tools, 40) // makes what is kept of the tools
	cputime.Each(b, func(i int) {
		if got := o.Shortlist(questions[i%len(questions)], tools, 40); len(got) != 40 {
			b.Fatal(len(got))
		}
	})
}

// wideTables makes 40 tables of 300 columns, whose names are of two words and a number.
func wideTables(random *rand.Rand) []plan.TableInfo {
	var out []plan.TableInfo
	for i := range 40 {
		t := plan.TableInfo{Name: fmt.Sprintf("%s_%d", objects[i%len(objects)], i), Rows: 20}
		for k := range 300 {
			c := plan.ColumnInfo{Type: "integer", Role: "measure", Min: "1", Max: "999"}
			if k%3 == 0 {
				c = plan.ColumnInfo{Type: "text", Role: "dimension", Distinct: 12}
			}
			c.Name = fmt.Sprintf("%s_%s_%d", objects[random.IntN(len(objects))], businesses[random.IntN(len(businesses))], k)
			t.Columns = append(t.Columns, c)
		}
		out = append(out, t)
	}
	return out
}

// longMessage is 32 KB of words that columns have and of words that none has.
func longMessage(random *rand.Rand) string {
	var b strings.Builder
	for b.Len() < 32<<10 {
		from := [][]string{objects, businesses, {"lorem", "ipsum", "dolor"}}[random.IntN(3)]
		b.WriteString(from[random.IntN(len(from))] + " ")
	}
	return b.String()
}

// BenchmarkPlanWide plans messages over 40 tables of 300 columns: a pasted text of 32 KB and a short question, each as
// the first message and behind six such texts.
func BenchmarkPlanWide(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 2))
	tables, long := wideTables(random), longMessage(random)
	texts := make([]plan.Turn, 6)
	for i := range texts {
		texts[i].Message = longMessage(random)
	}
	for _, set := range []struct {
		name, message string
		history       []plan.Turn
	}{{"text", long, nil}, {"text-session", long, texts}, {"question", "total of room music 7 by plot media", nil}, {"question-session", "and by plot media", texts}} {
		b.Run(set.name, func(b *testing.B) {
			o := New()
			req := plan.Request{Now: testNow, Tables: tables, Message: set.message, History: set.history}
			cputime.Each(b, func(int) {
				if _, err := o.Plan(context.Background(), req); err != nil {
					b.Fatal(err)
				}
			})
		})
	}
}

// Of columns that words do not name, candidates may give some; of those that they name, it leaves out none.
func TestCandidatesLeaveOutNoMatch(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	v := newView(wideTables(random)[0])
	index := newColumnIndex(v)
	for _, message := range []string{
		longMessage(random), "room music 7", "rom music 7 code", "roommusic7", "loan claims rate", "the meters of hotels", "name size value",
	} {
		toks := tokenize(message)
		for i := range toks {
			for j := i + 1; j <= min(i+3, len(toks)); j++ {
				found := slices.Collect(index.candidates(toks[i:j]).all)
				for c := range v.cols {
					if s := v.cols[c].match(toks[i:j]); s > 0 && !slices.Contains(found, c) {
						t.Fatalf("%s matches %s by %v and is no candidate", message[toks[i].start:toks[j-1].end], v.cols[c].info.Name, s)
					}
				}
			}
		}
	}
}

// A pasted text changes no question: the messages before it do not matter.
func TestPastedTextIsNoFollowUp(t *testing.T) {
	text := "and " + strings.Repeat("lorem ipsum dolor ", 70)
	want, _ := firmPlan(t, text)
	got, _ := firmPlan(t, text, plan.Turn{Message: "turnover by region"})
	if diff := cmp.Diff(stepsOf(want), stepsOf(got)); diff != "" {
		t.Error(diff)
	}
	if got, _ := firmPlan(t, "and by country", plan.Turn{Message: "turnover by region"}); !strings.Contains(stepsOf(got), `"country"`) {
		t.Errorf("a follow-up is %s", stepsOf(got))
	}
}
