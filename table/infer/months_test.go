package infer_test

import (
	"strings"
	"testing"

	"catena/table/loadtest"
)

// Dates with names of months in other languages are dates, by one layout and of one language for all cells of a column.
func TestForeignMonths(t *testing.T) {
	for _, tt := range []struct {
		name, cells, kind, first string
	}{
		{"French", "1 janvier 2026|15 février 2026|3 août 2025", "date", "2026-01-01"},
		{"French first", "1er mars 2026|2 mars 2026", "date", "2026-03-01"},
		{"French short", "1 janv. 2026|15 févr. 2026|3 déc. 2025", "date", "2026-01-01"},
		{"French weekdays", "lundi 5 janvier 2026|mardi 6 janvier 2026", "date", "2026-01-05"},
		{"French without accents", "1 fevrier 2026|15 aout 2026", "date", "2026-02-01"},
		{"German", "1. Januar 2026|17. März 2026", "date", "2026-01-01"},
		{"German short", "3. Dez. 2025|4. Mai 2025|5. Mrz. 2025", "date", "2025-12-03"},
		{"German as CLDR shortens", "3. Jan. 2026|14. Feb. 2026|5. März 2026|1. Juni 2026|2. Juli 2026|3. Sept. 2026|4. Dez. 2026", "date", "2026-01-03"},
		{"German by CLDR without days", "Jan. 2026|Feb. 2026|März 2026|Apr. 2026|Mai 2026|Juni 2026|Juli 2026|Aug. 2026|Sept. 2026|Okt. 2026|Nov. 2026|Dez. 2026", "date", "2026-01-01"},
		{"German months", "Mrz 2026|Apr 2026|Mai 2026", "date", "2026-03-01"},
		{"German full months", "Januar 2026|Februar 2026", "date", "2026-01-01"},
		{"German weekdays", "Montag, 5. Januar 2026|Dienstag, 6. Januar 2026", "date", "2026-01-05"},
		{"German with a time", "3. Oktober 2025 14:05|4. Oktober 2025 08:30", "datetime", "2025-10-03T14:05:00"},
		{"Spanish", "1 de enero de 2026|15 de marzo de 2026", "date", "2026-01-01"},
		{"Spanish short", "1-ene-2026|15-abr-2026", "date", "2026-01-01"},
		{"capitals", "1 JANVIER 2026|2 MARS 2026", "date", "2026-01-01"},
		{"English as before", "1 May 2026|2 June 2026", "date", "2026-05-01"},
		{"two languages", "1 janvier 2026|2. Dezember 2026", "text", "1 janvier 2026"},
		{"short and full", "1. Jan. 2026|2. Dezember 2026", "text", "1. Jan. 2026"},
		{"no such day", "30. Februar 2026|1. März 2026", "text", "30. Februar 2026"},
		{"a name of something", "Mars 2020|Mars 2020", "text", "Mars 2020"},
		{"texts", "Mai 2026|Mai Ling", "text", "Mai 2026"},
		{"a word more", "Ausgabe Januar 2026|Ausgabe Mai 2026", "text", "Ausgabe Januar 2026"},
		{"rooms", "Mar 12|Mar 14", "text", "Mar 12"},
		{"products", "Juin 2000X|Juin 3000X", "text", "Juin 2000X"},
		{"two months", "Januar Mai 2026|Juni Juli 2026", "text", "Januar Mai 2026"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			named := loadtest.ReadCSV(t, "tag;n\n"+strings.ReplaceAll(tt.cells, "|", ";1\n")+";1\n")
			if got := loadtest.Kinds(named.Table); got != "tag:"+tt.kind+" n:integer" || named.Table.Value(0, 0).Text() != tt.first {
				t.Errorf("%s, first %q, notes %q", got, named.Table.Value(0, 0).Text(), named.Report.Notes)
			}
		})
	}
}
