// Package formatter turns tables into what people and models read: Markdown, JSON with column profiles, bullets, CSV, HTML and plain
// text for terminals. Format makes a View in the order that the product promises: profile, sort by true types, select, anomalies,
// summary row, ranking; the View's methods then write the cells with their units and the headings for people.
package formatter
