package tabletest

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"strings"
)

// Workbooks are the classes of XLSX files. Their size is that of the sheet before it is compressed.
func Workbooks() []Class {
	const book = "hostile.xlsx"
	cells := func(name, head, row, end string) Class {
		return Class{name, book, func(size int) []byte {
			return Workbook("", `<worksheet><sheetData>`+head+string(build(size, func(b *strings.Builder, i int) {
				write(b, `<row r="`, i+3, `">`, row, `</row>`)
			}))+`</sheetData>`+end+`</worksheet>`)
		}}
	}
	head := `<row r="1"><c t="inlineStr"><is><t>a</t></is></c><c t="inlineStr"><is><t>b</t></is></c></row>`
	return []Class{
		cells("rows", head, `<c><v>1</v></c><c><v>2</v></c>`, ""),
		cells("formulas", head, `<c><f>SUM(A1:A2)</f><v>3</v></c><c><f>A1</f></c>`, ""),
		cells("dates", head, `<c s="1"><v>45351.5</v></c><c t="d"><v>2024-01-02</v></c>`, ""),
		{"one text in many cells", book, func(size int) []byte {
			return Workbook(`<sst><si><t>`+strings.Repeat("x", size/2)+`</t></si></sst>`,
				`<worksheet><sheetData>`+string(repeatedPiece(size/2, "",
					`<row><c t="s"><v>0</v></c><c t="s"><v>0</v></c></row>`, ""))+`</sheetData></worksheet>`)
		}},
		{"many texts", book, func(size int) []byte {
			return Workbook(`<sst>`+strings.Repeat(`<si/>`, size/5)+`</sst>`,
				`<worksheet><sheetData>`+head+`</sheetData></worksheet>`)
		}},
		{"cells at the corners", book, func(size int) []byte {
			return Workbook("", `<worksheet><sheetData><row r="1"><c r="A1"><v>1</v></c><c r="XFD1"><v>1</v></c></row>`+
				string(build(size, func(b *strings.Builder, i int) {
					write(b, `<row r="`, i+2, `"><c><v>1</v></c></row>`)
				}))+`<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData></worksheet>`)
		}},
		{"a diagonal", book, func(size int) []byte {
			return Workbook("", `<worksheet><sheetData>`+
				string(build(min(size, 500_000), func(b *strings.Builder, i int) {
					write(b, `<row r="`, i+1, `"><c r="`+sheetColumn(i%16_000), i+1, `"><v>1</v></c></row>`)
				}))+`</sheetData></worksheet>`)
		}},
		{"merged cells", book, func(size int) []byte {
			return Workbook("", `<worksheet><sheetData>`+head+string(build(size/2, func(b *strings.Builder, i int) {
				write(b, `<row r="`, i+2, `"><c><v>1</v></c><c><v>2</v></c></row>`)
			}))+`</sheetData><mergeCells>`+string(build(size/2, func(b *strings.Builder, i int) {
				write(b, `<mergeCell ref="A`, i+2, `:XFD`, i+2, `"/>`)
			}))+`</mergeCells></worksheet>`)
		}},
		{"merged cells over many tables", book, func(size int) []byte {
			return Workbook("", `<worksheet><sheetData>`+string(build(size/2, func(b *strings.Builder, i int) {
				write(b, `<row r="`, 5*i+1, `">`, `<c t="inlineStr"><is><t>n`, i,
					`</t></is></c><c t="inlineStr"><is><t>b</t></is></c></row>`)
				for k := range 3 {
					write(b, `<row r="`, 5*i+k+2, `"><c t="inlineStr"><is><t>x</t></is></c><c><v>2</v></c></row>`)
				}
			}))+`</sheetData><mergeCells>`+strings.Repeat(`<mergeCell ref="A1:B2"/>`, size/48)+
				`</mergeCells></worksheet>`)
		}},
		{"a merged text over all columns", book, func(size int) []byte {
			return Workbook("", `<worksheet><sheetData><row r="1"><c t="inlineStr"><is><t>`+strings.Repeat("x", size)+
				`</t></is></c><c r="XFC1"><v>1</v></c></row>`+
				`<row r="2"><c><v>1</v></c></row></sheetData><mergeCells><mergeCell ref="A1:XFB1"/></mergeCells></worksheet>`)
		}},
		{"many sheets", book, func(size int) []byte {
			sheet := `<worksheet><sheetData>` + head +
				`<row><c><v>1</v></c><c><v>2</v></c></row></sheetData></worksheet>`
			return Workbook("", slicesOf(sheet, max(1, size/len(sheet)))...)
		}},
		{"blanks", book, func(size int) []byte {
			return Workbook("", `<worksheet>`+strings.Repeat(" ", size)+`</worksheet>`)
		}},
		{"open tags", book, func(size int) []byte {
			return Workbook("", `<worksheet><sheetData><row><c>`+strings.Repeat("<v", size/2))
		}},
		{"texts in pieces", book, func(size int) []byte {
			return Workbook(`<sst><si>`+strings.Repeat(`<r><t>x</t></r>`, size/15)+`</si></sst>`,
				`<worksheet><sheetData>`+head+`<row><c t="s"><v>0</v></c><c><v>1</v></c></row></sheetData></worksheet>`)
		}},
	}
}

