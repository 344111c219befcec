package app

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"catena/internal/access"
)

// ownUploads are files whose names and columns are those of the demo's tables, or like them.
var ownUploads = map[string]string{
	"clients.csv": "client,city,spend\nAda Ltd,Oslo,120\nBolt AG,Bern,900\nCorvo SA,Lyon,450\nDune Inc,Oslo,70\n",
	"revenue.csv": "shop,week,revenue,zone\nNorth,1,100,0\nSouth,1,250,1\nNorth,2,80,0\nSouth,2,300,1\n",
	"tickets.csv": "ticket,event,status,price,tickets\nA1,Opera,open,80,3\nA2,Opera,sold,95,1\nA3,Ballet,open,60,2\nA4,Ballet,sold,75,4\nA5,Opera,open,50,5\n",
	"sales.csv":   "product,sales,returns\nPen,40,2\nInk,75,5\nPad,20,0\n",
	"fx.csv":      "currency,rate,month\nNOK,10.5,2026-01-01\nSEK,10.9,2026-01-01\nNOK,10.7,2026-02-01\nSEK,11.1,2026-02-01\n",
	"orders.csv":  "order,client,region,revenue,country\n1,Ada Ltd,Nordics,300,Norway\n2,Bolt AG,Alps,500,Switzerland\n3,Corvo SA,Alps,200,France\n4,Ada Ltd,Nordics,150,Norway\n5,Eis GmbH,Alps,90,Austria\n6,Fox AB,Nordics,60,Sweden\n",
}

// unsure is what is said where the upload has no answer: a question back or a refusal.
const unsure = ""

// ownQuestions are plain questions about the uploads, and what their answers say.
var ownQuestions = map[string][][2]string{
	"clients.csv": {
		{"show me the top clients", unsure},
		{"get top clients", unsure},
		{"top 2 clients", unsure},
		{"top 2 clients by spend", `Bolt AG\|900\|\n\|Corvo SA\|450\|\n\n`},
		{"best clients", `Bolt AG\|900`},
		{"how many clients are there?", `: 4\n`},
		{"find clients in Oslo", `Ada Ltd\|\n\|Dune Inc\|`},
		{"find the client Ada", `Ada Ltd\|\n\n`},
		{"total revenue", unsure},
		{"clients in Bern", `\n\|Bolt AG\|\n\n`},
		{"total spend by city", `Oslo\|190`},
		{"list all clients", `Dune Inc\|Oslo\|70`},
		{"top clients in clients.csv", unsure},
		{"total spend in clients.csv", `: 1,?540`},
	},
	"revenue.csv": {
		{"total revenue in revenue.csv", `: 730\n`},
		{"total revenue", `: 730\n`},
		{"Revenue.CSV: what is the total revenue?", `: 730\n`},
		{"total revenue where zone is 0", `: 180\n`},
		{"which shop has the highest revenue?", `South\|550`},
		{"average revenue per week", `1\|175\|\n\|2\|190`},
		{"revenue of North", `100[^§]*80`},
		{"revenue by client", unsure},
		{"revenue by country", unsure},
		{"where does revenue come from?", unsure},
	},
	"tickets.csv": {
		{"how many tickets are open?", `open"\*\*: 3\n`},
		{"open tickets", `A1\|\n\|A3\|\n\|A5\|`},
		{"show open tickets", `A1\|\n\|A3\|\n\|A5\|`},
		{"get open tickets", `A1\|\n\|A3\|\n\|A5\|`},
		{"list the tickets that are open", `A1\|\n\|A3\|\n\|A5\|`},
		{"how many tickets were sold?", `: 2\n`},
		{"tickets by event", `Opera\|9\|\n\|Ballet\|6`},
		{"average price of tickets", `: 72\n`},
		{"tickets by priority", unsure},
		{"tickets by assignee", unsure},
		{"how many open tickets does the Opera have?", `: 2\n`},
		{"how many tickets are there in tickets.csv?", `: (5|15)\n`},
	},
	"sales.csv": {
		{"how many sales were there?", `: (3|135)\n|rows of all sales`},
		{"total sales", `: 135`},
		{"sales by product", `Pen\|40\|\n\|Ink\|75\|\n\|Pad\|20`},
		{"top 2 products", unsure},
		{"sales by region", unsure},
		{"total sales in sales.csv", `: 135`},
		{"sales of Ink", `: 75`},
	},
	"fx.csv": {
		{"average rate by currency", `NOK\|10\.6`},
		{"what is the rate of NOK?", `10\.5\|\n\|10\.7`},
		{"fx by month", `2026-01\|2\|`},
		{"usd_per_unit by currency", unsure},
		{"how many currencies are there in fx.csv?", `: 2\n`},
		{"highest rate of SEK", `: 11\.1\n`},
		{"describe orders", unsure},
	},
	"orders.csv": {
		{"top clients by revenue", `Bolt AG\|500\|\n\|Ada Ltd\|450`},
		{"top 2 clients", unsure},
		{"show me the top clients", unsure},
		{"revenue by region", `Nordics\|510\|\n\|Alps\|790`},
		{"get client revenue of Ada Ltd", `300\|\n\|Ada Ltd\|150`},
		{"revenue in the Alps", `: 790`},
		{"clients in Norway", `\n\|Ada Ltd\|`},
		{"find clients in France", `\n\|Corvo SA\|`},
		{"top 3 regions", unsure},
		{"how many orders are there?", `: 6`},
	},
}

