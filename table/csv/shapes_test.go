package csv_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/table"
	"catena/table/csv"
	"catena/table/load"
	"catena/table/loadtest"
	"catena/table/tabletest"
)

// loadCase is a text with the tables that it holds.
type loadCase struct {
	name, text string
	tables     []string // name, columns, number of rows
	rows       []string // the first ones of the first table
	note       string   // a part of the first table's notes
}

func (tt *loadCase) check(t *testing.T, source string) {
	t.Helper()
	found, err := load.Tables([]byte(tt.text), source, table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(found[0].Report.Notes, "\n")
	if diff := cmp.Diff(tt.tables, loadtest.Summaries(found)); diff != "" {
		t.Errorf("%s\n%s", diff, notes)
	}
	rows := tabletest.Rows(found[0].Table)
	if diff := cmp.Diff(tt.rows, rows[:min(len(rows), len(tt.rows))]); diff != "" && tt.rows != nil {
		t.Error(diff)
	}
	if !strings.Contains(notes, tt.note) {
		t.Errorf("no note %q in\n%s", tt.note, notes)
	}
	if more := found[0].Report.More; len(more) != len(found)-1 {
		t.Errorf("the report names %d further tables, want %d", len(more), len(found)-1)
	}
}

// Several tables in one text: below each other with titles, and side by side.
func TestSeveralTables(t *testing.T) {
	for _, tt := range []loadCase{
		{"titles", "Sales 2023\ncity,n,day\nKiel,1,2023-01-02\nUlm,2,2023-01-03\n\nSales 2024\ncity,n,day\nKiel,3,2024-01-02\nUlm,4,2024-01-03\n\nStaff\nwho,age\nAnn,30\nBob,40\n",
			[]string{"x city:text n:integer day:date section:text 4", "x_2 who:text age:integer 2"}, []string{"Kiel|1|2023-01-02|Sales 2023", "Ulm|2|2023-01-03|Sales 2023", "Kiel|3|2024-01-02|Sales 2024"},
			`2 tables with the same columns were joined; their titles are in the column "section"`},
		{"titles without empty lines", "North,,\ncity,n,day\nKiel,1,2023-01-02\nUlm,2,2023-01-03\nSouth,,\ncity,n,day\nBonn,3,2024-01-02\n",
			[]string{"x city:text n:integer day:date section:text 3"}, []string{"Kiel|1|2023-01-02|North"}, ""},
		{"pages", "city,n,day\nKiel,1,2023-01-02\nUlm,2,2023-01-03\nPage 1\ncity,n,day\nBonn,3,2024-01-02\nPage 2\n",
			[]string{"x city:text n:integer day:date 3"}, []string{"Kiel|1|2023-01-02"}, `"Page 1"`},
		{"a group within", "city,n,day\nKiel,1,2023-01-02\n\nSouth,,\nUlm,2,2023-01-03\nBonn,3,2024-01-02\n", []string{"x city:text n:integer day:date 4"}, []string{"Kiel|1|2023-01-02", "South|null|null"}, ""},
		{"side by side", "city,n,,who,age\nKiel,1,,Ann,30\nUlm,2,,Bob,40\nBonn,3,,,\n", []string{"x city:text n:integer 3", "x_2 who:text age:integer 2"}, []string{"Kiel|1"}, "tables stand side by side, with empty columns between them; they were read one after the other"},
		{"the same side by side", "city,n,,city,n\nKiel,1,,Ulm,3\nBonn,2,,Jena,4\n", []string{"x city:text n:integer 4"}, []string{"Kiel|1", "Bonn|2", "Ulm|3", "Jena|4"}, "tables stand side by side, with empty columns between them; they were read one after the other"},
		{"titles side by side", "Sales,,,Staff,\ncity,n,,who,age\nKiel,1,,Ann,30\nUlm,2,,Bob,40\n", []string{"x city:text n:integer 2", "x_2 who:text age:integer 2"}, []string{"Kiel|1"}, ""},
		{"one below the beginning of the other", "city,n,,,\nKiel,1,,who,age\nUlm,2,,Ann,30\nBonn,3,,Bob,40\n", []string{"x city:text n:integer 3", "x_2 who:text age:integer 2"}, []string{"Kiel|1"}, ""},
		{"an empty column", "city,n,,who,age\nKiel,1,,Ann,30\nUlm,2,,Bob,40\n", []string{"x city:text n:integer column_3:null who:text age:integer 2"}, []string{"Kiel|1|null|Ann|30"}, ""},
		{"figures to come", "month,plan,,actual,rest\nJan,1,,2,3\nFeb,2,,2,3\nMar,3,,,\n", []string{"x month:text plan:integer column_3:null actual:integer rest:integer 3"}, nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.check(t, "x.csv") })
	}
}