// Packed are the classes of compressed text.
func Packed() []Class {
	pack := func(text []byte) []byte {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, _ = w.Write(text) // a buffer never fails
		_ = w.Close()
		return b.Bytes()
	}
	return []Class{
		{"one line of a byte", "hostile.csv.gz", func(size int) []byte {
			return pack(bytes.Repeat([]byte("x"), 200*size))
		}},
		{"rows", "hostile.csv.gz", func(size int) []byte {
			return pack(repeatedPiece(200*size, "a,b\n", "1,2\n", ""))
		}},
		{"packed twice", "hostile.csv.gz", func(size int) []byte {
			return pack(pack(bytes.Repeat([]byte("x"), 200*size)))
		}},
	}
}

func slicesOf(s string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = s
	}
	return out
}

// sheetColumn is the name of a column by its number from 0.
func sheetColumn(n int) string {
	name := ""
	for n++; n > 0; n = (n - 1) / 26 {
		name = string(rune('A'+(n-1)%26)) + name
	}
	return name
}

// Workbook packs an XLSX file of a part of shared strings, "" for none, and sheets.
func Workbook(shared string, sheets ...string) []byte {
	parts := map[string]string{"xl/sharedStrings.xml": shared,
		"xl/styles.xml": `<styleSheet><cellXfs><xf/><xf numFmtId="22"/></cellXfs></styleSheet>`}
	order := []string{"xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/styles.xml", "xl/sharedStrings.xml"}
	var list, relations strings.Builder
	for i, s := range sheets {
		part := "xl/worksheets/sheet" + sheetColumn(i) + ".xml"
		parts[part] = s
		order = append(order, part)
		write(&list, `<sheet name="s`, i, `" r:id="r`, i, `"/>`)
		write(&relations, `<Relationship Id="r`, i,
			`" Type="x/worksheet" Target="worksheets/sheet`+sheetColumn(i)+`.xml"/>`)
	}
	parts["xl/workbook.xml"] = `<workbook><sheets>` + list.String() + `</sheets></workbook>`
	parts["xl/_rels/workbook.xml.rels"] = `<Relationships>` + relations.String() +
		`<Relationship Id="st" Type="x/styles" Target="styles.xml"/><Relationship Id="ss" Type="x/sharedStrings" Target="sharedStrings.xml"/></Relationships>`
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range order {
		part, _ := w.Create(name) // a buffer never fails
		_, _ = part.Write([]byte(parts[name]))
	}
	_ = w.Close()
	return b.Bytes()
}
