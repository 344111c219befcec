package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"mime"
	"net/http"
	"path"
	"strings"

	"github.com/gin-gonic/gin"

	"catena/planner/plan"
	"catena/tools"
)

// formats are the files a table can be had as.
var formats = map[string]string{".csv": "text/csv; charset=utf-8", ".json": "application/json", ".md": "text/markdown; charset=utf-8"}

func (s *Server) getTables(c *gin.Context) {
	ctx := c.Request.Context()
	list, err := s.opt.Data.Describe(ctx, callerOf(ctx), c.Query("session_id"))
	if err != nil {
		s.fail(c, err)
		return
	}
	if list == nil {
		list = []plan.TableInfo{}
	}
	writeJSON(c, http.StatusOK, map[string]any{"tables": list})
}

// getTable answers rows of a table as JSON, or the whole table as a file where the path has an ending.
func (s *Server) getTable(c *gin.Context) {
	name := c.Param("handle")
	ending := path.Ext(name)
	if media, ok := formats[ending]; ok {
		s.sendFile(c, strings.TrimSuffix(name, ending), ending, media)
		return
	}
	offset, err := number(c, "offset", 0, 0, math.MaxInt32)
	limit, lerr := number(c, "limit", 100, 1, 10000)
	if err := errors.Join(err, lerr); err != nil {
		s.fail(c, err)
		return
	}
	res, err := s.findTable(c.Request.Context(), name)
	if err != nil {
		s.fail(c, err)
		return
	}
	rows := res.Table.NumRows()
	offset = min(offset, rows)
	w, err := wireOf(res.Table.Slice(offset, min(limit, rows-offset)).MarshalJSON())
	if err != nil {
		s.fail(c, err)
		return
	}
	w.Handle, w.TotalRows, w.Truncated = res.Handle, rows, w.RowCount < rows
	writeJSON(c, http.StatusOK, w)
}

// findTable returns the caller's table under a handle, or under the name that plans know it by.
func (s *Server) findTable(ctx context.Context, name string) (tools.Result, error) {
	caller := callerOf(ctx)
	if tools.IsHandle(name) {
		t, meta, err := s.opt.Tables.Get(ctx, caller, name)
		return tools.Result{Table: t, Handle: name, Name: meta.Name, Title: meta.Title, Total: meta.Total}, err
	}
	res, err := s.opt.Tools.Call(ctx, tools.Call{Caller: caller, Tool: "query_table", Args: map[string]any{"table": name}})
	if err == nil && (res.IsError || res.Table == nil) {
		err = fmt.Errorf("table %q: %w", name, fs.ErrNotExist)
	}
	return res, err
}

// sendFile answers the whole of a table.
func (s *Server) sendFile(c *gin.Context, name, ending, media string) {
	ctx := c.Request.Context()
	res, err := s.findTable(ctx, name)
	if err != nil {
		s.fail(c, err)
		return
	}
	write := res.Table.WriteCSV
	switch ending {
	case ".json":
		write = func(w io.Writer) error {
			b, err := res.Table.MarshalJSON()
			if err != nil {
				return err
			}
			_, err = w.Write(b)
			return err
		}
	case ".md":
		form, err := s.opt.Tools.Call(ctx, tools.Call{Caller: callerOf(ctx), Tool: "format_table_for_llm", Args: map[string]any{"data": res.Handle}})
		if err == nil && form.IsError {
			err = newProblem(http.StatusUnprocessableEntity, form.Code, form.Text, "")
		}
		if err != nil {
			s.fail(c, err)
			return
		}
		write = func(w io.Writer) error { _, err := io.WriteString(w, form.Text); return err }
	}
	c.Header("Content-Type", media)
	c.Header("Cache-Control", "no-store")
	c.Header("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": fileName(name) + ending}))
	if err := write(c.Writer); err != nil && ctx.Err() == nil {
		s.log.WarnContext(ctx, "a table was cut off while it was sent", "table", name, "request", requestOf(ctx), "error", err.Error())
	}
}

// upload is a table that was sent.
type upload struct {
	Name      string `json:"name"`
	Text      string `json:"text"` // pasted: CSV, JSON, a Markdown table
	SessionID string `json:"session_id"`
	media     string
	data      []byte
}

