// Package gota turns tables into data frames of go-gota and back. Toolkits that are written over frames use it;
// Catena itself computes on tables.
package gota
