package chat

import (
	"cmp"
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/text/language"

	"catena/tools"
)

// Field is what a request's field, or a server's parameter, may hold. Requests are checked by it, and servers describe
// it to their clients, so that the two cannot differ. The zero value takes everything. A Field is read only.
type Field struct {
	Name     string
	Required bool
	OneOf    []string // the values of a text; nil is any
	// Least and Most bound a whole number, the characters of a text, or the elements of a list; with a Most of 0 there
	// are no bounds.
	Least, Most int64
	// Bytes says that the bounds of a text count its bytes. JSON Schema cannot say so: what it describes has at least
	// as many characters.
	Bytes bool
	// Pattern is a regular expression for a whole text, in what Go, ECMAScript and Python read alike; "" is any.
	Pattern func() string
	// Check tells what the pattern only describes, in place of it; nil is the pattern.
	Check func(value string) bool
	// Items are the fields of the objects of a list.
	Items []Field

	code, detail, hint string // of the error; a code of "" is bad_ and the name
}

// pattern is the regular expression, "" for none.
func (f Field) pattern() string {
	if f.Pattern == nil {
		return ""
	}
	return f.Pattern()
}

// compiled are the patterns that were compiled.
var compiled sync.Map

// textRules are what a text is held to, one after the other: the cheap ones first.
var textRules = []func(f Field, value string) bool{
	func(_ Field, value string) bool { return utf8.ValidString(value) },
	func(f Field, value string) bool { return f.OneOf == nil || slices.Contains(f.OneOf, value) },
	func(f Field, value string) bool { return f.within(f.length(value)) },
	Field.matches,
}

// Text says what is wrong with a text, as an *InputError; nil where nothing is. Servers call it for their parameters.
func (f Field) Text(value string) error {
	for _, holds := range textRules {
		if !holds(f, value) {
			return f.error()
		}
	}
	return nil
}

// length is how long a text is.
func (f Field) length(value string) int64 {
	if f.Bytes {
		return int64(len(value))
	}
	return int64(utf8.RuneCountInString(value))
}

// Number says what is wrong with a whole number, or with how many elements a list has, as Text does.
func (f Field) Number(value int64) error {
	if f.within(value) {
		return nil
	}
	return f.error()
}

// within reports whether a number is within the bounds.
func (f Field) within(n int64) bool { return f.Most == 0 || f.Least <= n && n <= f.Most }

// matches reports whether a text is what the check, or else the pattern, is for.
func (f Field) matches(value string) bool {
	if f.Check != nil {
		return f.Check(value)
	}
	pattern := f.pattern()
	if pattern == "" {
		return true
	}
	re, known := compiled.Load(pattern)
	if !known {
		re, _ = compiled.LoadOrStore(pattern, regexp.MustCompile(pattern))
	}
	return re.(*regexp.Regexp).MatchString(value)
}

// error words what the field may hold.
func (f Field) error() error {
	e := &InputError{Code: cmp.Or(f.code, "bad_"+f.Name), Detail: f.detail, Hint: f.hint}
	if e.Detail == "" && f.OneOf == nil && f.Most != 0 {
		e.Detail = fmt.Sprintf("%s has %d to %d characters.", f.Name, f.Least, f.Most)
	}
	if e.Detail == "" && f.OneOf != nil {
		e.Detail = f.Name + " has an unknown value."
		e.Hint = "It is one of " + strings.Join(slices.DeleteFunc(slices.Clone(f.OneOf), func(v string) bool {
			return v == ""
		}), ", ") + "."
	}
	return e
}