// postTable takes a form with files, JSON {name, text} with pasted text, or the file itself as the body.
func (s *Server) postTable(c *gin.Context) {
	ups, err := s.readUploads(c)
	if err != nil {
		s.fail(c, err)
		return
	}
	ctx := c.Request.Context()
	var names []string
	for _, u := range ups {
		if len(u.data) == 0 {
			s.fail(c, newProblem(http.StatusBadRequest, "empty_file", fmt.Sprintf("%q is empty.", u.Name), "Send a file with a header and rows."))
			return
		}
		if int64(len(u.data)) > s.opt.UploadLimit {
			s.fail(c, newProblem(http.StatusRequestEntityTooLarge, "body_too_large", fmt.Sprintf("%q is larger than %s.", u.Name, size(s.opt.UploadLimit)), "Start the program with --data for large files."))
			return
		}
		added, err := s.opt.Data.Attach(ctx, callerOf(ctx), u.SessionID, u.Name, u.media, u.data)
		if err != nil {
			s.fail(c, err)
			return
		}
		names = append(names, added...)
	}
	tables, err := s.opt.Data.Describe(ctx, callerOf(ctx), ups[0].SessionID)
	if err != nil {
		s.fail(c, err)
		return
	}
	added := []plan.TableInfo{}
	for _, t := range tables {
		for _, n := range names {
			if t.Name == n {
				added = append(added, t)
				break
			}
		}
	}
	writeJSON(c, http.StatusCreated, map[string]any{"names": names, "tables": added})
}

// readUploads reads what was sent, at least one upload.
func (s *Server) readUploads(c *gin.Context) ([]upload, error) {
	media, _, err := mime.ParseMediaType(c.GetHeader("Content-Type"))
	if err != nil {
		media = "application/octet-stream"
	}
	switch media {
	case "multipart/form-data":
		return s.readForm(c)
	case "application/json":
		return readPasted(c)
	}
	data, err := readBody(c)
	if err != nil {
		return nil, err
	}
	return []upload{{Name: fileName(c.Query("name")), SessionID: c.Query("session_id"), media: media, data: data}}, nil
}

// readPasted reads {name, text}. Any other JSON is the table itself.
func readPasted(c *gin.Context) ([]upload, error) {
	body, err := readJSON(c)
	if err != nil {
		return nil, err
	}
	var u upload
	if decodeBytes(body, &u, false) == nil && u.Text != "" {
		u.Name, u.media, u.data = fileName(u.Name), "text/plain", []byte(u.Text)
		if u.SessionID == "" {
			u.SessionID = c.Query("session_id")
		}
		return []upload{u}, nil
	}
	name := c.Query("name")
	if name == "" {
		name = "upload.json"
	}
	return []upload{{Name: fileName(name), SessionID: c.Query("session_id"), media: "application/json", data: body}}, nil
}

// readForm reads the files of a form, part by part; nothing is put on disk.
func (s *Server) readForm(c *gin.Context) ([]upload, error) {
	r, err := c.Request.MultipartReader()
	if err != nil {
		return nil, newProblem(http.StatusBadRequest, "broken_body", "The form cannot be read.", "Send multipart/form-data with a boundary.")
	}
	const most = 20
	session := c.Query("session_id")
	var ups []upload
	for len(ups) < most {
		part, err := r.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		var tooLong *http.MaxBytesError
		if errors.As(err, &tooLong) {
			return nil, err
		} else if err != nil {
			return nil, newProblem(http.StatusBadRequest, "broken_body", "The form breaks off.", "Send it again.")
		}
		data, err := io.ReadAll(part)
		if err != nil {
			return nil, err
		}
		switch {
		case part.FileName() != "":
			ups = append(ups, upload{Name: fileName(part.FileName()), media: part.Header.Get("Content-Type"), data: data})
		case part.FormName() == "session_id":
			session = string(data)
		}
	}
	if len(ups) == 0 {
		return nil, newProblem(http.StatusBadRequest, "no_file", "The form has no file.", "Send the file in a field, for example file=@sales.csv.")
	}
	for i := range ups {
		ups[i].SessionID = session
	}
	return ups, nil
}

// fileName takes the folders off a client's file name.
func fileName(name string) string {
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	if name == "." || name == "/" || name == "" {
		return "upload"
	}
	return name
}
