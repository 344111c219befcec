package table

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// LoadFile reads the tables of a file: CSV, TSV, JSON, JSON Lines, Markdown, SQLite, Arrow IPC, each also compressed by gzip. What the file holds decides, not its
// ending; where the two disagree the report's Notes say so. A file that is missing, unreadable, empty or no table gives a *FormatError that names it and wraps the
// cause. Of a database the tables that can be read come beside the error about the others; see LoadSQLite.
func LoadFile(ctx context.Context, path string, lim Limits) ([]Named, error) {
	lim = lim.withDefaults()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, unreadable(path, err)
	case info.IsDir():
		return nil, &FormatError{Source: path, Reason: "it is a folder, not a file", Hint: "name the files in it"}
	case !info.Mode().IsRegular():
		return nil, &FormatError{Source: path, Reason: "it is not a regular file"}
	case info.Size() == 0:
		return nil, emptyFile(filepath.Base(path))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	defer f.Close()
	data, err := readAll(f, filepath.Base(path), lim)
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(data, []byte("SQLite format 3\x00")) {
		named, err := LoadSQLite(ctx, path, lim)
		for i := range named {
			noteEnding(&named[i].Report, path)
		}
		return named, err
	}
	named, err := ReadBytes(data, filepath.Base(path), lim)
	if err != nil {
		return nil, err
	}
	return []Named{named}, nil
}

func unreadable(path string, err error) *FormatError {
	e := &FormatError{Source: path, Reason: "the file cannot be read (" + err.Error() + ")", Err: err}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.Reason, e.Hint = "there is no such file", "check the path"
	case errors.Is(err, fs.ErrPermission):
		e.Reason, e.Hint = "reading the file is not permitted", "check its permissions"
	}
	return e
}

// binaries are formats that people try and that this package does not read, by their first bytes.
var binaries = []struct{ magic, what, hint string }{
	{"PK\x03\x04", "a ZIP archive or an Excel workbook", "save the sheet as CSV"},
	{"PAR1", "a Parquet file", "convert it to Arrow IPC or CSV"},
	{"\xd0\xcf\x11\xe0", "an old Excel workbook", "save the sheet as CSV"},
	{"%PDF", "a PDF document", "export the table as CSV"},
	{"\x89PNG", "a PNG image", "give the table itself"},
	{"\xff\xd8\xff", "a JPEG image", "give the table itself"},
	{"\x7fELF", "a program", "give a table"},
	{"SQLite format 3\x00", "a SQLite database", "load it from a file"},
}

// ReadBytes reads one table from bytes in memory, such as an upload: as LoadFile, but without SQLite, which needs a file. The ending of source counts only
// for the report.
func ReadBytes(data []byte, source string, lim Limits) (Named, error) {
	lim = lim.withDefaults()
	if int64(len(data)) > lim.Bytes {
		return Named{}, tooLarge(source, lim)
	}
	if bytes.HasPrefix(data, []byte("\x1f\x8b")) {
		zip, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return Named{}, &FormatError{Source: source, Reason: "the gzip data are damaged", Err: err}
		}
		if data, err = readAll(io.Reader(zip), source, lim); err != nil {
			return Named{}, err
		}
	}
	for _, b := range binaries {
		if bytes.HasPrefix(data, []byte(b.magic)) {
			return Named{}, &FormatError{Source: source, Reason: "the content is " + b.what, Hint: b.hint}
		}
	}
	var named Named
	var err error
	switch {
	case bytes.HasPrefix(data, []byte("ARROW1")), bytes.HasPrefix(data, []byte("\xff\xff\xff\xff")) && len(data) > 8:
		named.Name = baseName(source)
		if named.Table, err = ipcFromBytes(data, source, lim); err == nil {
			named.Report = LoadReport{Source: source, Format: "arrow", Header: true, Rows: named.Table.NumRows()}
		}
	default:
		named, err = textFromBytes(data, source, lim)
	}
	if err != nil {
		return Named{}, err
	}
	noteEnding(&named.Report, source)
	return named, nil
}

// textFromBytes chooses between JSON, Markdown and delimited text by the first character and, for what is not JSON after all, the ending.
func textFromBytes(data []byte, source string, lim Limits) (Named, error) {
	head := strings.TrimLeft(string(bytes.TrimPrefix(data[:min(len(data), 4096)], []byte("\xef\xbb\xbf"))), " \t\r\n")
	ending := formatOfEnding(source)
	if strings.HasPrefix(head, "{") || strings.HasPrefix(head, "[") {
		named, err := jsonFromBytes(data, source, lim)
		if err == nil || ending != "csv" && ending != "tsv" {
			return named, err
		}
	} else if (ending == "json" || ending == "jsonl") && !strings.ContainsAny(head, ",;\t|\n") {
		return jsonFromBytes(data, source, lim)
	}
	if ending == "markdown" || strings.HasPrefix(head, "|") {
		if text, _, err := decodeText(data, source); err == nil {
			if named, ok, err := readMarkdown(string(text), source, lim); ok || err != nil {
				return named, err
			}
		}
	}
	return csvFromBytes(data, source, lim)
}

// formatOfEnding is the format that the file's name promises, "" when it promises none.
func formatOfEnding(source string) string {
	switch strings.ToLower(filepath.Ext(strings.TrimSuffix(source, ".gz"))) {
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
	case ".arrow", ".arrows", ".feather", ".ipc":
		return "arrow"
	}
	return ""
}

// noteEnding says when a file's name promises another format than its content has.
func noteEnding(report *LoadReport, path string) {
	ending := formatOfEnding(path)
	if ending != "" && ending != report.Format && !(ending == "csv" && report.Format == "tsv") {
		report.Notes = append(report.Notes, fmt.Sprintf("the name says %s but the content is %s", ending, report.Format))
	}
}
