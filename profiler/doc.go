// Package profiler turns columns into facts: what a column means, its unit and where the unit was read, its role, a
// name for people, a display format, and the statistics that summaries and planners need.
//
// Profile computes everything, Describe only what a heading or a planner needs; ReadName reads a column's name. What a
// column means is decided from its stored type, then its values, then its name, the surest evidence first, and is given
// with a confidence. Nothing is assumed that neither says: a currency comes from metadata, a symbol, a name or a column
// beside it, and percentages are read as ratios or as points for the whole column. What stands out in a table is found
// by package profiler/anomaly.
//
// Where rules are unsure, learnt models decide (package profiler/model, which says what they were trained on): whether
// whole numbers are quantities, labels or keys, whether texts are prose, labels or lists; and, where a source gives
// titles or descriptions (Options.About, Expect, ExpectAll), what these let expect. They never make money or dates of
// cells that a rule did not read so, unless the source's own words do.
//
// Semantic types are those of ColumnMetadata's contract and Geo, for cells that hold a position or an outline whole:
// POINT (13.4 52.5). A column of calendar years is a Date of a year's precision: a time, shown plain and never added
// up.
//
// Descriptions, summaries and warnings hold no text out of cells, so that they may be shown to a model that plans.
// TopValues, Min and Max of text columns do hold such text.
//
// All functions are pure and safe for concurrent use. They keep nothing: a caller that profiles a table often keeps the
// result by table.Table.Fingerprint.
package profiler
