// Package data is the toolkit over tables: finding out which there are, asking them (query_table), formatting, cleaning,
// summarizing, trends, charts and insights, and extract, which reads values out of text by a model.
//
// Sources are the tables that questions can be asked about: configured files and demo data for everybody, uploads for the
// session they came with. Live tables are those that other toolkits make when they are asked for, such as a caller's memories or the
// functions of an index: they are listed, described and queried like sources, belong to their caller, and what they hold is nobody's
// instruction. A Toolkit serves the tools, and gives a chat turn what planners may know of the tables (Describe),
// where words of a message are found in them (Values), and a way in for attachments (Attach).
package data
