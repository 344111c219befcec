package server

import "github.com/gin-gonic/gin"

// ErrorShape is how a protocol that others have made writes errors at its addresses, as JSON. Everywhere else they are problems (RFC 9457).
type ErrorShape struct {
	Name   string                               // of the component that describes it in /openapi.json
	Schema map[string]any                       // that component
	Owns   func(path string) bool               // which addresses are the protocol's
	Only   bool                                 // no error there is written as a problem
	Write  func(c *gin.Context, p Problem) bool // answers with a problem in this shape; false leaves it to be written as what it is
}

// errorsAt is the shape of a protocol's own errors at a path, and whether there is one.
func (s *Core) errorsAt(path string) (ErrorShape, bool) {
	for _, shape := range s.errors {
		if shape.Owns(path) {
			return shape, true
		}
	}
	return ErrorShape{}, false
}
