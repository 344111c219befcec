package tabletest

import "strings"

// Markup are the classes of Markdown and HTML.
func Markup() []Class {
	md := func(name, head, piece, end string) Class {
		return Class{name, "hostile.md", func(size int) []byte { return repeatedPiece(size, head, piece, end) }}
	}
	html := func(name, head, piece, end string) Class {
		return Class{name, "hostile.html", func(size int) []byte { return repeatedPiece(size, head, piece, end) }}
	}
	wide := strings.Repeat("<td colspan=1000>x", 16)
	return []Class{
		md("tables", "", "| a | b |\n|---|---|\n| 1 | 2 |\n\ntext\n\n", ""),
		md("rows", "| a | b |\n|---|---|\n", "| 1 | 2 |\n", ""),
		md("bars", "| a | b |\n|---|---|\n", "|", "\n"),
		md("lines of a bar", "| a | b |\n|---|---|\n", "|\n", ""),
		md("headers without rows", "", "| a | b |\n|---|---|\n", ""),
		md("bars without a table", "", "| a | b\n", ""),
		md("dashes", "a|b\n", "-|-\n", ""),
		md("open fences", "", "```\n", "|a|b|\n|-|-|\n|1|2|\n"),
		md("fences", "", "```csv\na,b\n1,2\n```\n", ""),
		md("open emphasis", "|a|b|\n|-|-|\n", "|**x|__y|\n", ""),
		md("one cell of marks", "|a|b|\n|-|-|\n|", "**_`[", "|1|\n"),
		md("one cell of brackets", "|a|b|\n|-|-|\n|", "[", "|1|\n"),
		md("one cell of links", "|a|b|\n|-|-|\n|", "[x](y", "|1|\n"),
		md("one cell of backticks", "|a|b|\n|-|-|\n|", "`x``y", "|1|\n"),
		md("one cell of entities", "|a|b|\n|-|-|\n|", "&amp;", "|1|\n"),
		md("one cell of tags", "|a|b|\n|-|-|\n|", "<br><b", "|1|\n"),
		md("escaped bars", "|a|b|\n|-|-|\n", "|\\|\\||1|\n", ""),
		{"one wide row", "hostile.md", func(size int) []byte {
			w := min(size/8, 16_000)
			return []byte(strings.Repeat("|a", w) + "|\n" + strings.Repeat("|-", w) + "|\n" + strings.Repeat("|1", w) +
				"|\n" + strings.Repeat("|1|\n", size/8))
		}},
		html("tables", "", "<table><tr><th>a<th>b<tr><td>1<td>2</table>", ""),
		html("rows", "<table><tr><th>a<th>b", "<tr><td>1<td>2", "</table>"),
		html("open tables", "", "<table><tr><td>1", ""),
		html("open tables and ends", "", "<table><tr><td>1</table><table>", ""),
		html("rows below wide spans", "<table><tr>"+wide, "<tr>", "</table>"),
		html("cells below wide spans", "<table><tr>"+strings.ReplaceAll(wide, "colspan", "rowspan=65534 colspan"),
			"<tr><td>1", "</table>"),
		html("spans in every row", "<table>", "<tr><td rowspan=65534>x<td colspan=2>y", "</table>"),
		html("spans of all columns", "<table><tr><th colspan=1000>a", "<tr><td colspan=1000>x", "</table>"),
		html("empty rows", "<table><tr><th>a<th>b", "<tr></tr>", "<tr><td>1<td>2</table>"),
		html("captions", "<table>", "<caption>x</caption>", "<tr><td>1<td>2<tr><td>3<td>4</table>"),
		html("open tags", "<table><tr><td>1", "<", "</table>"),
		html("attributes", "<table><tr><td", " a=b", ">1<td>2<tr><td>1<td>2</table>"),
		html("comments", "<table><tr><th>a<th>b<tr><td>1<td>2</table>", "<!--", ""),
		html("scripts", "<table><tr><th>a<th>b<tr><td>1<td>2</table>", "<script>", ""),
		html("entities", "<table><tr><td>1<td>", "&amp;&#x41;&", "<tr><td>1<td>2</table>"),
		html("heads", "<table>", "<thead><tr><th>a<th>b</thead>", "<tr><td>1<td>2</table>"),
		html("feet", "<table><tr><th>a<th>b", "<tfoot><tr><td>1<td>2</tfoot>", "</table>"),
		html("cells of lines", "<table><tr><td>1<td>", "<br><p><div>", "<tr><td>1<td>2</table>"),
	}
}
