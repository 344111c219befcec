package server

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"catena/chat"
)

// Param is a parameter of a route. The request is held to it before its handler runs, and /openapi.json describes it.
type Param struct {
	chat.Field
	Number  bool   // a whole number, from Least to Most; empty is as good as not there
	Default int    // of a number that is not there
	Many    int    // how often it may stand; 0 is once
	JSON    string // the component schema of a JSON value; "" means none
	Header  bool   // it is a header, which the handler itself reads
	Summary string
}

// number is a parameter that is a whole number.
func number(name string, def int, least, most int64, summary string) Param {
	return Param{Field: chat.Field{Name: name, Least: least, Most: most}, Number: true, Default: def, Summary: summary}
}

// text is a parameter that is a text.
func text(f chat.Field, name, summary string) Param {
	f.Name = name
	return Param{Field: f, Summary: summary}
}

// noEnd is the Most of a number without a bound of its own.
const noEnd = math.MaxInt64

// routeKey is where a request's context has its Route.
const routeKey = "catena.route"

// routeOfRequest is the route that a request came by; the zero Route outside of one.
func routeOfRequest(c *gin.Context) Route {
	r, _ := c.Get(routeKey)
	route, _ := r.(Route)
	return route
}

// checkParams holds the query of a request to its route's parameters.
func (s *Core) checkParams(route Route) gin.HandlerFunc {
	return func(c *gin.Context) {
		c.Set(routeKey, route)
		if _, err := url.ParseQuery(c.Request.URL.RawQuery); err != nil && len(route.Query) > 0 {
			// what cannot be read would count as not sent
			s.Fail(c, NewProblem(http.StatusBadRequest, "bad_query",
				"The query cannot be read: "+strings.TrimPrefix(err.Error(), "net/url: ")+".",
				"Encode what stands in it: ; is %3B, % is %25."))
			return
		}
		for _, p := range route.Query {
			if err := p.check(c.QueryArray(p.Name)); err != nil {
				s.Fail(c, err)
				return
			}
		}
		c.Next()
	}
}

// check says what is wrong with the values of a parameter.
func (p Param) check(values []string) error {
	if p.Header {
		return nil
	}
	switch {
	case p.Many == 0 && len(values) > 1:
		return NewProblem(http.StatusBadRequest, "repeated_parameter",
			fmt.Sprintf("%s stands %d times.", p.Name, len(values)),
			"Send it once: which one was meant cannot be told.")
	case p.Many > 0 && len(values) > p.Many:
		return NewProblem(http.StatusBadRequest, "repeated_parameter",
			fmt.Sprintf("%s stands %d times.", p.Name, len(values)), fmt.Sprintf("Send it %d times at most.", p.Many))
	}
	if len(values) == 0 && p.Required {
		return NewProblem(http.StatusBadRequest, "missing_required", p.Name+" is missing.", "")
	}
	for _, v := range values {
		if err := p.checkOne(v); err != nil {
			return err
		}
	}
	return nil
}

func (p Param) checkOne(value string) error {
	if !p.Number {
		return p.Text(value)
	}
	if value == "" { // a form that was not filled in
		return nil
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || p.Field.Number(n) != nil {
		most := fmt.Sprintf(" to %d", p.Most)
		if p.Most == noEnd {
			most = " on"
		}
		return NewProblem(http.StatusBadRequest, "out_of_range",
			fmt.Sprintf("%s must be a whole number from %d%s.", p.Name, p.Least, most),
			fmt.Sprintf("For example %s=%d.", p.Name, max(int64(p.Default), p.Least)))
	}
	return nil
}

// numberOf is the whole number of a parameter of the request's route, which was checked.
func numberOf(c *gin.Context, name string) int {
	for _, p := range routeOfRequest(c).Query {
		if p.Name != name {
			continue
		}
		if n, err := strconv.ParseInt(c.Query(name), 10, 64); err == nil {
			return int(n)
		}
		return p.Default
	}
	return 0
}

// describe is the parameter as OpenAPI has it.
func (p Param) describe() map[string]any {
	out := map[string]any{"name": p.Name, "in": "query", "description": p.Summary}
	if p.Header {
		out["in"] = "header"
	}
	if p.Required {
		out["required"] = true
	}
	schema := FieldSchema(p.Field, "string")
	if p.Number {
		schema = FieldSchema(p.Field, "integer")
		if out["allowEmptyValue"] = true; p.Default != 0 {
			schema["default"] = p.Default
		}
	}
	switch {
	case p.JSON != "":
		out["content"] = map[string]any{mediaJSON: map[string]any{"schema": RefTo(p.JSON)}}
		return out
	case p.Many > 0:
		out["schema"] = map[string]any{"type": "array", "items": schema, "maxItems": p.Many}
		out["explode"] = true
		return out
	}
	out["schema"] = schema
	return out
}

// FieldSchema is what a field may hold as a JSON Schema. Requests of JSON may say null for what they leave out.
func FieldSchema(f chat.Field, kind string) map[string]any {
	schema := map[string]any{"type": kind}
	if f.OneOf != nil {
		schema["enum"] = f.OneOf
	}
	least, most := "minLength", "maxLength"
	if kind == "integer" {
		least, most = "minimum", "maximum"
	}
	if f.Most != 0 {
		schema[most] = json.Number(strconv.FormatInt(f.Most, 10))
		if f.Least != 0 || kind == "integer" {
			schema[least] = f.Least
		}
	}
	if f.Pattern != nil {
		schema["pattern"] = f.Pattern()
	}
	return schema
}
