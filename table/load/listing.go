package load

import (
	"bytes"
	"encoding/json"
	"strings"

	"catena/table"
	tablejson "catena/table/json"
)

// Listing is what the output of a program lists: a table, and what the output says beside it.
type Listing struct {
	Table *table.Table
	// Beside holds the fields of the objects around the rows, in their order. Nil where there are none.
	Beside Fields
	// Around is the text around the rows, with line breaks, "" where there is none.
	Around string
}

// maxListingDepth bounds how deep rows are looked for in objects, and in texts that hold further texts.
const maxListingDepth = 4

// reader reads a listing out of a text; false where the text is no such form.
type listingReader func(s, source string, lim table.Limits, depth int) (Listing, bool)

type namedReader struct {
	form string
	read listingReader
}

// listingReaders are the forms of listings, the surest first.
func listingReaders() []namedReader {
	return []namedReader{
		{"JSON", listedJSON},
		{"names in JSON", listedNames},
		{"values by path in JSON", listedByPath},
		{"a block in a text", listedFence},
		{"JSON Lines", listedLines},
		{"Python", listedPython},
		{"JSON or Python in a text", listedInside},
		{"Markdown", listedMarkdown},
		{"HTML", listedHTML},
		{"delimited text", listedDelimited},
		{"blocks of key: value", listedBlocks},
		{"lines with a tag", listedTags},
		{"names in a line", listedInLine},
		{"commits", perLine(listedCommits)},
		{"sections with fields", perLine(listedSections)},
		{"places in files", perLine(listedPlaces)},
		{"paths", perLine(listedPaths)},
		{"links", perLine(listedLinks)},
		{"bullets", perLine(listedBullets)},
		{"names, one of them marked", perLine(listedMarked)},
	}
}

// ReadListing reads the rows that the output of a tool lists: a list of objects, also under whatever key of an
// object and beside other fields, as JSON, JSON Lines or a Python literal, or as a text inside one of these; the only
// fenced block of a text; a Markdown table; delimited text whose lines have the same fields; blocks of "key: value",
// also below headings; lines with a tag, as in "[FILE] a.txt"; lines that are a path or a place in a file each; bullets
// or numbered lines with names or with links; names in lines of which one is marked; lines of a commit each; values by
// path in a JSON object; names with commas in one line; a JSON list of names, alone or as all that an object holds.
// Prose, single objects, and outputs that hold two lists are no listing: false. Use Text for a text that is meant as a
// table.
func ReadListing(output []byte, source string, lim table.Limits) (Listing, bool) {
	lim, end := lim.Begin()
	defer end()
	const copies = 3
	elements, _ := tablejson.Shape(output)
	if int64(len(output)) > lim.Bytes || lim.Reserve(copies*int64(len(output))+elements*tablejson.RawElement) != nil {
		return Listing{}, false
	}
	return readListing(string(output), source, lim, 0)
}

func readListing(s, source string, lim table.Limits, depth int) (Listing, bool) {
	if s = strings.TrimSpace(s); depth > maxListingDepth {
		return Listing{}, false
	}
	if strings.HasPrefix(s, "```") {
		if l, ok := listedFence("\n"+s, source, lim, depth); ok {
			return l, true
		}
		s = strings.TrimSpace(unfence(s))
	}
	if s == "" {
		return Listing{}, false
	}
	for _, r := range listingReaders() {
		if l, ok := r.read(s, source, lim, depth); ok && l.Table.NumCols() > 0 && l.Table.NumRows() > 0 {
			return l, true
		}
	}
	return Listing{}, false
}

// listedJSON reads a list of objects, the only list of objects that an object holds, or a text that holds a listing.
func listedJSON(s, source string, lim table.Limits, depth int) (Listing, bool) {
	raw := json.RawMessage(s)
	switch {
	case s[0] != '[' && s[0] != '{' && s[0] != '"', !json.Valid(raw):
		return Listing{}, false
	case s[0] == '"':
		var text string
		return fromInner(json.Unmarshal(raw, &text), text, source, lim, depth)
	case s[0] == '[':
		if text, ok := contentText(raw); ok {
			return readListing(text, source, lim, depth+1)
		}
		return listOfRecords(raw, source, lim)
	}
	object := FieldsOf(raw)
	if depth >= maxListingDepth || object == nil {
		return Listing{}, false
	}
	if l, ok := namesAndRows(object, source, lim); ok {
		return l, true
	}
	return onlyField(object, source, lim, depth)
}

