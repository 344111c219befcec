package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"
	"unicode"

	"catena/internal/access"
)

// SessionInfo is what is known of a chat session without its turns.
type SessionInfo struct {
	ID      string    `json:"id"`
	Title   string    `json:"title"` // its first message, until it is renamed
	Turns   int64     `json:"turns"` // of all branches
	Created time.Time `json:"created"`
	Updated time.Time `json:"updated"` // when its last turn began
	// Snippet is where a search found its words in a message or an answer: plain text of about 120 characters. "" where
	// nothing was searched for, or the title has all of the words.
	Snippet string `json:"snippet,omitempty"`
}

// SessionPage is a part of a list of sessions.
type SessionPage struct {
	Sessions []SessionInfo `json:"sessions"` // the last updated first; never null
	// Next is the cursor of the next part; "" where there is none. A search gives up after a while and says so by it: a
	// part may be shorter than was asked for, or empty, and not the last.
	Next string `json:"next,omitempty"`
}

// Bounds of a search.
const (
	searchPage = 100  // sessions read at once
	maxLooked  = 1000 // sessions looked through for one part
	maxTurns   = 1000 // newest turns of a session that are looked through; they are in memory together
	maxQuery   = 200  // characters of what is searched for
)

// ListSessions lists a caller's sessions, at most limit of them, from a cursor on. With a query they are those in whose
// title, messages or answers, of the newest 1,000 turns, each of its words stands, in any case. Errors: *InputError for
// a cursor or query that cannot be.
func (e *Engine) ListSessions(
	ctx context.Context, c access.Caller, query, cursor string, limit int,
) (SessionPage, error) {
	page := SessionPage{Sessions: []SessionInfo{}}
	before, id, err := readCursor(cursor)
	if err != nil {
		return page, err
	}
	if err := QueryField.Text(query); err != nil {
		return page, err
	}
	words := strings.Fields(strings.ToLower(query))
	for looked := 0; looked < maxLooked; {
		want := min(limit-len(page.Sessions)+1, searchPage) // one more than needed tells whether there is another part
		if len(words) > 0 {
			want = searchPage
		}
		list, err := e.opts.Sessions.ListSessions(ctx, c.ID, before, id, want)
		if err != nil {
			return page, fmt.Errorf("chat: the sessions could not be listed: %w", err)
		}
		for _, record := range list {
			s := sessionInfo(record)
			found, snippet, err := e.mentions(ctx, c, s, words)
			if err != nil {
				return page, err
			}
			if found && len(page.Sessions) == limit {
				page.Next = writeCursor(before, id)
				return page, nil
			}
			if before, id = s.Updated, s.ID; found {
				s.Snippet = snippet
				page.Sessions = append(page.Sessions, s)
			}
			looked++
		}
		if len(list) < want {
			return page, nil
		}
	}
	page.Next = writeCursor(before, id)
	return page, nil
}

// mentions reports whether each word stands somewhere in a session, and where in its turns the first one that the title
// lacks does.
func (e *Engine) mentions(ctx context.Context, c access.Caller, s SessionInfo, words []string) (bool, string, error) {
	missing := without(words, s.Title)
	if len(missing) == 0 {
		return true, "", nil
	}
	turns, err := e.opts.Sessions.Turns(ctx, c.ID, s.ID, maxTurns)
	if errors.Is(err, fs.ErrNotExist) {
		return false, "", nil // deleted since the list was read
	}
	if err != nil {
		return false, "", fmt.Errorf("chat: a session could not be searched: %w", err)
	}
	found := ""
	for _, data := range turns {
		var t struct{ Message, Response string }
		if err := json.Unmarshal(data, &t); err != nil {
			return false, "", fmt.Errorf("chat: a turn of session %s could not be read: %w", s.ID, err)
		}
		for _, text := range []string{t.Message, t.Response} {
			left := without(missing, text)
			if len(left) < len(missing) && found == "" {
				found = snippet(text, missing)
			}
			missing = left
		}
		if len(missing) == 0 {
			return true, found, nil
		}
	}
	return false, "", nil
}

// without returns the words that stand in none of the texts.
func without(words []string, texts ...string) []string {
	var left []string
	for _, w := range words {
		found := false
		for _, text := range texts {
			found = found || strings.Contains(strings.ToLower(text), w)
		}
		if !found {
			left = append(left, w)
		}
	}
	return left
}

func sessionInfo(record map[string]any) SessionInfo {
	var s SessionInfo
	s.ID, _ = record["id"].(string)
	s.Title, _ = record["title"].(string)
	s.Turns, _ = record["turns"].(int64)
	s.Created, _ = record["created"].(time.Time)
	s.Updated, _ = record["updated"].(time.Time)
	return s
}

// A cursor is the time and the id of the last session that was looked at.
func writeCursor(at time.Time, id string) string {
	return strconv.FormatInt(at.UnixMicro(), 10) + "." + id
}

