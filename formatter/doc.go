// Package formatter turns tables into what people and models read: Markdown, bullets, HTML and plain text for
// terminals; JSON with column profiles and CSV for programs; tab-separated text for models; sheets of workbooks. Format
// makes a View in the order that the product promises: profile, sort by true types, ranks, shares and changes, limit,
// columns, anomalies, summary row; the View's methods then write the cells with their units and the headings for
// people. How a column is written is decided once; large views are written several ranges of rows at a time.
//
// Whatever cells and names hold, no output lets them act: Markdown and HTML have no markup of theirs, CSV no formulas,
// terminals no control characters. A table of any size is written whole; Options.Limit bounds it.
package formatter
