package xlsx

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"catena/internal/buffer"
	"catena/internal/text"
	"catena/table"
	"catena/table/content"
	"catena/table/csv"
	"catena/table/infer"
)

// Magic is how a workbook begins, as each archive of its kind does.
const Magic = "PK\x03\x04"

// A ZIP's directory is read as a whole: each of its entries begins with zipEntry and takes so much memory, with its
// name and what is found by it.
const (
	zipEntry       = "PK\x01\x02"
	zipEntryMemory = 600
)

// workbook is an open XLSX file (ECMA-376, parts 1 and 2) with what its sheets share. Sheets are read by an own
// scanner, not by the library that writes them: that one fills in every missing row and column before it gives a cell,
// so that a kilobyte can ask for gigabytes, and tells types only by looking up single cells.
type workbook struct {
	source  string
	lim     table.Limits
	parts   map[string]*zip.File
	left    int64 // bytes that may still be unpacked
	room    content.TextBudget
	names   []sheetInfo
	strings []string
	styles  []*numFormat // by the s attribute of cells
	from04  bool         // days are counted from 1904-01-01
}

// longestSheet is how many bytes of a sheet's name are used; Excel allows 31 characters.
const longestSheet = 124

// sheetInfo is a sheet as the workbook lists it.
type sheetInfo struct {
	name, part string
	hidden     bool
}

// ReadTables reads the tables of a workbook: those of its visible sheets in their order, then those of hidden sheets.
func ReadTables(data []byte, source string, lim table.Limits) ([]table.Named, error) {
	w := &workbook{source: source, lim: lim}
	if err := w.open(data); err != nil {
		return nil, err
	}
	var out []table.Named
	var empty []string
	for _, hidden := range []bool{false, true} {
		for _, info := range w.names {
			if info.hidden != hidden {
				continue
			}
			named, err := w.tables(info)
			if err != nil {
				return nil, err
			}
			if len(named) == 0 {
				empty = append(empty, info.name)
			}
			if out = append(out, named...); len(out) > lim.Tables {
				return nil, table.OverLimit(
					source,
					0,
					table.LimitTables,
					int64(lim.Tables),
					"there are more than %d tables",
					lim.Tables,
				)
			}
		}
	}
	if len(out) == 0 {
		return nil, &table.FormatError{
			Source: source,
			Reason: "the workbook has no cells with content",
			Hint:   "check that the right file was saved",
		}
	}
	if len(empty) > 0 {
		out[0].Report.Notes = append(out[0].Report.Notes, "there is nothing in the sheets "+table.QuoteList(empty, 5))
	}
	nameSheets(out, content.BaseName(source))
	return out, nil
}

// nameSheets names the tables of a workbook: the first after the file, the others after the file and their sheet.
func nameSheets(tables []table.Named, base string) {
	taken := map[string]bool{}
	for i := range tables {
		name := base
		if i > 0 {
			name = base + "_" + tables[i].Name
		}
		for n := 2; taken[strings.ToLower(name)]; n++ {
			name = base + "_" + tables[i].Name + "_" + strconv.Itoa(n)
		}
		taken[strings.ToLower(name)] = true
		tables[i].Name = name
	}
	table.ListMore(tables)
}

