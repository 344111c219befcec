package chat

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"catena/chat/chattest"
)

// TestListSessions pages through sessions, and finds those that speak of something.
func TestListSessions(t *testing.T) {
	w := newWorld(t)
	now := chattest.Clock
	w.opts.Now = func() time.Time { now = now.Add(time.Second); return now }
	e := w.engine()
	var ids []string
	for i := range 12 {
		message := fmt.Sprintf("question %d", i)
		if i%5 == 0 {
			message = "top"
		}
		resp, err := e.Turn(context.Background(), chattest.Ann, Request{Message: message}, nil)
		if err != nil {
			t.Fatal(err)
		}
		ids = append([]string{resp.SessionID}, ids...)
	}
	if _, err := e.Turn(context.Background(), chattest.Ann, Request{Message: "a word like Zebra", SessionID: ids[9]}, nil); err != nil {
		t.Fatal(err)
	}
	ids = append([]string{ids[9]}, append(append([]string{}, ids[:9]...), ids[10:]...)...)
	all := func(query string, size int) []string {
		t.Helper()
		var got []string
		for cursor := ""; ; {
			page, err := e.ListSessions(context.Background(), chattest.Ann, query, cursor, size)
			if err != nil || len(page.Sessions) > size {
				t.Fatal(err, len(page.Sessions))
			}
			for _, s := range page.Sessions {
				got = append(got, s.ID)
			}
			if cursor = page.Next; cursor == "" {
				return got
			}
		}
	}
	for _, size := range []int{1, 5, 12, 100} {
		if got := all("", size); strings.Join(got, " ") != strings.Join(ids, " ") {
			t.Errorf("parts of %d: %v, want %v", size, got, ids)
		}
	}
	for query, want := range map[string]int{"top": 3, "TOP": 3, "northwind freight": 3, "zebra": 1, "word ZEBRA": 1, "zebra northwind": 0, "nothing of it": 0} {
		if got := all(query, 2); len(got) != want {
			t.Errorf("%q: %d sessions, want %d", query, len(got), want)
		}
	}
	if page, err := e.ListSessions(context.Background(), chattest.Bob, "", "", 10); err != nil || len(page.Sessions) != 0 {
		t.Errorf("another's list: %+v %v", page, err)
	}
	for name, err := range map[string]error{
		"bad_cursor": second(e.ListSessions(context.Background(), chattest.Ann, "", "yesterday", 10)),
		"bad_query":  second(e.ListSessions(context.Background(), chattest.Ann, strings.Repeat("x", 300), "", 10)),
	} {
		var input *InputError
		if !errors.As(err, &input) || input.Code != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := e.RenameSession(context.Background(), chattest.Ann, ids[0], "about clients"); err != nil {
		t.Error(err)
	}
	if s, err := e.Session(context.Background(), chattest.Ann, ids[0]); err != nil || s.Title != "about clients" || s.Turns != 2 {
		t.Errorf("%+v %v", s, err)
	}
	for _, err := range []error{e.RenameSession(context.Background(), chattest.Bob, ids[0], "mine"), second(e.Session(context.Background(), chattest.Bob, ids[0]))} {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("another's session: %v", err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// TestExport writes what a reader sees, and all that there is.
func TestExport(t *testing.T) {
	w := newWorld(t)
	first := w.ask(t, "top")
	if _, err := w.engine().Turn(context.Background(), chattest.Ann, Request{Message: "<b>edited</b>\n\nwith a line", SessionID: first.SessionID, EditRun: first.RunID}, nil); err != nil {
		t.Fatal(err)
	}
	info, err := w.engine().Session(context.Background(), chattest.Ann, first.SessionID)
	if err != nil {
		t.Fatal(err)
	}
	turns, err := w.engine().Turns(context.Background(), chattest.Ann, first.SessionID, 100)
	if err != nil {
		t.Fatal(err)
	}
	if whole := Export(info, turns); len(whole.Turns) != 2 || len(whole.Path) != 1 || whole.Path[0] != turns[1].RunID {
		t.Errorf("%+v", whole)
	}
	text := ExportMarkdown(info, turns)
	if !strings.HasPrefix(text, "# top\n\nSession "+first.SessionID) || strings.Contains(text, "Northwind") || !strings.Contains(text, "> &lt;b>edited&lt;/b>\n>\n> with a line\n") {
		t.Errorf("%s", text)
	}
	if text := ExportMarkdown(info, turns[:1]); !strings.Contains(text, "Northwind Freight") {
		t.Errorf("%s", text)
	}
}

// A session's name is one line that shows as it is written, whoever gives it.
func TestTitles(t *testing.T) {
	w := newWorld(t)
	e := w.engine()
	const odd, plain = "a\x00b\u202ecde\r\n f\u2028g\x1b[2J \u2067\u061ch \U0001f468\u200d\U0001f469", "abcde f g[2J h \U0001f468\u200d\U0001f469"
	id, err := e.NewSession(t.Context(), chattest.Ann, odd)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if s, err := e.Session(t.Context(), chattest.Ann, id); err != nil || s.Title != plain {
			t.Errorf("%v, title %q", err, s.Title)
		}
		if err := e.RenameSession(t.Context(), chattest.Ann, id, odd); err != nil {
			t.Fatal(err)
		}
	}
}