// Patterns that stand for themselves. What is no line of printable characters cannot be shown, and looks like another
// in a list. The ranges are short, as testers of descriptions write them out: private use was 137,000 characters in
// each of their tries.
const (
	unprintable = `\x00-\x1f\x7f-` +
		"\u00a0\u00ad\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufff0-\uffff\U000e0000-\U000e0fff"
	control     = `\x00-\x08\x0b\x0c\x0e-\x1f\x7f-` + "\u009f"
	textPattern = `^[^` + control + `]*$`
	// messagePattern has one character at least that is no blank; see checkMessage.
	messagePattern = `^[^` + control + `]*[^\x00-\x20\x7f-` + "\u009f" + `][^` + control + `]*$`
	sessionPattern = `^[^` + unprintable + `]*$`
	base64Pattern  = `^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$`
	titlePattern   = `[^\x20` + unprintable + `]`
	cursorPattern  = `^(-?[0-9]{1,17}\.[^` + unprintable + `]{0,256})?$`
)

func always(pattern string) func() string { return func() string { return pattern } }

// localePattern describes BCP 47 tags of a language, with a script and a region or without: language.Parse takes these,
// and longer ones.
var localePattern = sync.OnceValue(func() string {
	known := func(length int, first byte, parse func(string) bool) string {
		var list []string
		for i := range 26 * 26 {
			if text := string([]byte{first + byte(i/26), first + byte(i%26)}); length == 2 && parse(text) {
				list = append(list, text)
			}
		}
		return strings.Join(list, "|")
	}
	languages := known(2, 'a', func(s string) bool { _, err := language.ParseBase(s); return err == nil })
	regions := known(2, 'A', func(s string) bool { _, err := language.ParseRegion(s); return err == nil })
	return "^((" + languages + ")(-(Latn|Cyrl|Arab|Hans|Hant))?(-(" + regions + "))?)?$"
})

// zonePattern lists the names of time zones. It is a pattern and no list of values, as testers of descriptions try each
// value of a list.
var zonePattern = sync.OnceValue(func() string {
	names := make([]string, 0, 600)
	for _, name := range zones() {
		names = append(names, regexp.QuoteMeta(name))
	}
	return "^(" + strings.Join(names, "|") + ")$"
})

// CheckLocale says what is wrong with a locale, as an *InputError; nil where nothing is, and for "".
func CheckLocale(tag string) error {
	return LocaleField.Text(tag)
}

// isLocale reports whether a text is a BCP 47 tag, or none.
func isLocale(tag string) bool {
	_, err := language.Parse(tag)
	return err == nil || tag == ""
}

// Fields that several requests have.
var (
	// Request.Check says more of what is wrong
	MessageField = Field{Name: "message", Required: true, Pattern: always(messagePattern)}
	SessionField = Field{Name: "session_id", Most: MaxSession, Bytes: true, Pattern: always(sessionPattern),
		detail: fmt.Sprintf("A session_id has 1 to %d bytes of printable characters.", MaxSession),
		hint:   "Choose a short name, or leave session_id out and use the one of the answer."}
	LocaleField = Field{Name: "locale", Pattern: localePattern, Check: isLocale,
		detail: "locale is no BCP 47 language tag.", hint: "Write it as in en-US, or leave it out."}
	ConflictField = Field{Name: "on_conflict",
		OneOf: []string{"", string(tools.AskConflict), string(tools.Replace), string(tools.KeepBoth)}}
	QueryField = Field{Name: "query", Most: maxQuery,
		detail: fmt.Sprintf("The query is longer than %d characters.", maxQuery), hint: "Search for a few words."}
	CursorField = Field{Name: "cursor", Pattern: always(cursorPattern),
		detail: "The cursor is none of this server's.",
		hint:   "Take next of the part before, or leave it out for the first."}
)

// TitleField is the title that a session is given; Title makes it one line.
var TitleField = Field{Name: "title", Required: true, Least: 1, Most: maxTitle, Pattern: always(titlePattern),
	code:   "out_of_range",
	detail: fmt.Sprintf("title must have 1 to %d characters, one of them visible.", maxTitle)}

// maxTitle is how long the title of a session may be, in characters.
const maxTitle = 200

