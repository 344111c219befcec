// Package crm is the demo CRM toolkit: clients, their monthly revenue, their
// support tickets and the exchange rates behind the amounts. All of it is
// invented; the files in demo come from generate.go.
package crm

//go:generate go run generate.go generate_names.go