// TestOwnUploads asks plain questions about uploads whose names and columns are the demo's: each is answered from the
// upload, asked back or refused, and never answered from the demo.
func TestOwnUploads(t *testing.T) {
	h := newHouse(t, access.Key{Name: "ann"})
	demo := regexp.MustCompile(`get_top_clients|get_client_revenue|get_revenue_by_region|find_clients|get_open_tickets`)
	for file, questions := range ownQuestions {
		for _, q := range questions {
			session := file + " " + strings.Trim(q[0], "?")
			h.upload(session, file, ownUploads[file])
			got, a := h.chat(session, q[0])
			executed := strings.Join(a.Executed, " ")
			answered := a.Outcome == "answer"
			switch {
			case demo.MatchString(executed), strings.Contains(a.Response, "Demo data as of"):
				t.Errorf("%s, %q is answered from the demo: %s", file, q[0], a.Response)
			case answered == (q[1] == unsure), answered && !regexp.MustCompile(q[1]).MatchString(a.Response):
				t.Errorf("%s, %q: %s: %s", file, q[0], a.Outcome, a.Response)
			case !answered && a.Response == "":
				t.Errorf("%s, %q: nothing is said: %s", file, q[0], got)
			}
		}
	}
}

// TestDemoAskedFor: where an upload has no answer and the demo has, the demo answers once it is chosen, or said.
func TestDemoAskedFor(t *testing.T) {
	h := newHouse(t, access.Key{Name: "ann"})
	h.upload("one", "shops.csv", ownUploads["revenue.csv"])
	if _, a := h.chat("one", "top 3 USA clients"); a.Outcome != "clarify" || !strings.Contains(a.Response, "demo") {
		t.Fatal(a.Outcome, a.Response)
	}
	if _, a := h.chat("one", "1"); !strings.Contains(a.Response, "Top 3 clients in the USA") {
		t.Error("chosen:", a.Outcome, a.Response)
	}
	if _, a := h.chat("one", "and for Germany?"); !strings.Contains(a.Response, "Germany") || a.Outcome != "answer" {
		t.Error("followed:", a.Outcome, a.Response)
	}
	if _, a := h.chat("one", "total revenue of the shops"); !strings.Contains(a.Response, ": 730") {
		t.Error("the upload after the demo:", a.Outcome, a.Response)
	}
	if _, a := h.chat("one", "call get_top_clients"); !strings.Contains(a.Response, "Top 10 clients") {
		t.Error("by its tool:", a.Outcome, a.Response)
	}
}

// ownAnswer is what the tests above read of an answer.
type ownAnswer struct {
	Response, Outcome string
	Executed          []string `json:"tools_executed"`
}

// upload gives a session a file.
func (h *house) upload(session, name, text string) {
	h.t.Helper()
	body, err := json.Marshal(map[string]string{"name": name, "text": text, "session_id": session})
	if err != nil {
		h.t.Fatal(err)
	}
	if status, got := h.ask("ann", "POST", "/api/v1/tables", string(body)); status >= 300 {
		h.t.Fatal(status, got)
	}
}

// chat sends a message in a session.
func (h *house) chat(session, message string) (string, ownAnswer) {
	h.t.Helper()
	body, err := json.Marshal(map[string]string{"message": message, "session_id": session, "summarize": "off"})
	if err != nil {
		h.t.Fatal(err)
	}
	status, got := h.ask("ann", "POST", "/api/v1/chat", string(body))
	var a ownAnswer
	if err := json.Unmarshal([]byte(got), &a); err != nil || status != 200 {
		h.t.Fatal(status, err, got)
	}
	return got, a
}
