package tabletest

import (
	"fmt"
	"slices"
	"strings"
)

// Delimited are the classes of delimited and printed text.
func Delimited() []Class { return slices.Concat(sections(), rows(), surroundings(), cells()) }

// csv is a class of delimited text.
func csv(name string, makeIt func(size int) []byte) Class { return Class{name, "hostile.csv", makeIt} }

// pieces is a class of text that is made piece by piece.
func pieces(name string, piece func(b *strings.Builder, i int)) Class {
	return csv(name, func(size int) []byte { return build(size, piece) })
}

// same is a class of text that has one piece again and again.
func same(name, head, piece, end string) Class {
	return csv(name, func(size int) []byte { return repeatedPiece(size, head, piece, end) })
}

// sections are the classes of several tables in one text, and of quotes that do not end.
func sections() []Class {
	return []Class{
		pieces("tables with names of their own", func(b *strings.Builder, i int) {
			write(b, "name", i, ",value", i, "\na,1\nb,2\nc,3\n\n")
		}),
		same("tables with the same names", "", "name,value\na,1\nb,2\nc,3\n\n", ""),
		pieces("tables with titles", func(b *strings.Builder, i int) {
			write(b, "Table ", i, "\nname,value\na,1\nb,", i, "\nc,3\n\n")
		}),
		pieces("tables of other widths", func(b *strings.Builder, i int) {
			w := 2 + i%50
			write(b, strings.Repeat("n,", w), "m", i, "\n")
			for range 5 {
				write(b, strings.Repeat("1,", w), "2\n")
			}
		}),
		same("titles alone", "a,b\n1,2\n2,3\n", "title\n\n", ""),
		same("tables side by side", "", "a,b,,a,b,,a,b\n1,2,,3,4,,5,6\n1,2,,3,4,,5,6\n\n", ""),
		same("headers repeated", "", "a,b\n1,2\n", ""),
		same("open quotes", "a,b\n", "\"x,1\n", ""),
		same("open quotes in wide rows", "", "\"x,\"1,\"2,\"3,\"4,\"5\n", ""),
		same("open formulas", "a,b\n", "=\"x,1\n", ""),
		same("stray quotes", "a,b\n", "x\"y,1\"\n", ""),
		same("escaped quotes", "a,b\n", "\"x\\\"\\\\\\\",1\n", ""),
		same("one open quote over backslashes", "a,b\nx,1\n\"\\\",2\n\"", `\\`, "\n"),
		same("apostrophes", "a,b\n", "'x','1\n", ""),
		csv("a long name of a group above many columns", func(size int) []byte {
			w := min(size/8, 8_000)
			return []byte("a," + strings.Repeat("x", size/2) + strings.Repeat(",", w) + "\nb" +
				numbered(",c", 0, w+1, "") + "\n" +
				strings.Repeat("x"+strings.Repeat(",1", w+1)+"\n", 3))
		}),
	}
}

// rows are the classes of rows of other widths, and of totals.
func rows() []Class {
	return []Class{
		same("ragged rows", "a,b,c\n", "1,2\n1,2,3,4\n1\n1,2,3\n", ""),
		same("short rows with texts", "a,b,c\n", "1 x y\n1,2,3\n2,3,4\n4;5;6\n", ""),
		same("rows of one cell", "a\n", "1\n", ""),
		csv("one row of many columns", func(size int) []byte {
			return []byte(strings.Repeat("1,", min(size/2, 16000)) + "1\n")
		}),
		csv("many columns of one name", func(size int) []byte {
			return []byte(strings.Repeat("a,", min(size/4, 16000)) + "a\n" +
				strings.Repeat("1,", min(size/4, 16000)) + "1\n")
		}),
		csv("many columns without names", func(size int) []byte {
			w := min(size/4, 16000)
			return []byte("a" + strings.Repeat(",", w) + "\n" + strings.Repeat("1,", w) + "1\n" +
				strings.Repeat("2,", w) + "1\n")
		}),
		csv("one wide row above many", func(size int) []byte {
			return repeatedPiece(size, strings.Repeat("1,", min(size/4, 100_000))+"1\n", "1\n", "")
		}),
		csv("wide rows among many", func(size int) []byte {
			wide := strings.Repeat("1,", min(size/16, 16000)) + "1\n"
			return repeatedPiece(size, "", strings.Repeat("1\n", 64)+wide+strings.Repeat("1\n", 64), "")
		}),
		csv("groups and a wide header", func(size int) []byte {
			head := numbered("c", 0, min(size/20, 10_000), ",") + "end\n"
			return append([]byte(head), build(size-len(head), func(b *strings.Builder, i int) {
				write(b, "g", i, ",1\nTotal g", i, ",1\n")
			})...)
		}),
		pieces("totals that are none", func(b *strings.Builder, i int) {
			write(b, "Total x", i%7, ",", i, "\nTotal,", i, "\nx", i%7, ",3\n")
		}),
		pieces("totals of all before", func(b *strings.Builder, i int) {
			write(b, "x,1\nx,1\nx,1\nx,1\nTotal,", 4*i+4, "\n")
		}),
	}
}

