package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"catena/internal/buffer"
)

// ReadJSON reads the body and checks it as JSON: UTF-8, depth, no key twice, nothing after the value, and the rules. A
// web page must also say that it is JSON, which a browser asks the server about first where the page is another site's.
// Other clients need not: curl -d says that everything is a form.
func ReadJSON(c *gin.Context, r rules) ([]byte, error) {
	body, done, err := takeJSON(c, r)
	done()
	return body, err
}

// takeJSON is ReadJSON that keeps the turn of a large body until done is called, which it must be.
func takeJSON(c *gin.Context, r rules) (body []byte, done func(), err error) {
	done = func() {}
	if c.GetHeader("Origin") != "" && !saysJSON(c.GetHeader("Content-Type")) {
		return nil, done, NewProblem(http.StatusUnsupportedMediaType, "unsupported_media_type",
			"The body must be JSON.", "Send Content-Type: application/json.")
	}
	body, err = readAll(&counted{Reader: c.Request.Body, most: r.values})
	if err != nil {
		return nil, done, err
	}
	if done, err = checkTurn(c, len(body)); err == nil {
		aside(len(body), func() { err = CheckJSON("The body", body, r) })
	}
	return body, done, err
}

// counted reads JSON up to a comma that makes its values more than most, 0 for any number: what is refused for that
// need not be read to its end. What it gives is refused as the whole would be, by whatever comes first.
type counted struct {
	io.Reader
	most, commas    int
	inText, escaped bool
}

// Read counts the commas that are in no text.
func (r *counted) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if r.most == 0 {
		return n, err
	}
	for i, c := range p[:n] {
		switch {
		case r.escaped:
			r.escaped = false
		case r.inText:
			r.inText, r.escaped = c != '"', c == '\\'
		case c == '"':
			r.inText = true
		case c == ',':
			if r.commas++; r.commas >= r.most {
				return i + 1, io.EOF
			}
		}
	}
	return n, err
}

// saysJSON reports whether a Content-Type is JSON's, or missing.
func saysJSON(header string) bool {
	if header == "" {
		return true
	}
	media, _, err := mime.ParseMediaType(header)
	return err == nil && (media == "application/json" || strings.HasSuffix(media, "+json"))
}

// readBody reads the whole body, within the route's limit.
func readBody(c *gin.Context) ([]byte, error) {
	return readAll(c.Request.Body)
}

// readAll is io.ReadAll for what may be long: see buffer.Pieces.
func readAll(r io.Reader) ([]byte, error) {
	var all buffer.Pieces
	defer all.Free()
	for {
		n, err := r.Read(all.Room())
		all.Took(n)
		if errors.Is(err, io.EOF) {
			return all.Bytes(), nil
		}
		if err != nil {
			return nil, bodyError(err)
		}
	}
}

// bodyError words the error of a read of a body: it was too long, too slow, or broke off.
func bodyError(err error) error {
	var tooLong *http.MaxBytesError
	var own *Problem
	switch {
	case errors.As(err, &tooLong):
		return err
	case errors.As(err, &own): // there was no room
		return own
	case errors.Is(err, os.ErrDeadlineExceeded):
		return NewProblem(http.StatusRequestTimeout, "body_too_slow", "The body did not come to its end in time.",
			"Send it again over a faster connection, or less of it.")
	}
	return NewProblem(http.StatusBadRequest, "broken_body", "The body could not be read to its end.", "Send it again.")
}

// Decode reads the body into v. Unless the route is loose, a field that v does not have is an error: it is a typing
// mistake more often than not, and would be ignored in silence.
func Decode(c *gin.Context, v any) error {
	body, done, err := takeJSON(c, ofRequest)
	defer done()
	if err != nil {
		return err
	}
	return decodeBytes(body, v, routeOfRequest(c).Loose)
}

func decodeBytes(body []byte, v any, lenient bool) error {
	if string(bytes.TrimSpace(body)) == "null" {
		// encoding/json takes it for whatever belongs there, and changes nothing
		return NewProblem(http.StatusBadRequest, "wrong_type",
			fmt.Sprintf("There is null where %s belongs.", Article(KindOf(reflect.TypeOf(v).Elem()))),
			"GET /openapi.json describes what each request takes.")
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	if !lenient {
		d.DisallowUnknownFields()
	}
	err := d.Decode(v)
	if err == nil {
		return nil
	}
	var typ *json.UnmarshalTypeError
	if errors.As(err, &typ) {
		field := typ.Field
		if field == "" {
			field = "the body"
		}
		return NewProblem(http.StatusBadRequest, "wrong_type",
			fmt.Sprintf("%s is %s where %s belongs.", Sentence(field)[:len(Sentence(field))-1], Article(typ.Value),
				Article(KindOf(typ.Type))), "GET /openapi.json describes what each request takes.")
	}
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		if plain, uerr := strconv.Unquote(name); uerr == nil {
			name = plain
		}
		return NewProblem(http.StatusBadRequest, "unknown_field",
			fmt.Sprintf("There is no field %.*q here.", ShownKey, name), "It takes: "+strings.Join(fields(v), ", ")+".")
	}
	var at *time.ParseError
	if errors.As(err, &at) { // its own text shows a layout of Go
		return NewProblem(http.StatusBadRequest, "wrong_value",
			fmt.Sprintf("%q is no time.", strings.Trim(at.Value, `"`)),
			"Write times as RFC 3339 has them: 2026-05-01T12:00:00Z.")
	}
	return NewProblem(http.StatusBadRequest, "wrong_value", Sentence(strings.TrimPrefix(err.Error(), "json: ")), "")
}

// KindOf names a Go type the way JSON does.
func KindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Slice, reflect.Array:
		return "array"
	case reflect.Map, reflect.Struct:
		return "object"
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return "whole number"
	case reflect.Float64:
		return "number"
	}
	return "different value"
}

// Article puts "a" or "an" before a noun. It looks at the letter, not at the sound: "a hour".
func Article(noun string) string {
	if noun != "" && strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an " + noun
	}
	return "a " + noun
}

// fields lists the JSON names of a struct's fields.
func fields(v any) []string {
	t := reflect.TypeOf(v)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	var names []string
	if t.Kind() != reflect.Struct {
		return names
	}
	for f := range t.Fields() {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			names = append(names, name)
		}
	}
	return names
}

// WriteJSON answers with v. A Content-Type that is set already stays.
func WriteJSON(c *gin.Context, status int, v any) { writeBytes(c, status, encoded(v)) }

// encoded is a value of ours as JSON.
func encoded(v any) []byte {
	body := &bytes.Buffer{}
	e := json.NewEncoder(body)
	e.SetEscapeHTML(false) // nothing here is read as HTML, and people read it
	if err := e.Encode(v); err != nil {
		// Only a value of our own making can fail here; the middleware logs it and answers 500.
		panic(fmt.Errorf("answer does not marshal: %w", err))
	}
	return body.Bytes()
}

// writeBytes answers with JSON that is encoded already.
func writeBytes(c *gin.Context, status int, body []byte) {
	if c.Writer.Header().Get("Content-Type") == "" {
		c.Header("Content-Type", "application/json")
	}
	c.Header("Cache-Control", "no-store")
	end := ""
	if !bytes.HasSuffix(body, []byte("\n")) {
		end = "\n" // for people with curl
	}
	c.Header("Content-Length", strconv.Itoa(len(body)+len(end)))
	c.Status(status)
	_, _ = c.Writer.Write(body) // the client may be gone; there is nobody left to tell
	_, _ = c.Writer.WriteString(end)
}
