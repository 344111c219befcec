package server

import (
	"math"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"catena/chat"
)

// Route is one line of the table that routing, /openapi.json and the documentation are made from.
type Route struct {
	Method  string
	Path    string // with {name} for parameters
	Summary string
	Tag     string
	Query   []Param
	Body    Body
	Loose   bool     // the body may have fields that are not known, which do nothing
	Answer  string   // the component schema of the answer; "" means none is described
	Status  []int    // of answers that are no errors; nil is 200
	Formats []string // endings that Path also takes, such as .csv
	Stream  bool     // may answer as an event stream
	Needs   string   // a right of the caller, one of Needs...; New refuses a route without
	Once    bool     // an Idempotency-Key has it done once; messages have runs for that
	Limit   int64    // bytes of the body; 0 means Options.BodyLimit
	Handle  func(*gin.Context)
}

// Routes returns the table, without handlers: what a server made with any Options serves.
func Routes() []Route {
	s := &Core{opt: Options{Metrics: http.NotFoundHandler(), Issuer: "https://issuer.example"}}
	s.opt.fill()
	return s.routes()
}

func (s *Core) routes() []Route {
	all := s.chatRoutes()
	all = append(all, s.tableRoutes()...)
	all = append(all, s.protocolRoutes()...)
	return append(all, s.serviceRoutes()...)
}

// ChatLimit is how long a message may be with its attachments, which are base64 inside the JSON: four bytes for three.
func (s *Core) ChatLimit() int64 { return s.opt.UploadLimit/3*4 + s.opt.BodyLimit }

func (s *Core) chatRoutes() []Route {
	chatLimit := s.ChatLimit()
	after := []Param{number("after", 0, 0, noEnd,
		"only events after this sequence number; Last-Event-ID means the same")}
	turns := []Param{number("limit", 100, 1, 1000, "how many of the newest")}
	sessions := []Param{number("limit", 100, 1, 1000, "how many"),
		text(chat.CursorField, "cursor", "next of the part before"),
		text(chat.QueryField, "q", "words that all stand in the title, the messages or the answers")}
	return []Route{
		{Method: "POST", Path: "/api/v1/chat", Needs: NeedsChat, Tag: "chat",
			Summary: "Answer a message; with Accept: text/event-stream as events", Body: chatBody(),
			Answer: "ChatResponse", Stream: true, Limit: chatLimit, Handle: s.postChat},
		{Method: "POST", Path: "/api/v1/plan", Needs: NeedsChat, Tag: "chat", Summary: "Plan a message and run nothing",
			Body: chatBody(), Answer: "RoutingResult", Limit: chatLimit, Handle: s.postPlan},
		{Method: "POST", Path: "/api/v1/plan/check", Needs: NeedsChat, Tag: "chat",
			Summary: "Validate a plan, mend what has one reading, and explain the rest", Body: anyBody(),
			Answer: "PlanCheck", Handle: s.postPlanCheck},
		{Method: "GET", Path: "/api/v1/runs/{id}", Needs: NeedsChat, Tag: "runs",
			Summary: "What is known of a run, with its response once it has ended", Answer: "Run", Handle: s.getRun},
		{Method: "GET", Path: "/api/v1/runs/{id}/events", Needs: NeedsChat, Tag: "runs",
			Summary: "The events of a run, from the start or after a number, until it ends", Query: after, Stream: true,
			Handle: s.getRunEvents},
		{Method: "GET", Path: "/api/v1/runs/{id}/charts/{chart}", Needs: NeedsChat, Tag: "runs",
			Summary: "A chart of a run's answer by its number, from 1; with an ending its picture", Answer: "Chart",
			Formats: []string{".svg", ".png"}, Handle: s.getChart},
		{Method: "POST", Path: "/api/v1/runs/{id}/cancel", Needs: NeedsChat, Tag: "runs", Summary: "Stop a run",
			Handle: s.postRunCancel},
		{Method: "POST", Path: "/api/v1/runs/{id}/approve", Needs: NeedsEdit, Tag: "runs",
			Summary: "Decide about a step that waits (run, skip, or done), and go on; the answer comes as that of a " +
				"message", Body: approvalBody(), Answer: "ChatResponse", Stream: true, Handle: s.postRunApprove},
		{Method: "POST", Path: "/api/v1/runs/{id}/resume", Needs: NeedsEdit, Tag: "runs",
			Summary: "Go on with a run that ended with its process; the answer comes as that of a message",
			Answer:  "ChatResponse", Stream: true, Handle: s.postRunResume},
		{Method: "GET", Path: "/api/v1/sessions", Needs: NeedsChat, Tag: "sessions",
			Summary: "The caller's chat sessions, the last updated first; next is the cursor of the part that follows",
			Query:   sessions, Answer: "Sessions", Handle: s.getSessions},
		{Method: "GET", Path: "/api/v1/sessions/{id}", Needs: NeedsChat, Tag: "sessions",
			Summary: "The turns of a session, oldest first, the path of runs to the newest one, and the runs that " +
				"have not ended; with an ending all of it as a file", Query: turns, Formats: []string{".md", ".json"},
			Handle: s.getSession},
		{Method: "PATCH", Path: "/api/v1/sessions/{id}", Needs: NeedsEdit, Tag: "sessions",
			Summary: "Give a session a title", Body: sessionBody(), Handle: s.patchSession},
		{Method: "DELETE", Path: "/api/v1/sessions/{id}", Needs: NeedsEdit, Tag: "sessions",
			Summary: "Delete a session with all that belongs to it", Status: []int{http.StatusNoContent},
			Handle: s.deleteSession},
	}
}

