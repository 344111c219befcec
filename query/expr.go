package query

import "catena/table"

// Expr is an expression: Column, Literal, Call, Case, Cast, or a subquery (Scalar, Exists, In).
// Null in an operand gives null unless the function is for nulls; conditions have three values, as in SQL.
type Expr interface{ expr() }

// Column is the value of a column of the relation that the stage sees.
type Column struct {
	Name string `json:"col"`
	// Out is how many queries further out the relation is: 0 is the one that the expression stands in, 1 the one
	// around the subquery that it stands in.
	Out int `json:"out,omitempty"`
}

// Literal is a constant.
type Literal struct {
	Value table.Value `json:"lit"`
}

// Call is a function or operator of Functions().
type Call struct {
	Func string `json:"call"`
	Args []Expr `json:"args,omitempty"`
}

// Case is the value of the first branch whose condition is true, else Else; null where Else is nil.
type Case struct {
	Branches []Branch `json:"case"`
	Else     Expr     `json:"else,omitempty"`
}

// Branch is one branch of a Case.
type Branch struct {
	When Expr `json:"when"`
	Then Expr `json:"then"`
}

// Cast is a value as another type. What does not fit is null, unless Strict, where it is an error.
type Cast struct {
	Expr   Expr       `json:"cast"`
	Type   table.Type `json:"type"`
	Scale  int32      `json:"scale,omitempty"` // of Decimal; -1 keeps the digits there are
	Strict bool       `json:"strict,omitempty"`
}

// Scalar is the one value of a query of one column: null where it has no row, an error where it has several.
type Scalar struct {
	Query Query `json:"scalar"`
}

// Exists is true where the query has a row.
type Exists struct {
	Query Query `json:"exists"`
}

// In is true where a value is among those of a query of one column; null where it is not and a null is. For lists of
// values there is the function in.
type In struct {
	Expr  Expr  `json:"in"`
	Query Query `json:"query"`
}

func (Column) expr()  {}
func (Literal) expr() {}
func (Call) expr()    {}
func (Case) expr()    {}
func (Cast) expr()    {}
func (Scalar) expr()  {}
func (Exists) expr()  {}
func (In) expr()      {}

// Col is a column of the relation that the stage sees.
func Col(name string) Expr { return Column{Name: name} }

// Lit is a constant.
func Lit(v table.Value) Expr { return Literal{Value: v} }

// Do is a call of a function.
func Do(name string, args ...Expr) Expr { return Call{Func: name, Args: args} }