// open reads what the sheets share.
func (w *workbook) open(data []byte) error {
	if err := w.lim.ReserveEach(int64(bytes.Count(data, []byte(zipEntry))), zipEntryMemory); err != nil {
		return err
	}
	files, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return content.Damaged(w.source, "ZIP", err)
	}
	w.parts = make(map[string]*zip.File, len(files.File))
	var total uint64
	for _, f := range files.File {
		name := strings.ToLower(strings.TrimPrefix(strings.ReplaceAll(f.Name, `\`, "/"), "/"))
		if w.parts[name] != nil { // whichever is read, another program reads the other
			return content.Damaged(w.source, "ZIP", fmt.Errorf("two files in it are called %s", text.Clip(name, 100)))
		}
		w.parts[name] = f
		if strings.HasPrefix(name, "xl/") &&
			strings.HasSuffix(name, ".xml") { // others, such as pictures, are not unpacked
			total += min(f.UncompressedSize64, 1<<40)
		}
	}
	w.left = content.UnpackLimit(int64(len(data)), w.lim)
	w.room = content.TextBudget{Left: w.left, Source: w.source, Lim: w.lim}
	switch {
	case w.parts["xl/workbook.xml"] == nil && w.parts["_rels/.rels"] == nil, w.parts["xl/workbook.bin"] != nil:
		return w.notWorkbook()
	case total > uint64(w.lim.Bytes):
		return table.TooLarge(w.source, w.lim)
	case total > uint64(w.left):
		return content.TooDense(w.source, w.lim)
	}
	if err := w.readWorkbook(); err != nil {
		return err
	}
	if err := w.readStyles(); err != nil {
		return err
	}
	return w.readStrings()
}

// notWorkbook says what a ZIP archive is when it is no XLSX file.
func (w *workbook) notWorkbook() error {
	e := &table.FormatError{
		Source: w.source,
		Reason: "the ZIP archive holds no Excel workbook",
		Hint:   "unpack it and give the files in it",
	}
	switch {
	case w.parts["xl/workbook.bin"] != nil:
		e.Reason, e.Hint = "the content is a binary Excel workbook (.xlsb)", "save it as .xlsx"
	case w.parts["content.xml"] != nil:
		e.Reason, e.Hint = "the content is an OpenDocument file", "save the sheet as .xlsx or CSV"
	case w.parts["word/document.xml"] != nil:
		e.Reason, e.Hint = "the content is a Word document", "copy the table out of it, or save it as HTML"
	}
	return e
}

// part unpacks one part of the package; "" where there is none.
func (w *workbook) part(name string) (string, error) {
	f := w.parts[strings.ToLower(name)]
	if f == nil {
		return "", nil
	}
	in, err := f.Open()
	if err != nil {
		return "", content.Damaged(w.source, "ZIP", err)
	}
	defer in.Close()
	buf := content.Unpacked{Lim: &w.lim}
	defer buf.All.Free()
	n, err := buf.ReadFrom(io.LimitReader(in, w.left+1))
	if w.left -= n; w.left < 0 {
		return "", table.TooLarge(w.source, w.lim)
	}
	var over *table.LimitError
	if errors.As(err, &over) || table.GaveUp(err) {
		return "", err
	}
	if err != nil {
		return "", content.Damaged(w.source, "ZIP", err)
	}
	data, err := buf.Bytes()
	if err != nil {
		return "", err
	}
	text, _, err := content.Decode(data, w.source)
	if err != nil {
		return "", content.Damaged(w.source, "workbook's", fmt.Errorf("%s is no text", path.Base(name)))
	}
	return buffer.String(text), nil
}

// relations gives the targets of a part's relationships by their ids, and by their types' last words.
func (w *workbook) relations(of string) (byID, byType map[string]string, err error) {
	text, err := w.part(path.Join(path.Dir(of), "_rels", path.Base(of)+".rels"))
	if err != nil {
		return nil, nil, err
	}
	byID, byType = map[string]string{}, map[string]string{}
	x := &xmlScanner{s: text}
	for kind := x.next(); kind != xmlEnd; kind = x.next() {
		if x.name != "Relationship" || kind != xmlOpen && kind != xmlEmpty || x.attr("TargetMode") == "External" {
			continue
		}
		target := x.attr("Target")
		if !strings.HasPrefix(target, "/") {
			target = path.Join(path.Dir(of), target)
		}
		target = strings.TrimPrefix(target, "/")
		byID[x.attr("Id")], byType[path.Base(x.attr("Type"))] = target, target
	}
	return byID, byType, nil
}

// readWorkbook lists the sheets.
func (w *workbook) readWorkbook() error {
	name := "xl/workbook.xml"
	if w.parts[name] == nil {
		_, roots, err := w.relations("")
		if err != nil {
			return err
		}
		if name = roots["officeDocument"]; w.parts[strings.ToLower(name)] == nil {
			return w.notWorkbook()
		}
	}
	given, err := w.part(name)
	if err != nil {
		return err
	}
	targets, kinds, err := w.relations(name)
	if err != nil {
		return err
	}
	w.parts["styles"], w.parts["strings"] = w.parts[strings.ToLower(kinds["styles"])],
		w.parts[strings.ToLower(kinds["sharedStrings"])]
	x := &xmlScanner{s: given}
	for kind := x.next(); kind != xmlEnd; kind = x.next() {
		if kind != xmlOpen && kind != xmlEmpty {
			continue
		}
		switch x.name {
		case "workbookPr":
			w.from04 = x.on("date1904")
		case "sheet":
			state := x.attr("state")
			part := targets[x.attr("id")]
			if f := w.parts[strings.ToLower(part)]; f == nil || strings.Contains(part, "chartsheets/") {
				continue
			}
			w.names = append(
				w.names,
				sheetInfo{
					name:   text.Clip(x.attr("name"), longestSheet),
					part:   part,
					hidden: state == "hidden" || state == "veryHidden",
				},
			)
		}
	}
	if len(w.names) == 0 {
		return &table.FormatError{
			Source: w.source,
			Reason: "the workbook has no sheets",
			Hint:   "check that the file is complete",
		}
	}
	return nil
}

// readStrings reads the texts that cells share. Pronunciations beside East Asian texts are left out.
func (w *workbook) readStrings() error {
	text, err := w.part("strings")
	if err != nil {
		return err
	}
	x, memory := &xmlScanner{s: text}, table.Meter{Lim: &w.lim}
	for kind := x.next(); kind != xmlEnd; kind = x.next() {
		if len(w.strings)%infer.BlockRows == 0 {
			if err := w.lim.Ended(); err != nil {
				return err
			}
		}
		switch {
		case x.name == "si" && kind == xmlOpen:
			s, err := w.richText(x, "si")
			if err != nil {
				return err
			}
			w.strings = append(w.strings, s)
			if err := memory.Add(csv.CellMemory + int64(len(s))); err != nil {
				return err
			}
		case x.name == "si" && kind == xmlEmpty:
			w.strings = append(w.strings, "")
			if err := memory.Add(csv.CellMemory); err != nil {
				return err
			}
		}
	}
	return nil
}

// richText joins the runs of a text up to the end of the element.
func (w *workbook) richText(x *xmlScanner, element string) (string, error) {
	var out pieces
	aside, inside := 0, false
	for kind := x.next(); kind != xmlEnd; kind = x.next() {
		switch {
		case kind == xmlClose && x.name == element:
			return unescapeCell(out.text()), nil
		case x.name == "rPh" && kind == xmlOpen:
			aside++
		case x.name == "rPh" && kind == xmlClose:
			aside--
		case x.name == "t" && kind != xmlText:
			inside = kind == xmlOpen
		case kind == xmlText && inside && aside == 0:
			if out.add(x.plain()); out.len() > w.lim.CellSize {
				return "", table.CellTooLarge(w.source, 0, w.lim)
			}
		}
	}
	return "", content.Damaged(w.source, "workbook's", errors.New("a part ends in the middle of a text"))
}

// unescapeCell resolves _x000D_ and the like, by which texts of cells hold characters that XML cannot (ECMA-376 part 1,
// 22.9.2.19), and makes line feeds of line ends.
func unescapeCell(s string) string {
	if strings.IndexByte(s, '\r') >= 0 {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	if !strings.Contains(s, "_x") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '_' && i+6 < len(s) && s[i+1] == 'x' && s[i+6] == '_' {
			if n, err := strconv.ParseUint(s[i+2:i+6], 16, 16); err == nil {
				b.WriteRune(rune(n))
				i += 6
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
