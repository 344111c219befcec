package tabletest

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// Book makes a workbook of sheets given as the XML between <worksheet> and </worksheet>. One that begins with
// "strings:" is further shared strings, from 3 on. Style 0 is general, 1 a date, 2 a percentage, 3 euros, 4 a time, 5
// text.
func Book(workbookPr string, sheets ...string) []byte {
	return BookIn(`#,##0.00\ [$€-407]`, workbookPr, sheets...)
}

// BookIn is a Book with another format, in XML, for style 3.
func BookIn(format, workbookPr string, sheets ...string) []byte {
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	put := func(name, text string) {
		f, err := w.Create(name)
		if err == nil {
			_, err = f.Write([]byte(text))
		}
		if err != nil {
			panic(err)
		}
	}
	var list, rels strings.Builder
	shared := ""
	for i, s := range sheets {
		if rest, ok := strings.CutPrefix(s, "strings:"); ok {
			shared = rest
			continue
		}
		state := ""
		if rest, ok := strings.CutPrefix(s, "hidden:"); ok {
			state, s = ` state="hidden"`, rest
		}
		fmt.Fprintf(&list, `<sheet name="S%d" sheetId="%d" r:id="r%d"%s/>`, i+1, i+1, i+1, state)
		fmt.Fprintf(&rels, `<Relationship Id="r%d" Type="http://x/worksheet" Target="worksheets/sheet%d.xml"/>`, i+1, i+
			1)
		put(fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1), "<worksheet>"+s+"</worksheet>")
	}
	put("xl/workbook.xml", `<?xml version="1.0"?><x:workbook xmlns:x="m">`+workbookPr+`<x:sheets>`+list.String()+
		`</x:sheets></x:workbook>`)
	put("xl/_rels/workbook.xml.rels", `<Relationships>`+rels.String()+
		`<Relationship Id="a" Type="http://x/styles" Target="styles.xml"/><Relationship Id="b" Type="http://x/sharedStrings" Target="/xl/sharedStrings.xml"/></Relationships>`)
	put("xl/styles.xml", `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="`+format+
		`"/><numFmt numFmtId="171" formatCode="00000"/><numFmt numFmtId="172" formatCode="000-0000"/><numFmt numFmtId="173" formatCode="[$£-809]#,##0.00"/><numFmt numFmtId="174" formatCode="0&quot;%&quot;"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="10"/><xf numFmtId="170"/><xf numFmtId="21"/><xf numFmtId="49"/><xf numFmtId="171"/><xf numFmtId="172"/><xf numFmtId="173"/><xf numFmtId="174"/></cellXfs></styleSheet>`)
	put("xl/sharedStrings.xml",
		`<sst><si><t>name</t></si><si><r><t>ri</t></r><r><t xml:space="preserve">ch </t></r><rPh><t>no</t></rPh></si><si><t>a &amp; b_x000D__x0041_</t></si>`+shared+`</sst>`)
	if err := w.Close(); err != nil {
		panic(err)
	}
	return buf.Bytes()
}

// RowsXML writes rows of cells; a cell is its attributes, a bar and its content.
func RowsXML(rows ...string) string {
	var b strings.Builder
	b.WriteString("<sheetData>")
	for i, row := range rows {
		fmt.Fprintf(&b, `<row r="%d">`, i+1)
		for cell := range strings.SplitSeq(row, ";") {
			attrs, content, ok := strings.Cut(cell, "|")
			switch {
			case !ok && cell != "":
				fmt.Fprintf(&b, `<c t="inlineStr"><is><t>%s</t></is></c>`, cell)
			case strings.HasPrefix(content, "<"):
				fmt.Fprintf(&b, `<c %s>%s</c>`, attrs, content)
			default:
				fmt.Fprintf(&b, `<c %s><v>%s</v></c>`, attrs, content)
			}
		}
		b.WriteString("</row>")
	}
	return b.String() + "</sheetData>"
}

// Zipped is an archive of one small file.
func Zipped(name string) []byte {
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	f, err := w.Create(name)
	if err == nil {
		_, err = f.Write([]byte("x"))
	}
	if err = errors.Join(err, w.Close()); err != nil {
		panic(err)
	}
	return buf.Bytes()
}
