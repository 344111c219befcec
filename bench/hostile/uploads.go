package main

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/klauspost/compress/zstd"

	"catena/table/tabletest"
)

// bombs are small files that unpack to large ones.
var bombs = []struct {
	name string
	make func() ([]byte, error)
}{
	{"bomb.csv.gz", csvGzip}, {"bomb.csv.zst", csvZstd}, {"bomb.zip", plainZip}, {"bomb.xlsx", workbook}, {"shared.xlsx", sharedTexts},
	{"entities.xlsx", entities}, {"bomb.arrow", arrowZstd}, {"bomb.parquet", parquetZstd},
}

// uploads are the attacks by files. A file over a limit is refused; where as much as may be is under way, 503 is right too.
func uploads(at int) []*attack {
	var list []*attack
	for _, b := range bombs {
		var data []byte
		a := sent("upload "+b.name, at, []string{"422", "413", "503"}, func(_ *target, n int) message {
			if n%2 == 1 {
				return inForm(b.name, data)
			}
			return message{route: "POST /api/v1/tables?name=" + b.name, header: []string{"Content-Type: application/octet-stream"}, body: bytes.NewReader(data), length: int64(len(data))}
		})
		a.prepare = func() (err error) {
			if data, err = b.make(); err != nil {
				err = fmt.Errorf("%s: %w", b.name, err)
			}
			return err
		}
		list = append(list, a)
	}
	return list
}

// kinds are files of one sort, each of which is one small input that asks for much.
type kinds struct {
	name string
	make func() []tabletest.File
}

var unfolding = []kinds{
	{"Arrow that unfolds", tabletest.Arrow}, {"Parquet that unfolds", tabletest.Parquet},
	{"text that unfolds", func() []tabletest.File { return contents(tabletest.Texts()) }},
	{"workbooks that unfold", func() []tabletest.File { return contents(slices.Concat(tabletest.Workbooks(), tabletest.Packed())) }},
}

// textSize is how long, in bytes, an attack by text is: what an upload may have would take the attackers too long to send.
const textSize = 1 << 20

// contents makes the files of classes.
func contents(classes []tabletest.Class) []tabletest.File {
	files := make([]tabletest.File, len(classes))
	for i, c := range classes {
		files[i] = tabletest.File{Name: c.Source, Data: c.Make(textSize)}
	}
	return files
}

// unfolded are the attacks by files whose bytes are few and whose cells are many. The files of a sort are sent in turn. What the
// program can hold it may load.
func unfolded(at int) []*attack {
	var list []*attack
	for _, k := range unfolding {
		var files []tabletest.File
		a := sent("upload of "+k.name, at, []string{"201", "422", "413", "503"}, func(_ *target, n int) message {
			f := files[n%len(files)]
			return message{route: "POST /api/v1/tables?name=" + url.QueryEscape(f.Name), header: []string{"Content-Type: application/octet-stream"},
				body: bytes.NewReader(f.Data), length: int64(len(f.Data))}
		})
		a.prepare = func() error {
			files = k.make()
			return nil
		}
		list = append(list, a)
	}
	return list
}

// inForm sends a file the way that browsers do.
func inForm(name string, data []byte) message {
	body := "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + name + "\"\r\n\r\n" + string(data) + "\r\n--b--\r\n"
	return message{route: "POST /api/v1/tables", header: []string{"Content-Type: multipart/form-data; boundary=b"}, body: strings.NewReader(body), length: int64(len(body))}
}

const unpacked = 300 << 20 // of texts: more than may come out of a file

func csvGzip() ([]byte, error) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := io.Copy(w, filled(unpacked, "a,b\n", strings.Repeat("1,2\n", 1<<10), ""))
	err = orClose(err, w)
	return b.Bytes(), err
}

func csvZstd() ([]byte, error) {
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b)
	if err != nil {
		return nil, err
	}
	_, err = io.Copy(w, filled(unpacked, "a,b\n", strings.Repeat("1,2\n", 1<<10), ""))
	err = orClose(err, w)
	return b.Bytes(), err
}

