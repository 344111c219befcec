package server

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"

	"catena/internal/access"
	"catena/tools"
)

// RefusedOf is the refusal of the chokepoint in an error, nil where there is none.
func RefusedOf(err error) *tools.RefusedError {
	var refused *tools.RefusedError
	if errors.As(err, &refused) && errors.Is(refused, access.ErrForbidden) {
		return refused
	}
	return nil
}

// RefusedProblem words a refusal for its caller: what it was about, and which scope would cover it.
func RefusedProblem(refused *tools.RefusedError) *Problem {
	scope := refused.What.Scope()
	hint := "Ask whoever runs the server for a key or a role with the scope " + scope
	if !refused.What.ReadOnly && scope != access.Chat {
		hint += ", and without read-only"
	}
	return NewProblem(http.StatusForbidden, "not_permitted",
		fmt.Sprintf("%s is not permitted to you: your key's scopes and roles do not cover it.",
			Clip(refused.What.Name, 200)),
		hint+"; GET /api/v1/tools lists the tools that yours may call.")
}

// Insufficient is the WWW-Authenticate field of a request whose caller lacks a scope (RFC 6750, 3.1; MCP,
// Authorization, Scope Challenge Handling): clients that get tokens by OAuth ask for one with more.
func (s *Core) Insufficient(c *gin.Context, scope string) {
	c.Header("WWW-Authenticate", challenge("insufficient_scope", "The key's scopes do not cover this.",
		`, scope="`+scope+`"`+s.whereFrom(c)))
}
