package server

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/gin-gonic/gin"

	"catena/chat"
	"catena/planner/plan"
	"catena/table/columnar"
	"catena/table/csv"
	"catena/tools"
	"catena/tools/handle"
)

// formats are the files a table can be had as.
var formats = map[string]string{
	".csv": "text/csv; charset=utf-8", ".json": "application/json", ".md": "text/markdown; charset=utf-8",
	".xlsx":  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	".arrow": "application/vnd.apache.arrow.stream", ".parquet": "application/vnd.apache.parquet",
}

func (s *Core) getTables(c *gin.Context) {
	ctx := c.Request.Context()
	if err := s.ownSession(ctx, c.Query("session_id")); err != nil {
		s.Fail(c, err)
		return
	}
	list, err := s.listed(ctx, c.Query("session_id"), func(plan.TableInfo) bool { return true })
	if err != nil {
		s.Fail(c, err)
		return
	}
	WriteJSON(c, http.StatusOK, map[string]any{"tables": list})
}

// listedTable is a table as lists have it.
type listedTable struct {
	plan.TableInfo
	Notes []string `json:"notes,omitempty"` // what loading repaired or left out
}

// listed gives the tables that a session can ask about, those that are wanted.
func (s *Core) listed(ctx context.Context, session string, wanted func(plan.TableInfo) bool) ([]listedTable, error) {
	tables, err := s.opt.Data.Describe(ctx, CallerOf(ctx), session)
	out := make([]listedTable, 0, len(tables))
	for _, t := range tables {
		if wanted(t) {
			out = append(out, listedTable{t, s.opt.Data.LoadNotes(ctx, CallerOf(ctx), session, t.Name)})
		}
	}
	return out, err
}

