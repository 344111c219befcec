package load

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"catena/internal/buffer"
	"catena/internal/parallel"
	"catena/table"
	"catena/table/columnar"
	"catena/table/content"
	"catena/table/csv"
	"catena/table/json"
	"catena/table/xlsx"
)

// File reads the tables of a file: CSV, TSV, JSON, JSON Lines, Markdown, HTML, XLSX, Parquet, Arrow IPC and SQLite,
// texts also compressed by gzip or Zstandard. What the file holds decides, not its
// ending; where the two disagree the report's Notes say so. When the context ends, its error comes soon. A file that is
// missing, unreadable, empty or no table gives a *FormatError that names it and wraps the cause. Of a database the
// tables that can be read come beside an error about the others, which joins a *FormatError for each: one that cannot
// be read or goes over a limit is left out.
func File(ctx context.Context, path string, lim table.Limits) ([]table.Named, error) {
	lim, end := lim.WithContext(ctx).Begin()
	defer end()
	found, err := readAny(ctx, path, lim)
	return found, lim.Explain(filepath.Base(path), err)
}

func readAny(ctx context.Context, path string, lim table.Limits) ([]table.Named, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, content.Unreadable(path, err)
	case info.IsDir():
		return nil, &table.FormatError{Source: path, Reason: "it is a folder, not a file", Hint: "name the files in it"}
	case !info.Mode().IsRegular():
		return nil, &table.FormatError{Source: path, Reason: "it is not a regular file"}
	case info.Size() == 0:
		return nil, content.EmptyFile(filepath.Base(path))
	}
	f, info, err := content.OpenRegular(path) // another file may have taken its place
	if err != nil {
		return nil, content.Unreadable(path, err)
	}
	defer f.Close()
	if named, ok := loadMapped(f, info, lim); ok {
		return table.OneNamed(named, checkEnding(&named, filepath.Base(path)))
	}
	data, err := readFile(ctx, f, info.Size(), lim)
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(data, []byte("SQLite format 3\x00")) {
		named, err := columnar.ReadSQLite(ctx, path, lim)
		for i := range named {
			_ = checkEnding(&named[i], path) // it is no text
		}
		return named, err
	}
	name := filepath.Base(path)
	named, err := readContent(data, name, lim, true)
	if err == nil {
		return named, nil
	}
	if ended := ctx.Err(); ended != nil { // Arrow makes texts of errors
		return nil, ended
	}
	if named, ferr := readContent(data, name, lim, false); ferr == nil {
		named[0].Report.Notes = slices.Insert(named[0].Report.Notes, 0, "the other tables were left out: "+err.Error())
		return named, nil
	}
	return nil, err
}

// readFile reads all of a file that has the given size. A large one is read in parts side by side; if it turns out to
// have another size meanwhile, once more from the start.
func readFile(ctx context.Context, f *os.File, size int64, lim table.Limits) ([]byte, error) {
	const part = 2 << 20
	parts := int((size + part - 1) / part)
	source := content.ContextFile{File: f, Context: ctx}
	if parts < 2 || size > lim.Bytes {
		return content.ReadAll(source, filepath.Base(f.Name()), lim)
	}
	data := buffer.Uncleared(int(size) + 1) // one more, to see whether the file ends where it should
	var odd atomic.Bool
	parallel.Columns(parts, part, func(i int) {
		from, to := i*part, min((i+1)*part, int(size))
		if i == parts-1 {
			to++
		}
		n, err := source.ReadAt(data[from:to], int64(from))
		if ended := i == parts-1 && n == to-from-1 && errors.Is(err, io.EOF); !ended && (i == parts-1 || err != nil) {
			odd.Store(true)
		}
	})
	if odd.Load() {
		return content.ReadAll(source, filepath.Base(f.Name()), lim)
	}
	return data[:size], nil
}

// binaries are formats that people try and that this package does not read, by their first bytes.
var binaries = []struct{ magic, what, hint string }{
	{"\xd0\xcf\x11\xe0", "an old Excel workbook (.xls), or one with a password", "save it as .xlsx without a password"},
	{"%PDF", "a PDF document", "export the table as CSV"},
	{"\x89PNG", "a PNG image", "give the table itself"},
	{"\xff\xd8\xff", "a JPEG image", "give the table itself"},
	{"\x7fELF", "a program", "give a table"},
	{"SQLite format 3\x00", "a SQLite database", "load it from a file"},
}

// Bytes reads one table from bytes in memory, such as an upload: as File, but without SQLite, which needs a file, and
// only the first table; LoadReport.More names the others, which Tables gives. The ending of source counts only for the
// report.
func Bytes(data []byte, source string, lim table.Limits) (table.Named, error) {
	lim, end := lim.Begin()
	defer end()
	named, err := table.FirstNamed(readContent(data, source, lim, false))
	return named, lim.Explain(source, err)
}

// Tables reads every table of a content: the first is what Bytes gives. A further table that cannot be loaded is an
// error.
func Tables(data []byte, source string, lim table.Limits) ([]table.Named, error) {
	lim, end := lim.Begin()
	defer end()
	named, err := readContent(data, source, lim, true)
	return named, lim.Explain(source, err)
}

