package main

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// reader finds pairs in a file.
type reader func(text string, add func(name, label string))

// pattern reads by an expression with the groups n (the name) and l (the label).
func pattern(expr string) reader {
	re := regexp.MustCompile(expr)
	n, l := re.SubexpIndex("n"), re.SubexpIndex("l")
	return func(text string, add func(name, label string)) {
		for _, m := range re.FindAllStringSubmatch(text, -1) {
			add(m[n], m[l])
		}
	}
}

// fieldOf gives a field's name in code as a label: customerName is Customer Name.
func fieldOf(r reader) reader {
	return func(text string, add func(name, label string)) {
		r(text, func(name, label string) {
			if !strings.EqualFold(strings.ReplaceAll(name, "_", ""), strings.ReplaceAll(label, "_", "")) {
				add(name, spaced(label))
			} else if strings.Contains(label, "_") || label != strings.ToLower(label) {
				add(spaced(label), spaced(label))
			}
		})
	}
}

var humps = regexp.MustCompile(`([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])`)

func spaced(field string) string {
	return strings.ToLower(strings.ReplaceAll(humps.ReplaceAllString(field, "$1$3 $2$4"), "_", " "))
}

const identifier = `[A-Za-z][A-Za-z0-9_]*`

// readers are the forms in which names and labels stand together, by the ending of the file.
var readers = map[string][]reader{
	".java": {
		fieldOf(pattern(`@(?:javax\.persistence\.|jakarta\.persistence\.)?Column\(\s*name\s*=\s*"(?P<n>` + identifier + `)"[^)]*\)\s*(?:@[^\n]*\s+)*(?:private|protected|public)\s+[\w<>\[\].]+\s+(?:get)?(?P<l>` + identifier + `)`)),
		fieldOf(pattern(`@XmlElement\(name = "(?P<n>` + identifier + `)"[^)]*\)\s*(?:@[^\n]*\s+)*(?:private|protected|public)\s+[\w<>\[\].]+\s+(?P<l>` + identifier + `)`)),
		pattern(`/\*\* Set (?P<l>[^.\n*]+)\.?\s*\n\s*@param (?P<n>` + identifier + `)`),
	},
	".go": {fieldOf(pattern("(?m)^\\s+(?P<l>[A-Z]\\w+)\\s+\\S+\\s+`xml:\"(?:[^\" ]* )?(?P<n>" + identifier + ")[,\"]"))},
	".cs": {fieldOf(pattern(`\[(?:Iso)?Xml(?:Tag|Element)\("(?P<n>` + identifier + `)"\)\][^;{]*?public\s+[^\s(]+\s+(?P<l>[A-Z]\w+)`))},
	".xml": {
		fieldOf(pattern(`<field-descriptor[^>]*?\bname="(?P<l>` + identifier + `)"[^>]*?\bcolumn="(?P<n>` + identifier + `)"`)),
		fieldOf(pattern(`<(?:property|id|key-property|many-to-one)[^>]*?\bname="(?P<l>` + identifier + `)"[^>]*?\bcolumn="(?P<n>` + identifier + `)"`)),
		fieldOf(pattern(`<(?:result|id)[^>]*?\bcolumn="(?P<n>` + identifier + `)"[^>]*?\bproperty="(?P<l>` + identifier + `)"`)),
		pattern(`p:name="(?P<n>[\w.]+)"[^>]*?p:label="(?P<l>[^"]+)"`),
		pattern(`p:label="(?P<l>[^"]+)"[^>]*?p:shortLabel="(?P<n>[^"]+)"`),
		pattern(`<column [^>]*?name="(?P<n>` + identifier + `)"[^>]*?comment="(?P<l>[^"]+)"`),
		pattern(`(?s)<fullName>(?P<n>` + identifier + `)</fullName>(?:[^<]|<[^/f]|<f[^u]|</[^f])*?<label>(?P<l>[^<]+)</label>`),
		pattern(`<fixr:field [^>]*?name="(?P<l>` + identifier + `)"[^>]*?abbrName="(?P<n>` + identifier + `)"`),
		pattern(`(?s)<attrlabl>(?P<n>[^<]+)</attrlabl>\s*<attrdef>(?P<l>[^<]+)</attrdef>`),
	},
	".rd": {pattern(`\\item\{(?:\\code\{)?(?P<n>[\w.]+)\}?\}\{(?P<l>[^}]+)`), pattern(`\\item\{\\code\{(?P<n>[\w.]+)\}\}\s*\{(?P<l>[^}]+)`),
		pattern(`\\item \\(?:strong|code)\{(?P<n>[\w.]+):?\}:? *(?P<l>[^\n]+)`)},
	".f90": {pattern(`(?is)fname\s*=\s*'(?P<n>\w+)'.{0,160}?long_name\s*=\s*'(?P<l>[^']+)'`)},
	".sql": {
		pattern(`(?i)COMMENT ON COLUMN (?:[\w"]+\.)*"?(?P<n>` + identifier + `)"?\s+IS\s+'(?P<l>[^']+)'`),
		pattern("(?im)^\\s*`?(?P<n>" + identifier + ")`?\\s+\\w+[^,\\n]*?COMMENT '(?P<l>[^']+)'"),
		fieldOf(pattern(`(?im)^\s*,?\s*(?:\w+\.)?"?(?P<n>` + identifier + `)"?\s+as\s+(?P<l>` + identifier + `)\s*,?\s*$`)),
	},
	".yml":  {yaml, pattern(`(?m)^\s+field_(?P<n>\w+): "?(?P<l>[^"\n]+)`), explained},
	".yaml": {yaml},
	".lkml": {pattern(`(?:dimension|measure): (?P<n>\w+) \{[^}]*?\blabel: "(?P<l>[^"]+)"`)},
	".py": {
		pattern(`(?m)^\s+(?P<n>[a-z]\w+)\s*=\s*models\.\w+\(\s*_?\(?['"](?P<l>[^'"]+)['"]`),
		pattern(`(?m)^\s+(?P<n>[a-z]\w+)\s*=\s*models\.\w+\([^=]*?verbose_name\s*=\s*_?\(?['"](?P<l>[^'"]+)['"]`),
		defined[0], defined[1],
	},
	".php":  {pattern(`'LBL_(?P<n>[A-Z0-9_]+)'\s*=>\s*'(?P<l>[^']+)'`)},
	".json": {jsonPairs},
	".csv":  {separated(',')},
	".tsv":  {separated('\t')},
	".md":   {markdown, pattern(`(?m)^\s*(?P<n>[A-Z][A-Z0-9_]+)\s+=>\s+(?P<l>\w+)\s*$`), arrows, explained, listed[0], defined[2]},
	".rst":  {listed[1]},
	".js":   {defined[0], defined[1]},
	".txt":  {explained},
	".html": {explained},
	".ts":   {explained, defined[0], defined[1]},
	"/wrf":  {pattern(`(?m)^\s*(?:state|rconfig)\s+.*?"(?P<n>\w+)"\s+"(?P<l>[^"]+)"`)},
}