// RequestFields are those of a Request, each by itself.
var RequestFields = []Field{
	{Name: "message", Pattern: always(textPattern)}, // blank where there are attachments, else as MessageField
	SessionField,
	{Name: "mode", OneOf: []string{"", "run", "plan"}},
	{Name: "output_format", OneOf: []string{"", "markdown", "json", "bullets", "csv"}},
	{Name: "approve", OneOf: []string{"", string(ApproveAsk), string(ApproveAuto)},
		detail: "approve has an unknown value.", hint: "It is true or false, or auto or ask."},
	{Name: "summarize", OneOf: []string{"", "auto", "off"}},
	ConflictField,
	{Name: "max_rows", Least: 0, Most: maxRowsShown,
		detail: fmt.Sprintf("max_rows goes from 1 to %d.", maxRowsShown),
		hint:   "Leave it out for 50; the links of a table have all rows."},
	{Name: "time_zone", Pattern: zonePattern,
		detail: "time_zone is no IANA time zone.", hint: "Write it as in Europe/Berlin, or leave it out for UTC."},
	LocaleField,
	{Name: "attachments", Most: maxFiles, Items: []Field{
		attachmentName,
		{Name: "data", Pattern: always(base64Pattern)},
	}, detail: fmt.Sprintf("A message has %d attachments at most.", maxFiles),
		hint: "Upload the files before, or name their folder under data.sources."},
	toolsOffField,
	{Name: "after_run", Most: maxID, code: "bad_branch", detail: branchDetail, hint: branchHint},
	{Name: "edit_run", Most: maxID, code: "bad_branch", detail: branchDetail, hint: branchHint},
}

// toolsOffField bounds what a turn does without.
var toolsOffField = Field{Name: "tools_off", Most: maxToolsOff,
	detail: fmt.Sprintf("tools_off names %d tools or toolsets at most.", maxToolsOff),
	hint:   "GET /api/v1/tools lists them."}

const (
	branchDetail = "after_run and edit_run exclude each other and name a run."
	branchHint   = "Leave both out to go on after the newest turn."
)

// attachmentName is the name of a file that comes with a message.
var attachmentName = Field{Name: "name", Required: true, Least: 1, Most: maxName, Pattern: always(titlePattern),
	code:   "bad_attachment",
	detail: fmt.Sprintf("An attachment needs a name of 1 to %d characters, one of them visible.", maxName),
	hint:   "Use the file's base name, as in clients.csv."}

// field finds a field of a Request.
func field(name string) Field { return fieldOf(RequestFields, name) }

// fieldOf finds a field by its name.
func fieldOf(fields []Field, name string) Field {
	for _, f := range fields {
		if f.Name == name {
			return f
		}
	}
	panic("chat: there is no field " + name) // a slip in this package, which any test shows
}

// CheckTexts says what is wrong with the texts of fields, by the first field that is.
func CheckTexts(fields []Field, texts map[string]string) error {
	for _, f := range fields {
		if value, ok := texts[f.Name]; ok {
			if err := f.Text(value); err != nil {
				return err
			}
		}
	}
	return nil
}

// ApprovalFields are those of an Approval.
var ApprovalFields = []Field{
	{Name: "step", Required: true},
	{Name: "args_hash", Required: true},
	{Name: "decision", Required: true, OneOf: []string{string(tools.ChooseRun), string(tools.ChooseSkip),
		string(tools.ChooseDone)},
		detail: "decision says none of what can be decided.", hint: "It is run, skip, or done (it took effect)."},
}

// checkZone says what is wrong with a time zone: a name that is known may still have no data on this machine.
func checkZone(name string) error {
	f := field("time_zone")
	if err := f.Text(name); err != nil {
		return err
	}
	if _, err := time.LoadLocation(name); err != nil {
		return f.error()
	}
	return nil
}

// zoneList are the names of the IANA database that Go comes with, in order: fields_test.go holds it against that.
//
//go:embed zones.txt
var zoneList string

// zones are the time zones that a request may name; "" is UTC.
func zones() []string { return append([]string{""}, strings.Fields(zoneList)...) }
