// Package anomaly finds what stands out in tables: numbers of a column (Outliers), by the shape of the column, and rows
// by all of their measures at once (UnusualRows). The same table gives the same findings.
package anomaly
