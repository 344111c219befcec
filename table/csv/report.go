package csv

import (
	"fmt"
	"strings"

	"catena/internal/text"
	"catena/table"
)

// maxListed is how many dropped or repaired rows a report lists.
const maxListed = 1000

func (l *layout) drop(r csvRow, why string) {
	if len(l.dropped) == maxListed {
		l.left++
		return
	}
	l.dropped = append(
		l.dropped,
		table.DroppedRow{Line: r.line, Why: why, Text: strings.Clone(text.Clip(strings.TrimSpace(l.g.raw(r)), 200))},
	)
}

// Why rows are dropped.
const (
	DropBlank    = "it is empty"
	DropComment  = "it is a comment"
	DropRuler    = "it is a line of dashes"
	DropPreamble = "it stands above the table"
	DropFooter   = "it stands below the table"
	DropRepeat   = "it repeats the header"
	DropTotal    = "it is the total of the rows above"
	DropSubtotal = "it is a subtotal of rows above"
	DropMean     = "it is the average of the rows above"
	DropExtreme  = "it is the least or the most of the rows above"
	DropFigure   = "it is the median, the number or the deviation of the rows above"
)

// describe puts the dialect into a report.
func (d dialect) describe(report *table.LoadReport) {
	report.Comma = strings.Clone(d.comma)
	if d.comma == "\t" {
		report.Format = "tsv"
	}
	if d.quote != 0 {
		report.Quote = string(rune(d.quote))
	}
	if d.quote == '\'' {
		report.Notes = append(report.Notes, "cells are quoted by '")
	}
	if d.escape != 0 {
		if report.Escape = string(rune(d.escape)); report.Escape == escapeNUL {
			report.Escape = "\x00"
		}
	}
}

// note says what tidy changed.
func (t tidied) note(report *table.LoadReport) {
	if t.padded > 0 {
		report.Notes = append(
			report.Notes,
			fmt.Sprintf(
				"%s outer spaces or invisible characters, which were cut",
				text.CountOf(t.padded, "cell had", "cells had"),
			),
		)
	}
	if t.kept > 0 {
		report.Notes = append(
			report.Notes,
			fmt.Sprintf(
				"%s outer spaces, unlike others of the column; they were kept",
				text.CountOf(t.kept, "cell has", "cells have"),
			),
		)
	}
	if t.formulas > 0 {
		report.Notes = append(
			report.Notes,
			fmt.Sprintf("%s written as =\"x\" and read as x", text.CountOf(t.formulas, "cell was", "cells were")),
		)
	}
}

// quoteNotes says which lines have quotes against the rules.
func (l *layout) quoteNotes(report *table.LoadReport) {
	for _, line := range l.g.fixed {
		if len(l.repairs) < maxListed {
			l.repairs = append(
				l.repairs,
				table.RepairedRow{Line: line, What: "it has a quote that encloses nothing; it was kept as text"},
			)
		}
	}
	if len(l.g.loose) > 0 {
		report.Notes = append(
			report.Notes,
			fmt.Sprintf("line %d has quotes that do not follow the rules; they were kept as text", l.g.loose[0]),
		)
	}
}

// report adds what was dropped and repaired to a report.
func (l *layout) report(report *table.LoadReport) {
	report.Dropped, report.Repaired = l.dropped, l.repairs
	counts := map[string]int{}
	for _, d := range l.dropped {
		counts[d.Why]++
		if counts[d.Why] <= 3 && d.Why != DropBlank {
			report.Notes = append(
				report.Notes,
				fmt.Sprintf("line %d was left out, %s: %q", d.Line, d.Why, text.Clip(d.Text, 60)),
			)
		}
	}
	for _, why := range []string{DropComment, DropRuler, DropPreamble, DropFooter, DropRepeat, DropTotal, DropSubtotal, DropMean, DropExtreme, DropFigure} {
		if n := counts[why] - 3; n > 0 {
			report.Notes = append(
				report.Notes,
				fmt.Sprintf("%s left out, because %s", text.CountOf(n, "further line was", "further lines were"), why),
			)
		}
	}
	if l.left > 0 {
		report.Notes = append(
			report.Notes,
			fmt.Sprintf("%s left out", text.CountOf(l.left, "further line was", "further lines were")),
		)
	}
	const most = 5
	report.Notes = append(report.Notes, l.notes[:min(len(l.notes), most)]...)
	if n := len(l.notes) - most; n > 0 {
		report.Notes = append(
			report.Notes,
			fmt.Sprintf(
				"%s kept as well",
				text.CountOf(n, "further row is called a total and was", "further rows are called totals and were"),
			),
		)
	}
	for i, r := range l.repairs {
		if i == most {
			report.Notes = append(
				report.Notes,
				fmt.Sprintf("%s repaired", text.CountOf(len(l.repairs)-i, "further row was", "further rows were")),
			)
			break
		}
		report.Notes = append(report.Notes, fmt.Sprintf("line %d was repaired: %s", r.Line, r.What))
	}
}

// DropEllipsis is why a row of dots is dropped.
const DropEllipsis = "it stands for rows that are not shown"