// Plain reports whether a content would be read as text as it stands. Others, packed or binary, may hold much more than
// they are long.
func Plain(data []byte) bool {
	if content.IsCompressed(data) {
		return false
	}
	for _, magic := range []string{xlsx.Magic, columnar.MagicParquet, columnar.MagicArrowFile, columnar.MagicArrow} {
		if bytes.HasPrefix(data, []byte(magic)) {
			return false
		}
	}
	return true
}

// MagicArrowFile begins an Arrow IPC file, and MagicArrow a stream of the present format.
const ()

// readContent reads the tables of a content that the first bytes tell the format of, at least one; without all the
// further tables of a text are not loaded.
func readContent(data []byte, source string, lim table.Limits, all bool) ([]table.Named, error) {
	if int64(len(data)) > lim.Bytes {
		return nil, table.TooLarge(source, lim)
	}
	data, err := content.Decompress(data, source, lim)
	if err != nil {
		return nil, err
	}
	if err := lim.Ended(); err != nil {
		return nil, err
	}
	for _, b := range binaries {
		if bytes.HasPrefix(data, []byte(b.magic)) {
			return nil, &table.FormatError{Source: source, Reason: "the content is " + b.what, Hint: b.hint}
		}
	}
	var named []table.Named
	switch {
	case bytes.HasPrefix(data, []byte(xlsx.Magic)):
		named, err = xlsx.ReadTables(data, source, lim)
	case bytes.HasPrefix(data, []byte(columnar.MagicParquet)):
		named, err = columnar.ReadParquet(data, source, lim)
	case bytes.HasPrefix(data, []byte(columnar.MagicArrowFile)),
		bytes.HasPrefix(data, []byte(columnar.MagicArrow)) && len(data) > 8:
		named, err = columnar.ReadArrow(data, source, lim)
	default:
		named, err = textFromBytes(data, source, lim, all)
	}
	if err != nil {
		return nil, err
	}
	for i := range named {
		if err := checkEnding(&named[i], source); err != nil {
			return nil, err
		}
	}
	return named, nil
}

// textFromBytes chooses between JSON, Markdown and delimited text by the first character and, for what is not JSON
// after all, the ending.
func textFromBytes(data []byte, source string, lim table.Limits, all bool) ([]table.Named, error) {
	head := strings.TrimLeft(strings.TrimPrefix(buffer.String(data[:min(len(data), 4096)]), "\xef\xbb\xbf"), " \t\r\n")
	ending := formatOfEnding(source)
	if strings.HasPrefix(head, "{") || strings.HasPrefix(head, "[") {
		named, err := json.ReadTables(data, source, lim, all)
		if err == nil || ending != "csv" && ending != "tsv" || table.GaveUp(err) {
			return named, err
		}
	} else if (ending == "json" || ending == "jsonl") && !strings.ContainsAny(head, ",;\t|\n") {
		return table.OneNamed(json.ReadBytes(data, source, lim))
	}
	marked := ending == "markdown" || ending == "html"
	if begins := strings.HasPrefix(head, "|") || strings.HasPrefix(head, "<"); marked || begins {
		if text, encoding, err := content.Decode(data, source); err == nil {
			found, err := markedTables(string(text), source, lim)
			if err != nil {
				return nil, err
			}
			if len(found) > 0 {
				table.ListMore(found)
				for i := range found {
					found[i].Report.Encoding = encoding
				}
				return found, nil
			}
		}
	}
	if all {
		return csv.ReadTables(data, source, lim)
	}
	return table.OneNamed(csv.ReadBytes(data, source, lim))
}

// formatOfEnding is the format that the file's name promises, "" when it promises none.
func formatOfEnding(source string) string {
	switch strings.ToLower(filepath.Ext(content.CutPacked(source))) {
	case ".csv":
		return "csv"
	case ".tsv", ".tab":
		return "tsv"
	case ".json":
		return "json"
	case ".jsonl", ".ndjson":
		return "jsonl"
	case ".md", ".markdown":
		return "markdown"
	case ".db", ".sqlite", ".sqlite3":
		return "sqlite"
	case ".xlsx", ".xlsm", ".xltx":
		return "xlsx"
	case ".parquet", ".pq":
		return "parquet"
	case ".html", ".htm":
		return "html"
	case ".arrow", ".arrows", ".feather", ".ipc":
		return "arrow"
	}
	return ""
}

// binaryEndings are the formats that no text is.
var binaryEndings = []string{"xlsx", "parquet", "arrow", "sqlite"}

// checkEnding says when a file's name promises another format than its content has. Lines without any separator under
// the name of a binary format are what a download or a copy left of it, an error message for instance: no table.
func checkEnding(named *table.Named, path string) error {
	report, ending := &named.Report, formatOfEnding(path)
	if ending == "" || ending == report.Format || ending == "csv" && report.Format == "tsv" {
		return nil
	}
	delimited := report.Format == "csv" || report.Format == "tsv"
	if delimited && slices.Contains(binaryEndings, ending) && named.Table.NumCols() == 1 {
		return &table.FormatError{Source: path,
			Reason: "the content is plain text, not the " + ending + " that the name says",
			Hint:   "save or download it again; give a list as .csv or .txt"}
	}
	report.Notes = append(report.Notes, fmt.Sprintf("the name says %s but the content is %s", ending, report.Format))
	return nil
}