func fromInner(err error, text, source string, lim table.Limits, depth int) (Listing, bool) {
	if err != nil {
		return Listing{}, false
	}
	return readListing(text, source, lim, depth+1)
}

// onlyField reads the listing that one field of an object holds; of two it is not known which is meant, unless one only
// describes the columns of the other. A text that holds one is looked at where no list does: it may say the same for
// people.
func onlyField(object Fields, source string, lim table.Limits, depth int) (Listing, bool) {
	out, from, two := fieldListing(object, `[{`, source, lim, depth)
	if from == "" && !two {
		out, from, _ = fieldListing(object, `"`, source, lim, depth)
	}
	if from == "" {
		return Listing{}, false
	}
	out.Beside = out.Beside.with(object.without(from))
	return out, true
}

// fieldListing reads the only listing under the fields whose JSON begins with one of some characters.
func fieldListing(
	object Fields, begins, source string, lim table.Limits, depth int,
) (out Listing, from string, two bool) {
	for _, field := range object {
		raw := bytes.TrimSpace(field.Value)
		if len(raw) < 2 || strings.IndexByte(begins, raw[0]) < 0 || raw[0] == '"' && !holdsBreakOrBracket(raw) {
			continue
		}
		l, ok := listedJSON(string(raw), source, lim, depth+1)
		switch {
		case !ok, from != "" && describes(l.Table, out.Table):
		case from == "" || describes(out.Table, l.Table):
			out, from = l, field.Name
		default:
			return Listing{}, "", true
		}
	}
	return out, from, false
}

// holdsBreakOrBracket reports whether a JSON string may hold a listing: it has lines, or brackets.
func holdsBreakOrBracket(raw []byte) bool {
	return bytes.Contains(raw, []byte(`\n`)) || bytes.ContainsAny(raw, "[{")
}

// listOfRecords reads a list of objects, or of texts that are objects.
func listOfRecords(raw json.RawMessage, source string, lim table.Limits) (Listing, bool) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil || len(list) == 0 {
		return Listing{}, false
	}
	if bytes.HasPrefix(bytes.TrimSpace(list[0]), []byte("[")) {
		return listOfLists(list, source, lim)
	}
	texts := false
	for i, e := range list {
		var text string
		if json.Unmarshal(e, &text) == nil && isRecord([]byte(text)) && json.Valid([]byte(text)) {
			list[i], texts = json.RawMessage(text), true
		}
		if !isRecord(list[i]) {
			return Listing{}, false
		}
	}
	if sole := soleMembers(list); sole || texts {
		raw = joinedList(list)
	}
	named, err := tablejson.ReadBytes(raw, source, lim)
	return Listing{Table: named.Table}, err == nil && named.Table != nil
}

func isRecord(raw []byte) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) > 1 && raw[0] == '{'
}

func joinedList(list []json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('[')
	for i, e := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(e)
	}
	b.WriteByte(']')
	return b.Bytes()
}

// namesAndRows reads an object with the names of columns in one list and rows of as many values in another, as
// databases write results.
func namesAndRows(object Fields, source string, lim table.Limits) (Listing, bool) {
	var names, rows string
	var head []json.RawMessage
	for _, field := range object {
		key := field.Name
		var cells [][]json.RawMessage
		if json.Unmarshal(field.Value, &cells) == nil && len(cells) > 0 {
			if rows != "" {
				return Listing{}, false
			}
			rows = key
			continue
		}
		list, ok := columnNames(field.Value)
		if types := strings.Contains(strings.ToLower(key), "type"); !ok || types && names != "" {
			continue
		}
		if names != "" && !strings.Contains(strings.ToLower(names), "type") {
			return Listing{}, false
		}
		names, head = key, list
	}
	var cells [][]json.RawMessage
	if names == "" || rows == "" || json.Unmarshal(object.Get(rows), &cells) != nil {
		return Listing{}, false
	}
	for _, row := range cells {
		if len(row) != len(head) {
			return Listing{}, false
		}
	}
	l, ok := namedRows(head, cells, source, lim)
	l.Beside = object.without(names, rows)
	return l, ok
}

