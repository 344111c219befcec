package json

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"catena/internal/text"
	"catena/table"
	"catena/table/content"
)

// Wrappers are the members that hold the table in an object of a tool's or service's answer, in order of preference.
var Wrappers = []string{"output", "data", "rows", "result", "items", "records"}

// wireMembers are those of the wire form and of pandas' split form that are the table, or what is known without them.
var wireMembers = text.Set("columns|rows|data|index|row_count|total_rows|truncated|handle")

// aboutList are members that say something about a list beside them, in lower case without underscores. An object of
// other values is a record, which may have lists.
var aboutList = text.Set(
	"count|total|totalcount|totalrows|totalitems|totalresults|totalpages|numfound|size|length|page|pages|pagesize|perpage|limit|offset|start|next|previous|prev|first|last|cursor|nextcursor|" +
		"nexttoken|nextpagetoken|hasmore|hasnext|more|truncated|took|timedout|error|errors|message|messages|status|statuscode|code|success|ok|warning|warnings|version|apiversion|schema|url|" +
		"self|href|links|meta|metadata|generated|generatedat|timestamp|exportedat|createdat|updatedat|requestid|query|license|attribution",
)

// AboutList reports whether a member of an object says, by its name, something about a list beside it: how long it is,
// which page, whether all went well.
func AboutList(key string) bool { return aboutList[strings.ToLower(strings.ReplaceAll(key, "_", ""))] }

// jsonMember is one member of an object.
type jsonMember struct {
	key  string
	kind jsonKind
	text string
}

// jsonReading is the reading of one JSON value that may hold several tables.
type jsonReading struct {
	p      *scanner
	report table.LoadReport // what is known of all tables
	all    bool             // a further table that cannot be read is an error
	beside int              // members that were not loaded
	out    []table.Named
}

// mostBeside is how many members beside a table the report names.
const mostBeside = 20

// read finds the tables in a value whose text is known to be right.
func (r *jsonReading) read(kind jsonKind, text string, level int) error {
	sub := &scanner{s: text, lim: r.p.lim, source: r.p.source, piece: r.p.piece}
	switch kind {
	case jsonArray:
		return r.add(content.BaseName(r.p.source), sub.listRows)
	case jsonObject:
		return r.object(sub, level)
	}
	return &table.FormatError{
		Source: r.p.source,
		Reason: "the JSON is a single value, not a table",
		Hint:   "give a list of objects",
	}
}

// add makes a table.
func (r *jsonReading) add(name string, rows func(*table.LoadReport) (*table.Table, error)) error {
	report := r.report
	if len(r.out) > 0 {
		report.Notes = nil
	}
	t, err := rows(&report)
	if err != nil {
		return err
	}
	if r.out = append(r.out, table.Named{Name: name, Table: t, Report: report}); len(r.out) > r.p.lim.Tables {
		return table.OverLimit(
			r.p.source,
			0,
			table.LimitTables,
			int64(r.p.lim.Tables),
			"there are more than %d tables",
			r.p.lim.Tables,
		)
	}
	return nil
}

func (r *jsonReading) note(format string, args ...any) {
	notes := &r.report.Notes
	if len(r.out) > 0 {
		notes = &r.out[0].Report.Notes
	}
	*notes = append(*notes, fmt.Sprintf(format, args...))
}

// listRows reads an array as rows.
func (p *scanner) listRows(report *table.LoadReport) (*table.Table, error) {
	rows := newJSONRows(p.lim)
	if err := rows.list(p); err != nil {
		return nil, err
	}
	if rows.rows == 0 {
		report.Notes = append(report.Notes, "the list has no rows")
	}
	return rows.table(report)
}

// members reads an object.
func (p *scanner) members() (members []jsonMember, err error) {
	err = p.object(func(key string) error {
		kind, text, err := p.value()
		members = append(members, jsonMember{key, kind, text})
		return err
	})
	return members, err
}

// object finds the tables in an object: the wire form; what a wrapper holds; lists of objects; columns. Else it is one
// row.
func (r *jsonReading) object(p *scanner, level int) error {
	members, err := p.members()
	if err != nil {
		return err
	}
	if t, err := p.wireTable(members, &r.report); t != nil {
		if err := r.whole(t, nil); err != nil {
			return err
		}
		return r.besides(slices.DeleteFunc(members, func(m jsonMember) bool { return wireMembers[m.key] }))
	} else if err != nil {
		return err
	}
	if len(members) > 1 &&
		!slices.ContainsFunc(
			members,
			func(m jsonMember) bool { return m.kind != jsonArray || nestedList.MatchString(m.text) },
		) {
		if t, err := p.columnsObject(members, &r.report); t != nil || err != nil {
			return r.whole(t, err)
		}
	}
	if i := tableMember(members, level); i >= 0 {
		m := members[i]
		r.note("the table is the member %q", m.key)
		if err := r.read(m.kind, m.text, level+1); err != nil {
			return err
		}
		return r.besides(slices.Delete(members, i, i+1))
	}
	if listsOf(members) > 0 {
		return r.besides(members)
	}
	for _, form := range []func([]jsonMember, *table.LoadReport) (*table.Table, error){p.columnsObject, p.keyedObjects} {
		if t, err := form(members, &r.report); t != nil || err != nil {
			return r.whole(t, err)
		}
	}
	return r.add(content.BaseName(p.source), func(report *table.LoadReport) (*table.Table, error) {
		rows := newJSONRows(p.lim)
		p.pos, p.depth = 0, 0
		if err := rows.read(p, func() error { return rows.record(p) }); err != nil {
			return nil, err
		}
		return rows.table(report)
	})
}

