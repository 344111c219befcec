// Package statement looks after the SQL in models' plans, before anything runs: it puts other names into a statement
// (Rewrite), finds what cannot run over the tables and earlier steps that it asks (Check), and cures what has one
// reading (Mend). It never runs a statement.
package statement