func readersOf(path string) []reader {
	if strings.HasPrefix(filepath.Base(path), "Registry") {
		return readers["/wrf"]
	}
	return readers[strings.ToLower(filepath.Ext(path))]
}

// arrows reads lists of the form CUST_NO => CustomerNumber.
var arrows = fieldOf(pattern(`(?m)^\s*(?P<n>[A-Z][A-Z0-9_]+)\s+=>\s+(?P<l>\w+)\s*$`))

var yamlColumn = regexp.MustCompile(`(?m)^\s*- name: ["']?(?P<n>[\w.]+)["']?\s*\n(?:\s+(?:data_type|type|quote)[^\n]*\n)*\s+(?:description|label|title): *[>|]?-?\s*["']?(?P<l>[^"'\n]+)`)

func yaml(text string, add func(name, label string)) {
	for _, m := range yamlColumn.FindAllStringSubmatch(text, -1) {
		add(m[1], m[2])
	}
}

// Keys and headings that hold names, and labels, the best first.
var (
	nameKeys  = []string{"fieldname", "field_name", "columnname", "column_name", "variable / field name", "variable", "variable name", "variable_name", "db_name", "field", "column", "name", "id", "abbreviation", "abbr", "acronym", "code"}
	labelKeys = []string{"label", "field label", "displayname", "display_name", "title", "alias", "long_name", "longname", "long name", "fullname", "full name", "word", "word(s)", "text", "meaning", "variable label", "shortdescription", "short_description", "description", "definition"}
)

// jsonPairs walks JSON: objects that have a name and a label, and maps of names to labels or to objects with a label.
func jsonPairs(text string, add func(name, label string)) {
	var v any
	if json.Unmarshal([]byte(strings.TrimPrefix(text, "\uFEFF")), &v) == nil {
		walk(v, "", add)
	}
}

func walk(v any, under string, add func(name, label string)) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			walk(x, "", add)
		}
	case map[string]any:
		low := make(map[string]string, len(v))
		for k, x := range v {
			if s, ok := x.(string); ok {
				low[strings.ToLower(k)] = s
				if strings.EqualFold(under, "fields") {
					add(k, s)
				}
			}
			walk(x, k, add)
		}
		name, label := first(low, nameKeys[:len(nameKeys)-4]), first(low, labelKeys)
		if name == "" {
			name = under
			label = first(low, labelKeys[:8])
		}
		if name != "" && label != "" {
			add(name, label)
		}
	}
}

func first(m map[string]string, keys []string) string {
	for _, k := range keys {
		if m[k] != "" {
			return m[k]
		}
	}
	return ""
}

// separated reads tables whose heading names a column of names and one of labels.
func separated(comma rune) reader {
	return func(text string, add func(name, label string)) {
		in := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\uFEFF")))
		in.Comma, in.FieldsPerRecord, in.LazyQuotes = comma, -1, true
		heading, err := in.Read()
		if err != nil {
			return
		}
		n, l := headings(heading)
		if n < 0 || l < 0 {
			return
		}
		for {
			row, err := in.Read()
			if err == io.EOF || err != nil {
				return
			}
			if len(row) > max(n, l) {
				add(row[n], row[l])
			}
		}
	}
}

// headings finds the columns of names and of labels; -1 where there is none.
func headings(cells []string) (n, l int) {
	find := func(keys []string) int {
		for _, k := range keys {
			if i := slices.IndexFunc(cells, func(c string) bool { return strings.EqualFold(strings.Trim(c, " *`"), k) }); i >= 0 {
				return i
			}
		}
		return -1
	}
	return find(nameKeys), find(labelKeys)
}

// markdown reads tables with such headings. A row without a name has another label for the name above it.
func markdown(text string, add func(name, label string)) {
	n, l, inside, above := -1, -1, false, ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(strings.ReplaceAll(line, `\`, ""))
		if !strings.HasPrefix(line, "|") {
			inside = false
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		if !inside {
			inside = true
			n, l = headings(cells)
			above = ""
		} else if n >= 0 && l >= 0 && n != l && len(cells) > max(n, l) {
			if name := strings.TrimSpace(cells[n]); name != "" {
				above = name
			}
			add(above, strings.TrimSpace(cells[l]))
		}
	}
}