// whole adds a table that all members of an object make.
func (r *jsonReading) whole(t *table.Table, err error) error {
	return r.add(content.BaseName(r.p.source), func(*table.LoadReport) (*table.Table, error) { return t, err })
}

// nestedList is how a list begins whose first element is no scalar.
var nestedList = regexp.MustCompile(`^\[\s*[\[{]`)

// tableMember gives the member that holds the table: a wrapper, or the only object with a list of objects somewhere
// among members that are about it; -1 for none.
func tableMember(members []jsonMember, level int) int {
	const deepest = 3
	if level > deepest {
		return -1
	}
	for _, name := range Wrappers {
		i := slices.IndexFunc(members, func(m jsonMember) bool { return m.key == name })
		if i >= 0 &&
			(members[i].kind == jsonArray || members[i].kind == jsonObject &&
				strings.ContainsRune(members[i].text, '[')) {
			return i
		}
	}
	found := -1
	for i, m := range members {
		switch {
		case m.kind == jsonArray && m.isTable():
			return -1
		case m.kind == jsonObject && innerList.MatchString(m.text):
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	if ownValues(members) > 0 {
		return -1
	}
	return found
}

// innerList is a list of objects, or of lists, in an object.
var innerList = regexp.MustCompile(`:\s*\[\s*[\[{]`)

// isTable reports whether a member is a list of objects, one at least.
func (m jsonMember) isTable() bool { return m.kind == jsonArray && m.objects() > 0 }

// objects counts the objects of a list; 0 where it holds anything else.
func (m jsonMember) objects() int {
	n, odd := 0, false
	p := &scanner{s: m.text, lim: table.Limits{}.WithDefaults()}
	p.lim.CellSize = len(m.text)
	err := p.array(func() error {
		kind, _, err := p.value()
		odd = odd || kind != jsonObject
		n++
		return err
	})
	if odd || err != nil {
		return 0
	}
	return n
}

// ownValues counts the scalars of an object that are not about its lists.
func ownValues(members []jsonMember) int {
	n := 0
	for _, m := range members {
		switch m.kind {
		case jsonString, jsonNumber, jsonBool:
			if !AboutList(m.key) {
				n++
			}
		}
	}
	return n
}

// listsOf counts the lists of objects that are the tables of an object. There are none where it is a record: where it
// has more values of its own than a list has rows.
func listsOf(members []jsonMember) int {
	n, rows := 0, 0
	for _, m := range members {
		if m.kind != jsonArray {
			continue
		}
		if objects := m.objects(); objects > 0 {
			n, rows = n+1, max(rows, objects)
		}
	}
	if n == 0 || rows < 2 && n < 2 && ownValues(members) > 0 || ownValues(members) > rows {
		return 0
	}
	return n
}

// besides adds the lists of objects among members as further tables, and says what the others are.
func (r *jsonReading) besides(members []jsonMember) error {
	var rest []jsonMember
	for _, m := range members {
		if !m.isTable() {
			rest = append(rest, m)
			continue
		}
		name := content.BaseName(r.p.source)
		if len(r.out) > 0 {
			name += "_" + m.key
		} else {
			r.note("the table is the member %q", m.key)
		}
		sub := &scanner{s: m.text, lim: r.p.lim, source: r.p.source, piece: r.p.piece}
		err := r.add(name, sub.listRows)
		if err != nil && (r.all || len(r.out) == 0 || table.GaveUp(err)) {
			return err
		}
		if err != nil {
			r.note("the list %q is not part of this table and cannot be read: %s", text.Clip(m.key, 60), err)
		}
	}
	for _, m := range rest {
		if m.kind == jsonNull {
			continue
		}
		if r.beside++; r.beside <= mostBeside {
			r.note("the member %q stands beside the table and was not loaded: %s", text.Clip(m.key, 60), m.shown())
		}
	}
	return nil
}

// shown is a member's value in a note.
func (m jsonMember) shown() string {
	text := text.Clip(strings.Join(strings.Fields(m.text), " "), 80)
	if m.kind == jsonString {
		return fmt.Sprintf("%q", text)
	}
	return text
}

// Finish gives the tables, of which the first names the others.
func (r *jsonReading) finish() []table.Named {
	if n := r.beside - mostBeside; n > 0 {
		r.note(
			"%s not loaded",
			text.CountOf(
				n,
				"further member stands beside the table and was",
				"further members stand beside the table and were",
			),
		)
	}
	if len(r.out) > 1 {
		table.ListMore(r.out)
	}
	return r.out
}
