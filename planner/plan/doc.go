// Package plan is the language between the planner and everything that runs plans: pure data and rules, no I/O.
//
// A Plan is a DAG of Steps. A step calls one tool with arguments in which a Ref stands for a part of an earlier step's
// result. Order in the list carries no meaning; refs do. The package parses what models write (Parse), checks it (Validate),
// repairs what has one reading (Mend) and orders it (Graph). It also defines what a planner is told (Request) and what it
// answers (Response), and the grammar of query_table (Query), so that the planner that writes a query and the tool that runs
// it share one definition.
package plan