// getTable answers rows of a table as JSON, or the whole table as a file where the path has an ending.
func (s *Core) getTable(c *gin.Context) {
	name := c.Param("handle")
	ending := path.Ext(name)
	if media, ok := formats[ending]; ok {
		s.sendFile(c, strings.TrimSuffix(name, ending), ending, media)
		return
	}
	offset, limit := numberOf(c, "offset"), numberOf(c, "limit")
	query, err := tableQuery(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	asked, texts := len(query) > 0, c.Query("cells") == textCells
	if asked {
		query["offset"], query["limit"] = offset, limit
		if texts {
			query["derive"] = []any{map[string]any{"as": placeColumn, "op": "row"}}
		}
	}
	res, err := s.findTable(c.Request.Context(), name, query, asked)
	if err != nil {
		s.Fail(c, err)
		return
	}
	rows, size := max(res.Total, res.Table.NumRows()), pageSize(res, limit)
	if !asked {
		rows = res.Table.NumRows()
		offset = min(offset, rows)
		res.Table = res.Table.Slice(offset, min(limit, rows-offset))
	} else if res.Handle = ""; handle.Is(name) {
		res.Handle = name // the whole, not the page
	}
	var whole chat.TableProfile
	if texts {
		whole, err = s.profileFor(c.Request.Context(), name)
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	s.sendRows(c, size, func() (any, error) {
		var page tablePage
		var err error
		if texts {
			page.Text, err = pageTexts(c, whole, &res)
		}
		if err == nil {
			page.WireTable, err = WireOf(res.Table)
		}
		page.Handle, page.TotalRows, page.Truncated = res.Handle, rows, page.RowCount < rows
		return page, err
	})
}

// getTableProfile answers what the columns of a table hold.
func (s *Core) getTableProfile(c *gin.Context) {
	ctx := c.Request.Context()
	res, err := s.findTable(ctx, c.Param("handle"), nil, false)
	if err != nil {
		s.Fail(c, err)
		return
	}
	WriteJSON(c, http.StatusOK, chat.ProfileOf(ctx, res))
}

// tableQuery reads sort and filter as arguments of query_table; none when neither is given.
func tableQuery(c *gin.Context) (map[string]any, error) {
	query := map[string]any{}
	var order []any
	for _, column := range c.QueryArray("sort") {
		name, desc := strings.CutPrefix(column, "-")
		if name == "" {
			name, desc = column, false
		}
		order = append(order, map[string]any{"column": name, "desc": desc})
	}
	if len(order) > 0 {
		query["order_by"] = order
	}
	if text := c.Query("filter"); text != "" {
		if err := CheckJSON("The filter", []byte(text), ofValue); err != nil {
			return nil, err
		}
		var conditions []any
		if err := decodeBytes([]byte(text), &conditions, true); err != nil {
			return nil, NewProblem(http.StatusBadRequest, "wrong_type", "The filter is no list of conditions.",
				`For example filter=[{"column":"country","op":"eq","value":"USA"}].`)
		}
		query["filter"] = conditions
	}
	return query, nil
}

// findTable returns the caller's table under a handle, or under the name that plans know it by; with a query, what
// query_table makes of it. A table that is passing is put under no handle: see tools.Call.
func (s *Core) findTable(ctx context.Context, name string, query map[string]any, passing bool) (tools.Result, error) {
	caller := CallerOf(ctx)
	if handle.Is(name) && len(query) == 0 {
		t, meta, err := s.opt.Tables.Get(ctx, caller, name)
		return tools.Result{Table: t, Handle: name, Name: meta.Name, Title: meta.Title, Total: meta.Total}, err
	}
	args := map[string]any{"table": name}
	maps.Copy(args, query)
	res, err := s.opt.Tools.Call(ctx, tools.Call{Caller: caller, Tool: "query_table", Args: args, Passing: passing})
	switch {
	case err != nil:
		return res, err
	case res.IsError && res.Code != tools.CodeNotFound && len(query) > 0:
		return res, toolProblem(res, Sentence(res.Text), "GET the table without sort and filter to see its columns.")
	case res.IsError || res.Table == nil:
		return res, fmt.Errorf("table %q: %w", name, fs.ErrNotExist)
	}
	return res, nil
}

const (
	// fileRoom is what a file counts while its table is looked for, and a large CSV file while it is sent: what Linux
	// takes off the program's hands for a client that reads nothing (net.ipv4.tcp_wmem, 4 MiB by default), and the time
	// to write it. 500 such readers at once held up everybody else for 3 s.
	fileRoom = 4 << 20
	// copyRoom is what a file counts while its table is sorted or filtered: three at a time for one caller, as each may
	// make a copy of 256 MiB.
	copyRoom = 32 << 20
	// fileWait is how long a file waits for its turn.
	fileWait = 10 * time.Second
)

// sendFile answers the whole of a table.
func (s *Core) sendFile(c *gin.Context, name, ending, media string) {
	ctx := c.Request.Context()
	query, err := tableQuery(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	res, end, err := s.fileTable(ctx, name, ending, query)
	if err != nil {
		s.Fail(c, err)
		return
	}
	defer end()
	write, err := s.tableWriter(ctx, res, ending)
	if err != nil {
		s.Fail(c, err)
		return
	}
	c.Header("Content-Type", media)
	c.Header("Cache-Control", "no-store")
	c.Header("Content-Disposition", mime.FormatMediaType("attachment",
		map[string]string{"filename": downloadName(name, res) + ending}))
	err = write(c.Writer)
	if err != nil && !c.Writer.Written() { // it does not fit the format
		for _, h := range []string{"Content-Type", "Content-Disposition"} {
			c.Writer.Header().Del(h)
		}
		s.Fail(c, NewProblem(http.StatusUnprocessableEntity, "not_representable", Sentence(err.Error()),
			"Ask for it with another ending: .csv and .parquet take every table."))
		return
	}
	if err != nil && ctx.Err() == nil {
		s.log.WarnContext(ctx, "a table was cut off while it was sent", "table", name, "error", err.Error())
	}
	if err != nil {
		panic(http.ErrAbortHandler) // or the beginning would be a whole file to the client
	}
}

// mostInName bounds the name of a file that is sent, in characters.
const mostInName = 100

// downloadName is what the file of a table is called: by its title, where it has nothing but a handle.
func downloadName(name string, res tools.Result) string {
	if words := nameOf(res.Title); handle.Is(name) && words != "" {
		return words
	}
	return fileName(name)
}

// nameOf is a title as the name of a file; "" where nothing of it may stand in one.
func nameOf(title string) string {
	title = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || strings.ContainsRune(`/\:*?"<>|`, r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(title, ""))
	letters := []rune(strings.Trim(strings.Join(strings.Fields(title), " "), ". "))
	return strings.TrimSpace(string(letters[:min(len(letters), mostInName)]))
}

// Attachment is the Content-Disposition of a file that is called by a title.
func Attachment(title, ending string) string {
	return mime.FormatMediaType("attachment", map[string]string{"filename": cmp.Or(nameOf(title), "chat") + ending})
}

// fileTable finds the table of a file and takes room to send it. It waits for its turn before anything is done. CSV of
// a table as it is kept is written row by row, and its turn goes on while it is sent; what is made as a whole, and a
// table that is sorted or filtered, which is a copy, take memory in place of the turn. A copy does not wait for that,
// or all that wait would have theirs. The returned function gives the room back.
func (s *Core) fileTable(
	ctx context.Context, name, ending string, query map[string]any,
) (res tools.Result, end func(), err error) {
	caller, turn := CallerOf(ctx).ID, int64(fileRoom)
	copied := len(query) > 0
	if copied {
		turn = copyRoom
	}
	if !s.sending.takeWithin(ctx, caller, turn, s.fileWait) {
		return res, nil, busyProblem()
	}
	giveTurn := sync.OnceFunc(func() { s.sending.give(caller, turn) })
	sent := false
	defer func() {
		if !sent {
			giveTurn()
		}
	}()
	if res, err = s.findTable(ctx, name, query, ending != ".md"); err != nil {
		return res, nil, err
	}
	size, wait := handle.SizeOf(res.Table), s.fileWait
	if ending == ".csv" && !copied {
		over := max(0, turn-size)
		s.sending.give(caller, over)
		turn, sent = turn-over, true
		return res, giveTurn, nil
	}
	if ending != ".csv" {
		size = 3*size + 64<<10 // the cells as they are, as they are written, and what packs them
	}
	if copied {
		wait = 0
	}
	giveTurn()
	if !s.files.takeWithin(ctx, caller, size, wait) {
		return res, nil, busyProblem()
	}
	return res, func() { s.files.give(caller, size) }, nil
}

// tableWriter writes a table as the file of an ending.
func (s *Core) tableWriter(ctx context.Context, res tools.Result, ending string) (func(io.Writer) error, error) {
	switch ending {
	case ".xlsx":
		return s.whole(ctx, res, func(w io.Writer) error { return s.opt.Data.WriteXLSX(ctx, w, res) })
	case ".arrow":
		return func(w io.Writer) error { return columnar.WriteIPC(ctx, w, res.Table) }, nil
	case ".parquet":
		return func(w io.Writer) error { return columnar.WriteParquet(ctx, w, res.Table) }, nil
	case ".json":
		return s.whole(ctx, res, func(w io.Writer) error {
			b, err := res.Table.MarshalJSON()
			if err == nil {
				_, err = w.Write(b)
			}
			return err
		})
	case ".md":
		form, err := s.opt.Tools.Call(ctx, tools.Call{Caller: CallerOf(ctx), Tool: "format_table_for_llm",
			Args: map[string]any{"data": res.Handle}})
		if err == nil && form.IsError {
			err = NewProblem(http.StatusUnprocessableEntity, form.Code, form.Text, "")
		}
		return func(w io.Writer) error { _, err := io.WriteString(w, form.Text); return err }, err
	}
	return func(w io.Writer) error { return csv.WriteHarmless(ctx, w, res.Table) }, nil
}

// whole makes a file as a whole, in the lane of heavy work where its table is large, before anything of it is sent: no
// client that reads slowly holds up the lane.
func (s *Core) whole(
	ctx context.Context, res tools.Result, write func(io.Writer) error,
) (func(io.Writer) error, error) {
	size := handle.SizeOf(res.Table)
	done, err := s.heavy(ctx, size)
	if err != nil {
		return nil, err
	}
	defer done()
	var file bytes.Buffer
	aside(int(size), func() { err = write(&file) })
	return func(w io.Writer) error {
		if err != nil {
			return err
		}
		_, err := file.WriteTo(w)
		return err
	}, nil
}
