package chat

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"catena/internal/text"
	"catena/planner/plan"
)

// Limits of a Request.
const (
	MaxMessage     = 64 << 10 // bytes of a message
	MaxAttachments = 25 << 20 // bytes of all attachments
	maxFiles       = 32       // attachments
	maxRowsShown   = 10_000   // rows that a table may show
	defaultRows    = 50       // rows that a table shows where the request does not say
	maxID          = 128      // characters of a run's id from a client
	maxName        = 255      // characters of an attachment's name
	maxToolsOff    = 1000     // tools and toolsets that a turn does without
	MaxSession     = 256      // bytes of a session's id from a client
)

// InputError says what is wrong with a request. Use errors.As. Its Code is stable; servers put Problem into their
// answer.
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

// Check reports what is wrong with a request that a client sent, as *InputError. Files without a message have their
// names for one. Turn, Plan and Start call it.
func (r *Request) Check() error {
	if len(r.Attachments) > 0 {
		r.Files = namesOf(r.Attachments)
	}
	if strings.TrimSpace(r.Message) == "" && len(r.Attachments) > 0 {
		r.Message = fileNames(r.Attachments)
	}
	if err := checkMessage(r.Message); err != nil {
		return err
	}
	if err := CheckTexts(RequestFields, map[string]string{
		"mode":          r.Mode,
		"output_format": r.OutputFormat,
		"approve":       string(r.Approve),
		"summarize":     r.Summarize,
		"on_conflict":   string(r.OnConflict),
		"session_id":    r.SessionID,
		"after_run":     r.AfterRun,
		"edit_run":      r.EditRun,
	}); err != nil {
		return err
	}
	if err := field("max_rows").Number(int64(r.MaxRows)); err != nil {
		return err
	}
	if err := checkZone(r.TimeZone); err != nil {
		return err
	}
	if err := CheckLocale(r.Locale); err != nil {
		return err
	}
	if r.AfterRun != "" && r.EditRun != "" {
		return field("edit_run").error()
	}
	if err := CheckKey(r.IdempotencyKey); err != nil {
		return err
	}
	if err := toolsOffField.Number(int64(len(r.ToolsOff))); err != nil {
		return err
	}
	if _, err := r.ownPlan(); err != nil {
		return err
	}
	return r.checkAttachments()
}

// ownPlan is the plan that came with the request; nil where none did.
func (r *Request) ownPlan() (*plan.Plan, error) {
	if len(r.Plan) == 0 {
		return nil, nil
	}
	p, err := plan.Parse(string(r.Plan), plan.Limits{})
	if err == nil && len(p.Steps) > 0 {
		p.Alternatives = nil
		return &p, nil
	}
	e := &InputError{Code: "bad_plan", Detail: "The plan has no steps.",
		Hint: "Send the plan of POST /api/v1/plan, or leave it out to have one made."}
	if err != nil {
		e.Detail = "The plan cannot be read: " + told(err) + "."
	}
	return nil, e
}

func checkMessage(message string) error {
	if len(message) > MaxMessage {
		return &InputError{
			Code:   "message_too_large",
			Detail: fmt.Sprintf("The message has %d bytes; %d are allowed.", len(message), MaxMessage),
			Hint:   "Send long material as an attachment.",
		}
	}
	blank := true
	for i, c := range message {
		if c == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(message[i:]); size == 1 {
				return &InputError{
					Code:   "message_not_utf8",
					Detail: fmt.Sprintf("The message is not valid UTF-8 at byte %d.", i),
					Hint:   "Send it encoded as UTF-8.",
				}
			}
		}
		switch {
		case strings.ContainsRune("\n\t\r ", c):
		case c < ' ' || c >= 0x7f && c < 0xa0:
			return &InputError{
				Code:   "message_control_character",
				Detail: fmt.Sprintf("The message has the control character U+%04X at byte %d.", c, i),
				Hint:   "Remove it; line breaks and tabs are allowed.",
			}
		default:
			blank = false
		}
	}
	if blank {
		return &InputError{
			Code:   "message_empty",
			Detail: "The message is empty.",
			Hint:   "Ask a question about your tables, as in: top 5 clients by revenue.",
		}
	}
	return nil
}

func (r *Request) checkAttachments() error {
	if err := field("attachments").Number(int64(len(r.Attachments))); err != nil {
		return err
	}
	total := 0
	for _, a := range r.Attachments {
		total += len(a.Data)
		if err := attachmentName.Text(a.Name); err != nil {
			return err
		}
	}
	if total > MaxAttachments {
		return &InputError{
			Code:   "attachments_too_large",
			Detail: fmt.Sprintf("The attachments have %d bytes; %d are allowed.", total, MaxAttachments),
			Hint:   "Upload fewer or smaller files, or name them under data.sources.",
		}
	}
	return nil
}

// maxKey bounds an IdempotencyKey, in bytes.
const maxKey = 255

// CheckKey says what is wrong with an IdempotencyKey, as an *InputError; nil where nothing is, and for "".
func CheckKey(key string) error {
	bad := strings.ContainsFunc(key, func(r rune) bool { return r < ' ' || r > '~' })
	if bad || len(key) > maxKey {
		return &InputError{
			Code:   "bad_idempotency_key",
			Detail: fmt.Sprintf("An Idempotency-Key has 1 to %d printable ASCII characters.", maxKey),
			Hint:   "A random UUID will do.",
		}
	}
	return nil
}

// maxColumnsTold is how many columns of a table are named where files came without a message.
const maxColumnsTold = 12

// fileNames is the message of files that came without one.
func fileNames(files []Attachment) string { return strings.Join(namesOf(files), ", ") }

// namesOf are the names of files, each as one line.
func namesOf(files []Attachment) []string {
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = Title(f.Name)
	}
	return names
}

// tellFiles answers files that came without a message, or with their names for one: which tables they are, and what
// these have. Nothing is planned.
func (t *turn) tellFiles() bool {
	if len(t.req.Attachments) == 0 || t.req.Message != fileNames(t.req.Attachments) {
		return false
	}
	var lines []string
	for _, info := range slices.Backward(t.ask.Tables) { // uploads are listed newest first
		if !info.Attached {
			continue
		}
		var columns []string
		for _, c := range info.Columns[:min(len(info.Columns), maxColumnsTold)] {
			columns = append(columns, escape(c.Name))
		}
		if more := len(info.Columns) - len(columns); more > 0 {
			columns = append(columns, fmt.Sprintf("%d more", more))
		}
		lines = append(lines, fmt.Sprintf("- **%s**: %s, %s: %s", escape(info.Name), text.Count(info.Rows, "row"),
			text.Count(len(info.Columns), "column"), strings.Join(columns, ", ")))
	}
	t.say("The files are loaded; ask about them.\n\n" + strings.Join(lines, "\n"))
	t.resp.Outcome, t.resp.Intent, t.resp.PromptType = OutcomeAnswer, "direct", "general"
	t.resp.Title = shorten(t.req.Message, 80)
	t.resp.Completeness = t.completeness(nil)
	return true
}
