// Package pipeline runs the queries that plans hold as stages (plan.Query): it turns each part of one (joins, filters,
// derived columns, groups, changes, order, limit) into stages of the algebra and runs them. It stops where the next
// part must look at the rows first: to read texts as numbers, to keep currencies and units apart, to tell total rows
// from others. What it left out, or could not compute, it says in notes for the reader.
//
// SQL and queries of the algebra itself do not come here: package data runs those by query/run and query/push.
package pipeline
