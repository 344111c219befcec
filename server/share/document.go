package share

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"catena/chat"
	"catena/chat/report"
	"catena/server"
	"catena/tools"
)

// Bounds of a report.
const (
	mostTurns = 1000
	mostRows  = 1000    // of each table
	mostBytes = 8 << 20 // of the document, beyond which it has neither pictures nor further rows of tables
	mostCells = 200_000 // of one table: a wide one has fewer rows
	cellBytes = 32      // what a cell takes beside its text
)

// document writes the turns that lead to the newest one of the caller's session.
func (s *handlers) document(ctx context.Context, session string) (chat.SessionInfo, []byte, error) {
	caller := server.CallerOf(ctx)
	info, err := s.opt.Sessions.Session(ctx, caller, session)
	var turns []chat.StoredTurn
	if err == nil {
		turns, err = s.opt.Sessions.Turns(ctx, caller, session, mostTurns)
	}
	if err == nil {
		turns, err = s.opt.Sessions.WholeTurns(ctx, caller, turns)
	}
	if err != nil {
		return info, nil, err
	}
	doc, room := report.Document{Title: info.Title, Taken: s.opt.Now()}, mostBytes
	for _, t := range chat.Path(turns) {
		turn, err := s.turn(ctx, t, &room)
		if err != nil {
			return info, nil, err
		}
		doc.Turns = append(doc.Turns, turn)
	}
	return info, doc.HTML(), nil
}

// turn is a turn with its charts and tables, as far as there is room for their cells.
func (s *handlers) turn(ctx context.Context, t chat.StoredTurn, room *int) (report.Turn, error) {
	turn := report.Turn{At: t.At, Message: t.Message, Files: t.Files, Response: t.Response}
	for _, n := range t.Notes {
		if !strings.Contains(t.Response, n) {
			turn.Notes = append(turn.Notes, n)
		}
	}
	*room -= len(turn.Message) + len(turn.Response)
	answer, err := s.answer(ctx, t.RunID)
	for _, c := range answer.Charts {
		if *room -= len(c.SVG) + len(c.PNG); *room > 0 {
			turn.Charts = append(turn.Charts, c)
			continue
		}
		turn.Notes = append(turn.Notes, "A chart is left out: the chat is too long to have all of them here.")
	}
	for _, shown := range answer.Tables {
		if *room <= 0 || shown.Handle == "" || shown.RowCount >= shown.TotalRows {
			continue
		}
		table, size, failed := s.rows(ctx, shown)
		switch {
		case errors.Is(failed, fs.ErrNotExist):
			turn.Notes = append(turn.Notes, fmt.Sprintf("The other rows of %s are not kept any more.", shown.Title))
		case failed != nil:
			return turn, failed
		default:
			turn.Tables = append(turn.Tables, table)
			*room -= size
		}
	}
	return turn, err
}

// answer is the whole answer of a run; an empty one where the run is not kept any more.
func (s *handlers) answer(ctx context.Context, run string) (resp chat.Response, err error) {
	caller := server.CallerOf(ctx)
	info, err := s.opt.Runs.Get(ctx, caller, run)
	if err == nil {
		info, err = s.opt.Runs.Whole(ctx, caller, info)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return resp, nil
	}
	if err == nil && len(info.Response) > 0 {
		err = json.Unmarshal(info.Response, &resp)
	}
	return resp, err
}

// rows copies the rows of a table of which an answer shows the first, and says how many bytes they take.
func (s *handlers) rows(ctx context.Context, shown chat.AnswerTable) (report.Table, int, error) {
	t, meta, err := s.opt.Tables.Get(ctx, server.CallerOf(ctx), shown.Handle)
	if err != nil {
		return report.Table{}, 0, err
	}
	n := min(mostRows, mostCells/max(t.NumCols(), 1), t.NumRows())
	res := tools.Result{Table: t, Handle: shown.Handle, Name: meta.Name, Title: meta.Title}
	var text chat.TableText
	refused := s.readTable(ctx, res, n, func() {
		whole := chat.ProfileOf(ctx, res)
		page := chat.Page{Table: t.Slice(0, n)}
		text, err = page.Text(ctx, whole)
	})
	if err = cmp.Or(refused, err); err != nil {
		return report.Table{}, 0, err
	}
	size := 0
	for _, row := range text.Cells {
		for _, cell := range row {
			size += cellBytes + len(cell)
		}
	}
	return report.Table{Title: shown.Title, Rows: t.NumRows(), Text: text}, size, nil
}
