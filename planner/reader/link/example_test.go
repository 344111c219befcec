package link_test

import (
	"context"
	"fmt"

	"catena/planner/reader/link"
	"catena/query/semantic"
	"catena/table"
)

func ExampleScope_Spans() {
	scope := &link.Scope{Model: &semantic.Model{Entities: []semantic.Entity{{
		Table: "orders", Singular: "order", Plural: "orders",
		Fields: []semantic.Field{{Name: "ship_city", Label: "Ship city", Role: semantic.Dimension, Type: table.Text}},
	}}}}
	tokens := link.Tokenize("How many orders since May 2019 per city?")
	for _, s := range scope.Spans(context.Background(), tokens, nil) {
		words := fmt.Sprintf("%s ... %s", tokens[s.From].Text, tokens[s.To-1].Text)
		switch m := s.Meaning.(type) {
		case link.EntityRef:
			fmt.Println(words, "is the table", scope.Entity(m.Table).Table)
		case link.FieldRef:
			fmt.Println(words, "is the column", scope.Field(m).Name)
		case link.PeriodRef:
			fmt.Println(words, "is the period from", m.From.Format("2006-01-02"))
		}
	}
	// Output:
	// orders ... orders is the table orders
	// since ... 2019 is the period from 2019-05-01
	// May ... 2019 is the period from 2019-05-01
	// 2019 ... 2019 is the period from 2019-01-01
	// city ... city is the column ship_city
}