func (s *Core) tableRoutes() []Route {
	session := text(chat.SessionField, "session_id",
		"the chat session that the tables belong to; a new one, named in the answer, when there is none")
	chosen := []Param{
		{Field: chat.Field{Name: "sort", Least: 1, Most: maxColumn}, Many: maxSort,
			Summary: "a column to sort by, with a minus before it for the largest first"},
		{Field: chat.Field{Name: "filter"}, JSON: "Conditions",
			Summary: `conditions that must all hold, as query_table takes them: [{"column": "country", "op": "eq", "value": "USA"}]`},
	}
	paged := []Param{
		number("offset", 0, 0, math.MaxInt32, "rows to skip"), number("limit", 100, 1, 10000, "rows to give"),
	}
	locale := text(chat.LocaleField, "locale", "the BCP 47 tag of the words' language")
	texts := text(chat.Field{OneOf: []string{"", textCells}}, "cells",
		"text adds each cell as answers write it, with headings and the rows' places in the whole table")
	cells := append(slices.Clone(paged), locale, texts)
	page := append(slices.Concat(paged, chosen), locale, texts)
	upload := []Param{session,
		text(chat.Field{Most: maxFileName}, "name", "the file's name, for a body that is the file itself"),
		text(chat.LocaleField, "locale",
			"who sends it writes numbers as this BCP 47 tag does: in de, 1.000 is a thousand where nothing in the "+
				"text says otherwise"),
		text(chat.ConflictField, "on_conflict",
			"what becomes of a name that another table of the session has, with other content: ask (409 name_taken), "+
				"replace, keep_both")}
	// A form has headers around the file.
	uploadLimit := s.opt.UploadLimit + 64<<10
	return []Route{
		{Method: "POST", Path: "/api/v1/tables", Needs: NeedsUpload, Tag: "tables",
			Summary: "Upload files as a form or one as the body, or send {name, text}; 207 when only some could be read", Query: upload, Body: uploadBody(), Answer: "Uploads", Status: []int{http.StatusCreated, http.StatusMultiStatus}, Limit: uploadLimit, Once: true, Handle: s.postTable},
		{Method: "GET", Path: "/api/v1/tables", Needs: NeedsTables, Tag: "tables",
			Summary: "The tables a message of the session can ask about", Query: upload[:1], Handle: s.getTables},
		{Method: "GET", Path: "/api/v1/tables/{handle}", Needs: NeedsTables, Tag: "tables",
			Summary: "Rows of a table, sorted and filtered if asked; with an ending all of them as a file", Query: page,
			Answer: "Table", Formats: []string{".csv", ".json", ".md", ".xlsx", ".arrow", ".parquet"},
			Handle: s.getTable},
		{Method: "GET", Path: "/api/v1/tables/{handle}/profile", Needs: NeedsTables, Tag: "tables",
			Summary: "What a table's columns hold: types, units, statistics over all its rows, and warnings",
			Answer:  "TableProfile", Handle: s.getTableProfile},
		{Method: "GET", Path: "/api/v1/tables/{handle}/cells/{row}/{column}", Needs: NeedsTables, Tag: "tables",
			Summary: "The rows that a cell of a query's result was computed of: what was computed and of which rows, " +
				"in words, and a page of the rows; row from 0, column by name or by its place from 0",
			Query: cells, Answer: "CellOrigin", Handle: s.getCell},
		{Method: "GET", Path: "/api/v1/tools", Needs: NeedsTarget, Tag: "tools",
			Summary: "The tools the caller may call", Handle: s.getTools},
		{Method: "POST", Path: "/api/v1/tools/{name}", Needs: NeedsTarget, Tag: "tools", Summary: "Call one tool",
			Body: callBody(), Answer: "ToolResult", Once: true, Handle: s.postTool},
	}
}