func TestSheetSideBySide(t *testing.T) {
	sheet := tabletest.RowsXML("Sales;;;;Staff", "city;n;;;who;age", "Kiel;|1;;;Ann;|30", "Ulm;|2;;;Bob;|40", "Bonn;|3") + `<mergeCells><mergeCell ref="A1:B1"/></mergeCells>`
	tt := loadCase{text: string(tabletest.Book("", strings.ReplaceAll(sheet, "<c ><v></v></c>", "<c/>"))), tables: []string{"b city:text n:integer 3", "b_S1 who:text age:integer 2"}, rows: []string{"Kiel|1", "Ulm|2", "Bonn|3"}, note: "tables stand side by side, with empty columns between them; they were read one after the other"}
	tt.check(t, "b.xlsx")
}

// Tables as programs print them.
func TestPrinted(t *testing.T) {
	people := []string{"1|Ann Lee|100.50|2024-01-05", "2|Bo|1200.25|2024-01-06", "3|null|3.00|2024-01-07"}
	columns := "x id:integer name:text amount:decimal2 day:date 3"
	for _, tt := range []loadCase{
		{"psql", " id |  name   | amount  |    day\n----+---------+---------+------------\n  1 | Ann Lee |  100.50 | 2024-01-05\n  2 | Bo      | 1200.25 | 2024-01-06\n  3 |         |    3.00 | 2024-01-07\n(3 rows)\n",
			[]string{columns}, people, `"(3 rows)"`},
		{"mysql", "mysql> select *;\n+----+---------+---------+------------+\n| id | name    | amount  | day        |\n+----+---------+---------+------------+\n|  1 | Ann Lee |  100.50 | 2024-01-05 |\n|  2 | Bo      | 1200.25 | 2024-01-06 |\n|  3 | NULL    |    3.00 | 2024-01-07 |\n+----+---------+---------+------------+\n3 rows in set (0.00 sec)\n",
			[]string{columns}, people, "3 rows in set"},
		{"boxes with types", "┌───────┬─────────┬─────────┬────────────┐\n│  id   │  name   │ amount  │    day     │\n│ int32 │ varchar │ double  │    date    │\n├───────┼─────────┼─────────┼────────────┤\n│     1 │ Ann Lee │  100.50 │ 2024-01-05 │\n│     2 │ Bo      │ 1200.25 │ 2024-01-06 │\n│     3 │         │    3.00 │ 2024-01-07 │\n└───────┴─────────┴─────────┴────────────┘\n",
			[]string{columns}, people, csv.DropTypes},
		{"rules between rows", "+----+---------+---------+------------+\n| id | name    | amount  | day        |\n+====+=========+=========+============+\n|  1 | Ann     |  100.50 | 2024-01-05 |\n|    | Lee     |         |            |\n+----+---------+---------+------------+\n|  2 | Bo      | 1200.25 | 2024-01-06 |\n+----+---------+---------+------------+\n|  3 |         |    3.00 | 2024-01-07 |\n+----+---------+---------+------------+\n",
			[]string{columns}, people, ""},
		{"org", "| id | name | amount | day |\n|----+------+--------+-----|\n| 1 | Ann Lee | 100.50 | 2024-01-05 |\n| 2 | Bo | 1200.25 | 2024-01-06 |\n| 3 | | 3.00 | 2024-01-07 |\n", []string{columns}, people, ""},
		{"spaces", "id  name      amount  day\n1   Ann Lee   100.50  2024-01-05\n2   Bo       1200.25  2024-01-06\n3               3.00  2024-01-07\n", []string{columns}, people, ""},
		{"spaces below a title", "Payments of January\n\nid  name      amount  day\n1   Ann Lee   100.50  2024-01-05\n2   Bo       1200.25  2024-01-06\n3               3.00  2024-01-07\n\n3 rows\n", []string{columns}, people, `"Payments of January"`},
		{"dashes tell the columns", "id name       amount day\n-- ------- --------- ----------\n1  Ann Lee    100.50 2024-01-05\n2  Bo        1200.25 2024-01-06\n3               3.00 2024-01-07\n", []string{columns}, people, ""},
		{"one space beside numbers", "Filesystem     1K-blocks     Used Available Use% Mounted on\n/dev/sda1       41152812 30126584   9290252  77% /\n/dev/sdb1      102687672 61229684  36198724  63% /data\ntmpfs            8174284        0   8174284   0% /dev/shm\nudev             8147844        0   8147844   0% /dev\n",
			[]string{"x Filesystem:text 1K-blocks:integer Used:integer Available:integer Use%:integer[%] Mounted on:text 4"}, nil, ""},
		{"wide characters", "城市    人口\n东京    100\n大阪    20\n名古屋  300\n", []string{"x 城市:text 人口:integer 3"}, []string{"东京|100"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.check(t, "x.txt")
			lines := strings.Split(tt.text, "\n")
			if !strings.Contains(tt.text, "mysql>") && !strings.Contains(tt.text, "Payments") && csv.PrintedLines(lines) < 4 {
				t.Errorf("PrintedLines gives %d", csv.PrintedLines(lines))
			}
		})
	}
}