func readCursor(cursor string) (at time.Time, id string, err error) {
	if cursor == "" {
		return at, "", nil
	}
	if err := CursorField.Text(cursor); err != nil {
		return at, "", err
	}
	micros, id, _ := strings.Cut(cursor, ".")
	n, err := strconv.ParseInt(micros, 10, 64)
	if err != nil {
		return at, "", CursorField.error()
	}
	return time.UnixMicro(n).UTC(), id, nil
}

// Session returns what is known of a session of the caller's. One that is not there, or is another's, gives an
// *InputError that wraps fs.ErrNotExist.
func (e *Engine) Session(ctx context.Context, c access.Caller, id string) (SessionInfo, error) {
	record, err := e.opts.Sessions.Session(ctx, c.ID, id)
	if err != nil {
		return SessionInfo{}, sessionError(err, "read")
	}
	return sessionInfo(record), nil
}

// Title makes a text one line without what could steer a terminal or turn the direction of writing, as sessions are
// named.
func Title(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return printable(r)
	}, text)
	return strings.Join(strings.Fields(text), " ")
}

// RenameSession gives a session of the caller's a title. Errors are those of Session.
func (e *Engine) RenameSession(ctx context.Context, c access.Caller, id, title string) error {
	if err := e.opts.Sessions.SetTitle(ctx, c.ID, id, Title(title)); err != nil {
		return sessionError(err, "renamed")
	}
	return nil
}

// sessionError words the error of a store.
func sessionError(err error, done string) error {
	if errors.Is(err, fs.ErrNotExist) {
		return sessionNotFound()
	}
	return fmt.Errorf("chat: the session could not be %s: %w", done, err)
}

// SessionPrefix begins the ids of sessions that the server names. Any other id is a name that a client chose: it lies
// in its caller's own space, so that two callers may use the same one.
const SessionPrefix = "ses_"

// CheckSession says what is wrong with the id of a session that a client sent, as an *InputError; nil where nothing is,
// and for "".
func CheckSession(id string) error {
	return SessionField.Text(id)
}

// OpenSession makes the session of a name that the client chose, where the caller has none of that name yet. Errors:
// *InputError for a name that cannot be, and, wrapping fs.ErrNotExist, for an id of the server's form that is not the
// caller's.
func (e *Engine) OpenSession(ctx context.Context, c access.Caller, id, title string) error {
	if err := CheckSession(id); err != nil {
		return err
	}
	_, err := e.Session(ctx, c, id)
	if errors.Is(err, fs.ErrNotExist) && chosen(id) {
		err = e.createNamed(ctx, c, id, title)
	}
	return err
}

// chosen reports whether a client chose an id.
func chosen(id string) bool { return id != "" && !strings.HasPrefix(id, SessionPrefix) }

// mayBegin says why a request cannot begin the session that it names and that is not there.
func mayBegin(req *Request) error {
	switch {
	case !chosen(req.SessionID):
		return sessionNotFound()
	case req.EditRun != "" || req.AfterRun != "" && req.AfterRun != AtStart:
		return turnNotFound()
	}
	return nil
}

// createNamed makes a session of a name. One that another request made since is as good.
func (e *Engine) createNamed(ctx context.Context, c access.Caller, id, title string) error {
	if err := e.createSession(ctx, c, id, title); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

func (e *Engine) createSession(ctx context.Context, c access.Caller, id, title string) error {
	if err := e.opts.Sessions.CreateSession(ctx, c.ID, id, Title(title), e.opts.Now()); err != nil {
		return fmt.Errorf("chat: a session could not be made: %w", err)
	}
	return nil
}

// Bounds of a snippet, in characters.
const (
	snippetBefore = 40  // of it before the word that was found
	snippetLength = 120 // all of it
)

// snippet is the part of a text around the first of the words that stands in it, on one line and without marks of
// Markdown.
// Without any of them it is "".
func snippet(text string, words []string) string {
	line := []rune(Title(strings.Map(markAsSpace, text)))
	lower := make([]rune, len(line)) // a letter for a letter: ToLower on strings may change how many there are
	for i, r := range line {
		lower[i] = unicode.ToLower(r)
	}
	at := -1
	for _, w := range words {
		if i := strings.Index(string(lower), w); i >= 0 {
			i = len([]rune(string(lower)[:i]))
			if at < 0 || i < at {
				at = i
			}
		}
	}
	if at < 0 {
		return ""
	}
	from := max(0, at-snippetBefore)
	for from > 0 && line[from-1] != ' ' { // a word is not cut at the beginning
		from--
	}
	to := min(len(line), from+snippetLength)
	out := strings.TrimSpace(string(line[from:to]))
	if from > 0 {
		out = "… " + out
	}
	if to < len(line) {
		out += " …"
	}
	return out
}

// markAsSpace blanks what Markdown writes tables and emphasis with.
func markAsSpace(r rune) rune {
	if strings.ContainsRune("|*`\\", r) {
		return ' '
	}
	return r
}
