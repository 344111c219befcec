// Package profiler turns columns into facts: what a column means, its unit and where the unit was read, its role, a name
// for people, a display format, and the statistics that summaries and planners need.
package profiler