// Texts that are no printed tables are left alone.
func TestNotPrinted(t *testing.T) {
	for _, text := range []string{
		"a - b\n--+--\ntext",
		"Hello.  I have a question.\nPlease look.  It is short.\nThanks.  Bye.",
		"a,b\n1,2\n3,4", "just one line", "", "a | b\n1 | 2\n3 | 4", "x = 1  # one\nlong_name = 2  # two\ny = 3  # three",
	} {
		if n := csv.PrintedLines(strings.Split(text, "\n")); n > 0 {
			t.Errorf("%q: %d lines", text, n)
		}
	}
}

// Sums below a table that nothing names.
func TestUnnamedSums(t *testing.T) {
	for _, tt := range []loadCase{
		{"two columns", "item,qty,price\nPen,10,1.50\nCup,3,12.00\n,13,13.50\n", []string{"x item:text qty:integer price:decimal2 2"}, nil, csv.DropTotal},
		{"one column", "item,qty\nPen,10\nCup,3\nHat,4\n,17\n", []string{"x item:text qty:integer 3"}, nil, csv.DropTotal},
		{"a column without sum", "item,qty,price\nPen,10,1.50\nCup,3,12.00\nHat,4,2.00\n,17,\n", []string{"x item:text qty:integer price:decimal2 3"}, nil, csv.DropTotal},
		{"no sums", "item,qty,price\nPen,10,1.50\nCup,3,12.00\n,13,12.50\n", []string{"x item:text qty:integer price:decimal2 3"}, nil, ""},
		{"by chance", "item,qty\nPen,1\nCup,2\n,3\n", []string{"x item:text qty:integer 3"}, nil, ""},
		{"items without names", "item,qty\nPen,1\n,2\nCup,2\n,5\n", []string{"x item:text qty:integer 4"}, nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.check(t, "x.csv") })
	}
}

// Delimiters of any length.
func TestLongDelimiters(t *testing.T) {
	for _, d := range []string{"||", "::", "<>", "~|~", "|~|", "#@#", "|||", "-->", "\t  ", ";;", "^^", "%%%", "<=>", ", ", "@@"} {
		text := strings.ReplaceAll("id\tname\tn\n1\tx y\t2.5\n2\tz\t3.5\n3\tw, q\t4.5\n", "\t", d)
		tt := loadCase{text: text, tables: []string{"x id:integer name:text n:decimal1 3"}, rows: []string{"1|x y|2.5", "2|z|3.5"}}
		if d == ", " {
			tt.text = strings.ReplaceAll(text, "w, q", "w q")
		}
		t.Run(d, func(t *testing.T) { tt.check(t, "x.csv") })
		two := loadCase{text: strings.ReplaceAll("name\tn\nx y\t2.5\nz\t3.5\nwq\t4.5\n", "\t", d), tables: []string{"x name:text n:decimal1 3"}}
		t.Run(d+" twice", func(t *testing.T) { two.check(t, "x.csv") })
	}
	for name, text := range map[string]string{
		"addresses": "link\nhttps://a.example/x\nhttps://b.example/y\nhttps://c.example/z\n", "names": "name\nstd::vector\nstd::map\nstd::set\n", "paths": "path\nC:\\a\nD:\\b\nE:\\c\n",
	} {
		t.Run(name, func(t *testing.T) {
			got, err := load.Bytes([]byte(text), "x.csv", table.Limits{})
			if err != nil || got.Table.NumCols() != 1 || got.Table.NumRows() != 3 {
				t.Errorf("got %v, %v", got.Table, err)
			}
		})
	}
}

