package server

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"catena/chat"
	"catena/tools"
)

// upload is a table that was sent.
type upload struct {
	Name      string `json:"name"`
	Text      string `json:"text"` // pasted: CSV, JSON, a Markdown table
	SessionID string `json:"session_id"`
	Locale    string `json:"locale"` // of who sends it: whether 1.000 is a thousand
	// OnConflict says what becomes of a name that another table of the session has, with other content.
	OnConflict tools.OnConflict `json:"on_conflict"`
	media      string
	data       []byte
}

// uploaded says what became of an upload.
type uploaded struct {
	Name   string   `json:"name"`   // the file's
	Tables []string `json:"tables"` // their names
	Notes  []string `json:"notes,omitempty"`
	Error  *Problem `json:"error,omitempty"`
}

// uploads is what POST /api/v1/tables answers.
type uploads struct {
	SessionID string        `json:"session_id"`
	Names     []string      `json:"names"`
	Tables    []listedTable `json:"tables"`
	Files     []uploaded    `json:"files"`
}

// postTable takes a form with files, JSON {name, text} with pasted text, or the file itself as the body. The answer
// says for each file what became of it; its status is 207 when that is not the same for all.
func (s *Core) postTable(c *gin.Context) {
	ups, err := s.readUploads(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	for i := range ups {
		if ups[i].Locale = cmp.Or(ups[i].Locale, c.Query("locale")); ups[i].Locale == "" {
			continue
		}
		if err := chat.CheckLocale(ups[i].Locale); err != nil {
			s.Fail(c, err)
			return
		}
	}
	if err := conflictChoices(ups, c.Query("on_conflict")); err != nil {
		s.Fail(c, err)
		return
	}
	ctx := c.Request.Context()
	session, err := s.uploadSession(ctx, ups)
	if err != nil {
		s.Fail(c, err)
		return
	}
	names, tables, files, failures := []string{}, []listedTable{}, make([]uploaded, len(ups)), []error{}
	for i, u := range ups {
		files[i] = uploaded{Name: u.Name, Tables: []string{}}
		added, err := s.attach(ctx, u)
		if err != nil {
			p := s.explain(c, err)
			files[i].Error, failures = &p, append(failures, err)
			continue
		}
		files[i].Tables, files[i].Notes, names = added.Tables, added.Notes, append(names, added.Tables...)
		for _, info := range added.Infos {
			// as they were put: by now another upload may have the name, and a list shows the newest only
			tables = append(tables, listedTable{info,
				s.opt.Data.LoadNotes(ctx, CallerOf(ctx), session, cmp.Or(info.Handle, info.Name))})
		}
	}
	if len(failures) == len(ups) {
		s.Fail(c, allFailed(failures))
		return
	}
	status := http.StatusCreated
	if len(failures) > 0 {
		status = http.StatusMultiStatus
	}
	WriteJSON(c, status, uploads{session, names, tables, files})
}

// conflictChoices checks on_conflict, which may stand in the address, too. Names that the server gave are no conflict.
func conflictChoices(ups []upload, query string) error {
	for i := range ups {
		u := &ups[i]
		if u.OnConflict == "" {
			u.OnConflict = tools.OnConflict(query)
		}
		if err := chat.ConflictField.Text(string(u.OnConflict)); err != nil {
			return err
		}
		if u.OnConflict == "" && u.unnamed() {
			u.OnConflict = tools.KeepBoth
		}
	}
	return nil
}

// unnamed reports whether nobody chose the name.
func (u *upload) unnamed() bool {
	return strings.TrimSuffix(u.Name, path.Ext(u.Name)) == noName
}

// noName is what a file without a name is called.
const noName = "upload"

// uploadSession is the session that the uploads name, or a new one: a table that no message could ask about would be
// lost.
func (s *Core) uploadSession(ctx context.Context, ups []upload) (string, error) {
	if id := ups[0].SessionID; id != "" {
		return id, s.opt.Planner.OpenSession(ctx, CallerOf(ctx), id, ups[0].Name)
	}
	id, err := s.opt.Planner.NewSession(ctx, CallerOf(ctx), ups[0].Name)
	for i := range ups {
		ups[i].SessionID = id
	}
	return id, err
}

// allFailed is the first of the errors, with the words of the others.
func allFailed(errs []error) error {
	if len(errs) == 1 {
		return errs[0]
	}
	p := *ProblemOf(errs[0])
	for _, err := range errs[1:] {
		p.Detail += " " + ProblemOf(err).Detail
	}
	return &p
}

// attach makes tables of one upload.
func (s *Core) attach(ctx context.Context, u upload) (tools.Uploaded, error) {
	none := tools.Uploaded{}
	if len(u.data) == 0 {
		return none, NewProblem(http.StatusUnprocessableEntity, "empty_file", fmt.Sprintf("%q is empty.", u.Name),
			"Send a file with a header and rows.")
	}
	if int64(len(u.data)) > s.opt.UploadLimit {
		return none, NewProblem(http.StatusRequestEntityTooLarge, "body_too_large",
			fmt.Sprintf("%q is larger than %s.", u.Name, size(s.opt.UploadLimit)),
			"Raise listen.max_upload_mb, or start the program with --data for large files.")
	}
	got, err := s.opt.Data.Attach(ctx, CallerOf(ctx),
		tools.Upload{Session: u.SessionID, Name: u.Name, MediaType: u.media, Locale: u.Locale,
			OnConflict: u.OnConflict, Data: u.data})
	if err == nil {
		return got, nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		return none, NewProblem(http.StatusNotFound, "session_not_found",
			"The session was deleted while the file was read; nothing of it was kept.",
			"Leave session_id out to begin a session.")
	}
	var taken *tools.NameTakenError
	if errors.As(err, &taken) {
		p := NewProblem(http.StatusConflict, "name_taken",
			fmt.Sprintf("The session has another table called %s, with other content than %q; nothing was loaded.",
				strings.Join(taken.Tables, ", "), taken.File),
			`Send it again with on_conflict "replace" or "keep_both", or under another name.`)
		p.Choices = taken.Choices()
		return none, p
	}
	res, broke := tools.FailedBy(err)
	if broke != nil {
		return none, err
	}
	hint := "Send it as CSV, TSV, JSON, JSON Lines, .xlsx, Parquet or Arrow."
	if res.Code == tools.CodeTooLarge {
		hint = ""
	}
	return none, toolProblem(res, res.Text, hint)
}

// readUploads reads what was sent, at least one upload.
func (s *Core) readUploads(c *gin.Context) ([]upload, error) {
	media, _, err := mime.ParseMediaType(c.GetHeader("Content-Type"))
	if err != nil {
		media = "application/octet-stream"
	}
	switch media {
	case "multipart/form-data":
		return s.readForm(c)
	case mediaJSON:
		return readPasted(c)
	}
	data, err := readBody(c)
	if err != nil {
		return nil, err
	}
	return []upload{{Name: fileName(c.Query("name")), SessionID: c.Query("session_id"), media: media, data: data}}, nil
}

// readPasted reads {name, text}. Any other list or object is the table itself.
func readPasted(c *gin.Context) ([]upload, error) {
	body, err := ReadJSON(c, rules{})
	if err != nil {
		return nil, err
	}
	var value any
	switch body = bytes.TrimSpace(body); {
	case body[0] == '[':
	case body[0] != '{':
		value = &[]any{}
	case saysUpload(body):
		value = &upload{}
	}
	if value != nil {
		if err := decodeBytes(body, value, false); err != nil {
			return nil, err
		}
	}
	if u, ok := value.(*upload); ok {
		if u.Text == "" {
			return nil, NewProblem(http.StatusUnprocessableEntity, "no_text",
				"There is no text: the body has what belongs to a table, but not the table.",
				`Send the table as text, as in {"name": "sales.csv", "text": "a,b\n1,2\n"}, or the file itself as the body.`)
		}
		u.Name, u.media, u.data = fileName(u.Name), "text/plain", []byte(u.Text)
		u.SessionID = cmp.Or(u.SessionID, c.Query("session_id"))
		return u.pasted(), nil
	}
	name := cmp.Or(c.Query("name"), noName+".json")
	return []upload{{Name: fileName(name), SessionID: c.Query("session_id"), media: mediaJSON, data: body}}, nil
}

// uploadMembers are those by which an object is an upload, and not a table, where they are texts.
var uploadMembers = []string{"text", "session_id", "locale", "on_conflict"}

// saysUpload reports whether an object is {name, text} or what was meant to be that: then a member that is not known is
// a typing mistake. One with a name and other texts is, too.
func saysUpload(object []byte) bool {
	var members map[string]json.RawMessage
	if decodeBytes(object, &members, false) != nil {
		return false
	}
	named, texts := members["name"] != nil, true
	for name, value := range members {
		isText := value[0] == '"'
		if isText && slices.Contains(uploadMembers, name) {
			return true
		}
		texts = texts && isText
	}
	return named && texts
}

// pasted gives the tables that stand in pasted text, each as an upload; the text itself where it is a table as a whole.
func (u upload) pasted() []upload {
	_, found := chat.TakeTables(u.Text)
	if len(found) == 0 {
		return []upload{u}
	}
	base, out := strings.TrimSuffix(u.Name, path.Ext(u.Name)), make([]upload, len(found))
	for i, a := range found {
		out[i] = u
		out[i].Name, out[i].data = base+path.Ext(a.Name), a.Data
	}
	return out
}

const (
	// maxFiles is how many files one form may have.
	maxFiles = 20
	// maxFileName is how long the name of a file in an address may be, in characters.
	maxFileName = 255
)

// readForm reads the files of a form, part by part; nothing is put on disk.
func (s *Core) readForm(c *gin.Context) ([]upload, error) {
	r, err := c.Request.MultipartReader()
	if err != nil {
		return nil, NewProblem(http.StatusBadRequest, "broken_body", "The form cannot be read.",
			"Send multipart/form-data with a boundary.")
	}
	session, locale, conflict := c.Query("session_id"), "", tools.OnConflict("")
	var ups []upload
	for {
		part, err := r.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, bodyError(err)
		}
		if part.FileName() != "" && len(ups) == maxFiles {
			return nil, NewProblem(http.StatusRequestEntityTooLarge, "too_many_files",
				fmt.Sprintf("The form has more than %d files; none of them was read.", maxFiles),
				"Send them in several forms.")
		}
		data, err := readAll(part)
		if err != nil {
			return nil, err
		}
		switch {
		case part.FileName() != "":
			ups = append(ups, upload{Name: fileName(part.FileName()),
				media: part.Header.Get("Content-Type"), data: data})
		case part.FormName() == "session_id":
			session = string(data)
		case part.FormName() == "locale":
			locale = string(data)
		case part.FormName() == "on_conflict":
			conflict = tools.OnConflict(data)
		default:
			return nil, NewProblem(http.StatusBadRequest, "unknown_field",
				fmt.Sprintf("There is no field %.*q here that is no file.", ShownKey, part.FormName()),
				"A form takes files, each with its name, session_id, locale and on_conflict.")
		}
	}
	if len(ups) == 0 {
		return nil, NewProblem(http.StatusBadRequest, "no_file", "The form has no file.",
			"Send the file in a field, for example file=@sales.csv.")
	}
	for i := range ups {
		ups[i].SessionID, ups[i].Locale, ups[i].OnConflict = session, locale, conflict
	}
	return ups, nil
}

// fileName takes the folders off a client's file name.
func fileName(name string) string {
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	if name == "." || name == "/" || name == "" {
		return noName
	}
	return name
}
