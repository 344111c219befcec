package chat

import (
	"fmt"
	"io/fs"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/language"
)

// Limits of a Request.
const (
	MaxMessage     = 64 << 10 // bytes of a message
	MaxAttachments = 25 << 20 // bytes of all attachments
	maxFiles       = 32       // attachments
	maxRowsShown   = 10_000   // rows that a table may show
	defaultRows    = 50       // rows that a table shows where the request does not say
	maxID          = 128      // bytes of a run's id from a client
	MaxSession     = 256      // bytes of a session's id from a client
)

// InputError says what is wrong with a request. Use errors.As. Its Code is stable; servers put Problem into their answer.
type InputError struct {
	Code   string
	Detail string // one sentence
	Hint   string // what to do next
	Err    error  // fs.ErrNotExist for what is not there, fs.ErrExist for what is being done already; else nil
}

func (e *InputError) Error() string { return e.Detail }

// Unwrap returns Err.
func (e *InputError) Unwrap() error { return e.Err }

// Problem is the error as answers carry it.
func (e *InputError) Problem() *Problem {
	return &Problem{Code: e.Code, Detail: e.Detail, Hint: e.Hint}
}

// sessionNotFound is the error for a session that is not there, or is another's: the two are not told apart.
func sessionNotFound() error {
	return &InputError{
		Code: "session_not_found", Detail: "There is no such session.",
		Hint: "Leave session_id out to start a new one; GET /api/v1/sessions lists yours.", Err: fs.ErrNotExist,
	}
}

// Check reports what is wrong with a request that a client sent, as *InputError. Files without a message have their names for one. Turn, Plan and Start call it.
func (r *Request) Check() error {
	if strings.TrimSpace(r.Message) == "" && len(r.Attachments) > 0 {
		r.Message = fileNames(r.Attachments)
	}
	if err := checkMessage(r.Message); err != nil {
		return err
	}
	for _, o := range []struct {
		field, value string
		allowed      []string
	}{
		{"mode", r.Mode, []string{"", "run", "plan"}},
		{"output_format", r.OutputFormat, []string{"", "markdown", "json", "bullets", "csv"}},
		{"approve", r.Approve, []string{"", "ask", "auto"}},
		{"summarize", r.Summarize, []string{"", "auto", "off"}},
		{"on_conflict", string(r.OnConflict), []string{"", "ask", "replace", "keep_both"}},
	} {
		if err := oneOf(o.field, o.value, o.allowed); err != nil {
			return err
		}
	}
	if err := CheckSession(r.SessionID); err != nil {
		return err
	}
	if r.MaxRows < 0 || r.MaxRows > maxRowsShown {
		return &InputError{Code: "bad_max_rows", Detail: fmt.Sprintf("max_rows is %d; it goes from 1 to %d.", r.MaxRows, maxRowsShown), Hint: "Leave it out for 50; the links of a table have all rows."}
	}
	if _, err := time.LoadLocation(r.TimeZone); err != nil || r.TimeZone == "Local" {
		return &InputError{Code: "bad_time_zone", Detail: "time_zone is no IANA time zone.", Hint: "Write it as in Europe/Berlin, or leave it out for UTC."}
	}
	if r.Locale != "" {
		if _, err := language.Parse(r.Locale); err != nil {
			return &InputError{Code: "bad_locale", Detail: "locale is no BCP 47 language tag.", Hint: "Write it as in en-US, or leave it out."}
		}
	}
	if r.AfterRun != "" && r.EditRun != "" || len(r.AfterRun) > maxID || len(r.EditRun) > maxID {
		return &InputError{Code: "bad_branch", Detail: "after_run and edit_run exclude each other and name a run.", Hint: "Leave both out to go on after the newest turn."}
	}
	if err := CheckKey(r.IdempotencyKey); err != nil {
		return err
	}
	return r.checkAttachments()
}

func checkMessage(message string) error {
	if len(message) > MaxMessage {
		return &InputError{Code: "message_too_large", Detail: fmt.Sprintf("The message has %d bytes; %d are allowed.", len(message), MaxMessage), Hint: "Send long material as an attachment."}
	}
	blank := true
	for i, c := range message {
		if c == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(message[i:]); size == 1 {
				return &InputError{Code: "message_not_utf8", Detail: fmt.Sprintf("The message is not valid UTF-8 at byte %d.", i), Hint: "Send it encoded as UTF-8."}
			}
		}
		switch {
		case c == '\n' || c == '\t' || c == '\r' || c == ' ':
		case c < ' ' || c >= 0x7f && c < 0xa0:
			return &InputError{Code: "message_control_character", Detail: fmt.Sprintf("The message has the control character U+%04X at byte %d.", c, i), Hint: "Remove it; line breaks and tabs are allowed."}
		default:
			blank = false
		}
	}
	if blank {
		return &InputError{Code: "message_empty", Detail: "The message is empty.", Hint: "Ask a question about your tables, as in: top 5 clients by revenue."}
	}
	return nil
}

func oneOf(field, value string, allowed []string) error {
	for _, a := range allowed {
		if value == a {
			return nil
		}
	}
	list := ""
	for _, a := range allowed[1:] {
		if list != "" {
			list += ", "
		}
		list += a
	}
	return &InputError{Code: "bad_" + field, Detail: field + " has an unknown value.", Hint: "It is one of " + list + "."}
}

func (r *Request) checkAttachments() error {
	total := 0
	for _, a := range r.Attachments {
		total += len(a.Data)
		if a.Name == "" || len(a.Name) > 255 || !utf8.ValidString(a.Name) {
			return &InputError{Code: "bad_attachment", Detail: "An attachment needs a name of 1 to 255 bytes.", Hint: "Use the file's base name, as in clients.csv."}
		}
	}
	if total > MaxAttachments || len(r.Attachments) > maxFiles {
		return &InputError{Code: "attachments_too_large", Detail: fmt.Sprintf("%d attachments of %d bytes; %d of %d bytes are allowed.", len(r.Attachments), total, maxFiles, MaxAttachments), Hint: "Upload fewer or smaller files, or name them under data.sources."}
	}
	return nil
}