// columnNames are the names in a list of texts, or of objects with a name.
func columnNames(raw json.RawMessage) ([]json.RawMessage, bool) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil || len(list) == 0 {
		return nil, false
	}
	seen := map[string]bool{}
	for i, e := range list {
		var named struct{ Name *json.RawMessage }
		if isRecord(e) && json.Unmarshal(e, &named) == nil && named.Name != nil {
			list[i] = *named.Name
		}
		var name string
		if json.Unmarshal(list[i], &name) != nil || name == "" || seen[name] {
			return nil, false
		}
		seen[name] = true
	}
	return list, true
}

// namedRows reads rows of as many values as there are names. They become objects, each with all names, which a few
// bytes can make large: what they take is reserved before they are made.
func namedRows(names []json.RawMessage, rows [][]json.RawMessage, source string, lim table.Limits) (Listing, bool) {
	const copies = 3 // the objects, their list, and what reading it takes
	each, all := int64(tablejson.RawElement), int64(0)
	for _, name := range names {
		each += int64(len(name)) + 2
	}
	for _, row := range rows {
		for _, value := range row {
			all += int64(len(value))
		}
	}
	if all += each * int64(len(rows)); lim.Reserve(copies*all) != nil {
		return Listing{}, false
	}
	defer lim.GiveBack(copies * all)
	list := make([]json.RawMessage, len(rows))
	for i, row := range rows {
		list[i] = record(names, row)
	}
	return listOfRecords(joinedList(list), source, lim)
}

func record(names, values []json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, name := range names {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(values[i])
	}
	b.WriteByte('}')
	return b.Bytes()
}

// listedLines reads lines that are an object each, one below the other; little text may stand above and below them.
func listedLines(s, source string, lim table.Limits, _ int) (Listing, bool) {
	if !strings.Contains(s, "\n{") {
		return Listing{}, false
	}
	var list []json.RawMessage
	var around []string
	below := false
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		record := isRecord([]byte(line)) && json.Valid([]byte(line))
		switch {
		case line == "":
		case record && below, !record && (line[0] == '{' || len(around) == maxAroundLines):
			return Listing{}, false
		case record:
			list = append(list, json.RawMessage(line))
		default:
			around, below = append(around, line), len(list) > 0
		}
	}
	if len(list) < 2 {
		return Listing{}, false
	}
	l, ok := listOfRecords(joinedList(list), source, lim)
	l.Around = strings.Join(around, "\n")
	return l, ok
}

// listedPython reads the repr of a list of dicts, or of an object that holds one.
func listedPython(s, source string, lim table.Limits, depth int) (Listing, bool) {
	if strings.IndexByte("[{(", s[0]) < 0 {
		return Listing{}, false
	}
	text, ok := pythonJSON(s)
	if !ok || text == s {
		return Listing{}, false
	}
	return listedJSON(text, source, lim, depth)
}

// Bounds of what is tried to find JSON inside a text: the lines around it, the ends that are tried, and the texts in
// texts.
const (
	maxAroundLines = 20
	maxEnds        = 2
	maxInsideDepth = 2
)

// listedInside reads JSON or a Python literal that begins at the start of a line of a text and ends at the end of one.
func listedInside(s, source string, lim table.Limits, depth int) (Listing, bool) {
	if depth > maxInsideDepth {
		return Listing{}, false
	}
	lines := strings.Split(s, "\n")
	for i := range min(len(lines), maxAroundLines) {
		first := strings.TrimSpace(lines[i])
		if first == "" || first[0] != '[' && first[0] != '{' {
			continue
		}
		tried := 0
		for n := len(lines); n > max(i, len(lines)-maxAroundLines) && tried < maxEnds; n-- {
			last := strings.TrimSpace(lines[n-1])
			if last == "" || strings.IndexByte("]})", last[len(last)-1]) < 0 || i == 0 && n == len(lines) {
				continue
			}
			tried++
			body := strings.TrimSpace(strings.Join(lines[i:n], "\n"))
			l, ok := listedJSON(body, source, lim, depth)
			if !ok {
				l, ok = listedPython(body, source, lim, depth)
			}
			if ok {
				l.Around = strings.TrimSpace(strings.Join(lines[:i], "\n") + "\n" + strings.Join(lines[n:], "\n"))
				return l, true
			}
		}
		return Listing{}, false
	}
	return Listing{}, false
}