// A NUL in a short text is dirt.
func TestShortNUL(t *testing.T) {
	tt := loadCase{text: "a,b\n1,\x002\n", tables: []string{"x a:integer b:integer 1"}, rows: []string{"1|2"}, note: "1 NUL character was left out"}
	tt.check(t, "x.csv")
}

// Files as offices, banks and instruments export them.
func TestExports(t *testing.T) {
	for _, tt := range []loadCase{
		{"pairs above a table", "Statement;;;\nAccount:;DE 12;;\nPeriod;01.01.2024 - 31.01.2024;;\n;;;\nday;text;amount;currency\n02.01.2024;Rent;-850,00;EUR\n03.01.2024;\"Pay; 1\";2.500,00;EUR\n05.01.2024;Food;-45,30;EUR\nBalance on 31.01.2024:;;1.604,70;EUR\n",
			[]string{"x day:date text:text amount:decimal2 currency:text 3"}, []string{"2024-01-02|Rent|-850.00|EUR", "2024-01-03|Pay; 1|2500.00|EUR"}, "Balance on"},
		{"tabs and decimal commas", "Device: X\nSerial: 0012\n\nt [s]\tT [°C]\tp\n0,0\t21,5\t1013,2\n0,5\t21,6\t1013,1\n1,0\t21,7\t1013,0\n", []string{"x t [s]:decimal1 T [°C]:decimal1 p:decimal1 3"}, []string{"0.0|21.5|1013.2"}, "comma was read as the decimal point"},
		{"pages", "Stock\nPrinted: 2024-01-31 12:00  Page 1\n\nSKU      Description         Qty   Price\n--------------------------------------\nA-100    Small widget         10    1.50\nA-200    Large widget          5   12.00\n\nStock\nPrinted: 2024-01-31 12:00  Page 2\n\nSKU      Description         Qty   Price\n--------------------------------------\nB-100    Blue gadget           7    3.25\nB-200    Red gadget, big       2   99.99\n--------------------------------------\nTotal                         24\n",
			[]string{"x SKU:text Description:text Qty:integer Price:decimal2 4"}, []string{"A-100|Small widget|10|1.50", "A-200|Large widget|5|12.00", "B-100|Blue gadget|7|3.25"}, csv.DropTotal},
		{"two columns of numbers", "# made by hand\n#time value\n0 20.1\n10 20.3\n20 20.9\n", []string{"x #time:integer value:decimal1 3"}, []string{"0|20.1"}, ""},
		{"dates with times", "at\n2024-01-01 10:00\n2024-01-02 11:00\n2024-01-03 12:00\n", []string{"x at:datetime 3"}, nil, ""},
		{"marks of footnotes", "year,n\n2020,\"83,155\"\n2021,\"83,237*\"\n2022,\"84,359\"\n\n* provisional\n", []string{"x year:integer n:integer 3"}, []string{"2020|83155", "2021|83237"}, "1 cell had the mark of a footnote behind a number or date, which was cut (*)"},
		{"lines in quotes", "\"a,b,c\"\n\"1,x \"\"y\"\",3\"\n\"2,z,4\"\n", []string{"x a:integer b:text c:integer 2"}, nil, "each line was in quotes as a whole, which were undone"},
		{"names in quotes", "\"name\"\n\"Lee, Ann\"\n\"Bo\"\n\"Ray\"\n", []string{"x name:text 3"}, []string{"Lee, Ann"}, ""},
		{"a total of all sections", "North,,\ncity,n,day\nKiel,1,2023-01-02\nUlm,2,2023-01-03\n\nSouth,,\ncity,n,day\nBonn,3,2024-01-02\nJena,5,2024-01-02\nTotal,11,\n", []string{"x city:text n:integer day:date section:text 4"}, []string{"Kiel|1|2023-01-02|North"}, csv.DropTotal},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.check(t, "x.csv") })
	}
}
