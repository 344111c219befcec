// Package xlsx reads Excel workbooks, each table of each sheet, with the units, dates and exact numbers that number
// formats tell; and it writes them.
package xlsx