func (s *Core) protocolRoutes() []Route {
	chatLimit := s.ChatLimit()
	return []Route{
		{Method: "POST", Path: "/stream", Needs: NeedsChat, Tag: "aliases", Summary: "POST /api/v1/chat as events",
			Body: chatBody(), Loose: true, Stream: true, Limit: chatLimit, Handle: s.postStream},
		{Method: "POST", Path: "/execute", Needs: NeedsTarget, Tag: "aliases",
			Summary: "Call one tool: {tool_name, arguments}", Body: executeBody(), Loose: true, Answer: "ToolResult",
			Once: true, Handle: s.postExecute},
	}
}

func (s *Core) serviceRoutes() []Route {
	all := []Route{
		{Method: "GET", Path: "/livez", Needs: NeedsNothing, Tag: "service", Summary: "200 while the process serves",
			Handle: s.getLive},
		{Method: "GET", Path: "/readyz", Needs: NeedsNothing, Tag: "service",
			Summary: "200 when every required part is there, else 503", Answer: "Health",
			Status: []int{http.StatusOK, http.StatusServiceUnavailable}, Handle: s.getReady},
		{Method: "GET", Path: "/health", Needs: NeedsNothing, Tag: "service",
			Summary: "healthy or degraded, and which part; 200 while the process serves", Answer: "Health",
			Handle: s.getHealth},
		{Method: "GET", Path: "/openapi.json", Needs: NeedsNothing, Tag: "service", Summary: "This description",
			Handle: s.getOpenAPI},
		{Method: "GET", Path: "/", Needs: NeedsNothing, Tag: "service",
			Summary: "The page; service information when asked for JSON", Handle: s.getRoot},
		{Method: "GET", Path: "/static/{file}", Needs: NeedsNothing, Tag: "service", Summary: "The files of the page",
			Handle: s.getStatic},
		{Method: "GET", Path: "/assets/{version}/{file}", Needs: NeedsNothing, Tag: "service",
			Summary: "The same under a version of the page, to be kept for good", Handle: s.getVersioned},
	}
	if s.opt.Issuer != "" {
		for _, path := range []string{resourcePath, resourcePath + "/mcp"} {
			all = append(all, Route{Method: "GET", Path: path, Needs: NeedsNothing, Tag: "service",
				Summary: "Who gives tokens for this server, for MCP clients (RFC 9728); there where access.oidc is set",
				Handle:  s.getResource})
		}
	}
	if s.opt.Metrics != nil {
		all = append(all, Route{Method: "GET", Path: "/metrics", Needs: NeedsMetrics, Tag: "service",
			Summary: "Metrics for Prometheus", Handle: gin.WrapH(s.opt.Metrics)})
	}
	return all
}

// allowFile corrects the Allow header of a path that is a file by its ending: files are only read, though the router
// has one pattern for them and for what they are made of.
func (s *Core) allowFile(c *gin.Context, routes []Route) {
	ending := path.Ext(c.Request.URL.Path)
	for _, r := range routes {
		if slices.Contains(r.Formats, ending) && matches(r.Path, c.Request.URL.Path) {
			c.Header("Allow", strings.Join([]string{http.MethodGet, http.MethodHead}, ", "))
			return
		}
	}
}

// matches reports whether a path fits the pattern of a route.
func matches(pattern, name string) bool {
	parts, given := strings.Split(pattern, "/"), strings.Split(name, "/")
	if len(parts) != len(given) {
		return false
	}
	for i, part := range parts {
		if part != given[i] && !strings.HasPrefix(part, "{") {
			return false
		}
	}
	return true
}