func orClose(err error, w io.Closer) error {
	if err != nil {
		return err
	}
	return w.Close()
}

// archive is a ZIP archive of parts.
func archive(parts map[string]io.Reader) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, content := range parts {
		w, err := z.Create(name)
		if err != nil {
			return nil, err
		}
		if _, err := io.Copy(w, content); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return b.Bytes(), err
}

func plainZip() ([]byte, error) {
	return archive(map[string]io.Reader{"a.csv": filled(unpacked, "a,b\n", strings.Repeat("1,2\n", 1<<10), "")})
}

const (
	workbookXML = `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="s" sheetId="1" r:id="rId1"/></sheets></workbook>`
	relsXML     = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`
	sheetBegin  = `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>`
	sheetEnd    = `</sheetData></worksheet>`
)

func book(sheet io.Reader, more map[string]io.Reader) ([]byte, error) {
	parts := map[string]io.Reader{"xl/workbook.xml": strings.NewReader(workbookXML), "xl/_rels/workbook.xml.rels": strings.NewReader(relsXML), "xl/worksheets/sheet1.xml": sheet}
	for name, part := range more {
		parts[name] = part
	}
	return archive(parts)
}

func workbook() ([]byte, error) {
	return book(filled(unpacked, sheetBegin, "<row><c><v>1</v></c></row>", sheetEnd), nil)
}

// sharedTexts is a workbook of one long text that stands in many cells.
func sharedTexts() ([]byte, error) {
	text := filled(1<<20, `<sst><si><t>`, "a", `</t></si></sst>`)
	return book(filled(3<<20, sheetBegin, `<row><c t="s"><v>0</v></c></row>`, sheetEnd), map[string]io.Reader{"xl/sharedStrings.xml": text})
}

// entities is a workbook whose texts name one another, ten times each.
func entities() ([]byte, error) {
	var b strings.Builder
	b.WriteString(`<!DOCTYPE x [<!ENTITY e0 "aaaaaaaaaa">`)
	for i := range 12 {
		fmt.Fprintf(&b, `<!ENTITY e%d "%s">`, i+1, strings.Repeat(fmt.Sprintf("&e%d;", i), 10))
	}
	b.WriteString(`]>` + sheetBegin + `<row><c t="inlineStr"><is><t>&e12;</t></is></c></row>` + sheetEnd)
	return book(strings.NewReader(b.String()), nil)
}

// zeroRows is a batch of columns of zeros.
func zeroRows(columns, rows int) arrow.RecordBatch {
	fields, arrays := make([]arrow.Field, columns), make([]arrow.Array, columns)
	b := array.NewInt64Builder(memory.DefaultAllocator)
	b.AppendValues(make([]int64, rows), nil)
	zeros := b.NewArray()
	for i := range fields {
		fields[i], arrays[i] = arrow.Field{Name: fmt.Sprint("c", i), Type: arrow.PrimitiveTypes.Int64}, zeros
	}
	return array.NewRecordBatch(arrow.NewSchema(fields, nil), arrays, int64(rows))
}

func arrowZstd() ([]byte, error) {
	var b bytes.Buffer
	rows := zeroRows(64, 1<<20) // half a gigabyte each time
	w := ipc.NewWriter(&b, ipc.WithSchema(rows.Schema()), ipc.WithZstd())
	var err error
	for i := 0; i < 3 && err == nil; i++ {
		err = w.Write(rows)
	}
	err = orClose(err, w)
	return b.Bytes(), err
}

func parquetZstd() ([]byte, error) {
	var b bytes.Buffer
	rows := zeroRows(64, 1<<20)
	w, err := pqarrow.NewFileWriter(rows.Schema(), &b, parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Zstd)), pqarrow.DefaultWriterProps())
	if err != nil {
		return nil, err
	}
	for i := 0; i < 3 && err == nil; i++ {
		err = w.Write(rows)
	}
	err = orClose(err, w)
	return b.Bytes(), err
}