// surroundings are the classes of what stands between and below the rows of a table.
func surroundings() []Class {
	return []Class{
		same("subtotals", "name,a,b,c\n", "x,1,2,3\ny,1,2,3\nSubtotal,2,4,6\n", "Total,9,9,9\n"),
		same("figures below", "name,a,b,c\nx,1,2,3\n", "mean,1,2,3\nmin,1,2,3\nmax,1,2,3\nmedian,1,2,3\n", ""),
		same("comments", "a,b\n", "# x\n", "1,2\n"),
		same("lines of dashes", "a,b\n1,2\n", "---,---\n", "1,2\n"),
		same("empty lines", "a,b\n", "\n", "1,2\n"),
		same("rows of blanks", "a,b\n1,2\n", " , \n", "1,2\n"),
		same("remarks at the end", "a,b\n1,2\n2,3\n", "Note: x\n", ""),
		same("footnotes", "a,b\n", "1*,2†\n", "\n* provisional\n† other\n"),
	}
}

// cells are the classes of what cells hold, and of other ways to write a table.
func cells() []Class {
	return []Class{
		same("padded cells", "a,b\n", "  x  ,  1  \n", ""),
		same("exotic blanks", "a,b\n", "\u00a0x\u3000,\ufeff1\n", ""),
		same("carriage returns", "a,b\r", "1,2\r", ""),
		same("mixed line ends", "a,b\r\n", "1,2\r\n3\n4,5\r", ""),
		same("NULs", "a,b\n", "\x001,2\x00\n", ""),
		same("NULs before quotes", "a,b\n", "\"x\x00\"\",2\n", ""),
		same("one long line of spaces", "a,b\n1,", " ", "\"\n"),
		same("spaces before quotes", "a,b\n", "1,          \"2\n", ""),
		same("lines in quotes", "\"a,b\"\n", "\"1,2\"\n", ""),
		same("lines of two quotes", "", "\"\"\n", ""),
		same("bytes of no text", "a,b\n", "\xff,\xfe\n", ""),
		same("words and spaces", "", "the quick  brown fox\n", ""),
		same("long delimiters", "a||b\n", "1||2\n", ""),
		same("one long number", "a\n1\n", "9", "\n"),
		same("one long fraction", "a\n0.", "9", "\n"),
		same("one long exponent", "a\n1e", "9", "\n"),
		same("numbers of 80 digits", "a,b\n", strings.Repeat("9", 80)+","+strings.Repeat("1", 80)+"\n", ""),
		same("numbers with groups", "a\n", "1,234,567,890,123,456,789.01 USD\n", ""),
		pieces("dates of every form", func(b *strings.Builder, i int) {
			write(b, []string{"2024-01-02", "02/01/2024", "Jan 2, 2024", "2 January 2024", "2024-01-02T03:04:05Z",
				"1700000000", "12:34", "Q1 2024", "Mon", "1h30m"}[i%10], "\n")
		}),
		pieces("points", func(b *strings.Builder, i int) { write(b, "\"", i%90, ".5,", i%170, ".25\"\n") }),
		same("ruled by bars", "", "+---+---+\n| a | b |\n+---+---+\n| 1 | 2 |\n+---+---+\n\n", ""),
		same("ruled without an end", "", "+---+---+\n| a | b |\n", ""),
		same("drawn boxes", "", "┌───┬───┐\n│ a │ b │\n├───┼───┤\n│ 1 │ 2 │\n└───┴───┘\n", ""),
		pieces("aligned by spaces", func(b *strings.Builder, i int) {
			fmt.Fprintf(b, "%-10d %-10s %10d\n", i, "name", i*7)
		}),
		same("aligned tables", "",
			"name       value   other\n---------- ------- -----\nabc        12      x\ndef        13      y\n\n", ""),
		same("dashes and spaces", "", "--- --- --- ---\n", ""),
		same("psql tables", "", " a | b \n---+---\n 1 | 2 \n(1 row)\n\n", ""),
	}
}
