package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gin-gonic/gin"
	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"catena/planner/plan"
	"catena/server"
)

// codeNoSession is the code that servers answer an unknown session with, beside 404; the protocol names the status
// only.
const codeNoSession = -32001

// codeTooMany is JSON-RPC's code here for a caller who sends too much; -32000 to -32099 are a server's own.
const codeTooMany = -32029

// maxRPCID bounds the id of a message, in characters.
const maxRPCID = 512

// longID reports whether an id is too long to be answered with.
func longID(id json.RawMessage) bool {
	var text string
	if len(id) <= maxRPCID || json.Unmarshal(id, &text) != nil {
		return len(id) > maxRPCID
	}
	return utf8.RuneCountInString(text) > maxRPCID
}

// envelope is a message of JSON-RPC as far as the front looks at it.
type envelope struct {
	JSONRPC *json.RawMessage `json:"jsonrpc"`
	ID      json.RawMessage  `json:"id"`
	Method  json.RawMessage  `json:"method"`
	Result  json.RawMessage  `json:"result"`
	Error   json.RawMessage  `json:"error"`
	Message *json.RawMessage `json:"message"` // a chat message that was posted to MCP's address
	Params  struct {
		Meta           json.RawMessage `json:"_meta"`
		Name           json.RawMessage `json:"name"`
		Arguments      json.RawMessage `json:"arguments"`
		Task           json.RawMessage `json:"task"`
		InputResponses json.RawMessage `json:"inputResponses"`
		RequestState   json.RawMessage `json:"requestState"`
		RequestID      json.RawMessage `json:"requestId"` // of what is cancelled
		URI            json.RawMessage `json:"uri"`
	} `json:"params"`
	version json.RawMessage // of the protocol, by _meta
}

// rpcOf makes what is wrong with a body an error of JSON-RPC.
func rpcOf(cause error) *rpcError {
	var wrong *rpcError
	if errors.As(cause, &wrong) {
		return wrong
	}
	p := server.ProblemOf(cause)
	code := mcp.INVALID_REQUEST
	if p.Code == "malformed_json" || p.Code == "invalid_utf8" || p.Code == "empty_body" {
		code = mcp.PARSE_ERROR
	}
	return &rpcError{code: code, text: p.Detail, data: map[string]any{"code": p.Code}}
}

// check says what is wrong with a message whatever its method is, nil when nothing is.
func (e *envelope) check() *rpcError {
	bad := func(text string) *rpcError { return &rpcError{code: mcp.INVALID_REQUEST, text: text} }
	switch {
	case e.JSONRPC == nil || string(*e.JSONRPC) != `"2.0"`:
		return bad(`A message has "jsonrpc": "2.0".`)
	case len(e.ID) > 0 && strings.IndexByte(`"-0123456789`, e.ID[0]) < 0:
		return bad("An id is a text or a number.")
	case longID(e.ID): // the answer has it again
		return bad(fmt.Sprintf("An id has %d characters at most.", maxRPCID))
	case len(e.Method) > 0 && e.Method[0] != '"':
		return bad("A method is a text.")
	case len(e.Method) > 0 && len(e.Result)+len(e.Error) > 0:
		return bad("A message has a method, or it is an answer: result and error do not go with a method.")
	case len(e.Method) == 0 && (len(e.Result) > 0) == (len(e.Error) > 0):
		return bad("A message has a method, or it is an answer with an id and either a result or an error.")
	}
	return nil
}

// modern reports whether the message says that it is of a protocol without sessions.
func (e *envelope) modern() bool {
	var version string
	return json.Unmarshal(e.version, &version) == nil && mcp.IsModernProtocol(version)
}

// method is the method's name, "" for an answer.
func (e *envelope) method() mcp.MCPMethod {
	var name mcp.MCPMethod
	_ = json.Unmarshal(e.Method, &name) // check has seen that it is a text, or not there
	return name
}

// readEnvelope reads a body that holds one message.
func readEnvelope(body []byte) (*envelope, *rpcError) {
	var e envelope
	if !bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) {
		return &e, &rpcError{code: mcp.INVALID_REQUEST, text: "A message is one JSON object; batches are not taken."}
	}
	_ = json.Unmarshal(body, &e) // JSON it is; where params are of another kind, their method refuses them
	if len(e.Params.Meta) > 0 {
		// by its very name: a field of a struct would take IO.modelcontextprotocol/..., too
		var meta map[string]json.RawMessage
		if json.Unmarshal(e.Params.Meta, &meta) == nil {
			e.version = meta["io.modelcontextprotocol/protocolVersion"]
		}
	}
	return &e, nil
}

// refuseInitialize is asked before mcp-go takes a request, and refuses an initialize that says nothing of its client:
// mcp-go would choose for it.
func refuseInitialize(ctx context.Context, id, message any) error {
	raw, _ := message.(json.RawMessage)
	to := lineOf(ctx)
	if to == nil || !bytes.Contains(raw, []byte(`"initialize"`)) {
		return nil
	}
	var r struct {
		Method mcp.MCPMethod `json:"method"`
		Params struct {
			Version      *string                     `json:"protocolVersion"`
			Capabilities *map[string]json.RawMessage `json:"capabilities"`
			Client       *struct {
				Name    *string `json:"name"`
				Version *string `json:"version"`
			} `json:"clientInfo"`
			Meta map[string]json.RawMessage `json:"_meta"`
		} `json:"params"`
	}
	// what is of another kind counts as missing
	_ = json.Unmarshal(raw, &r)
	if _, later := r.Params.Meta[mcp.MetaKeyProtocolVersion]; r.Method != mcp.MethodInitialize || later {
		// 2026-07-28 knows no such method
		return nil
	}
	var missing []string
	for name, there := range map[string]bool{"protocolVersion": r.Params.Version != nil,
		"capabilities": r.Params.Capabilities != nil,
		"clientInfo":   r.Params.Client != nil && r.Params.Client.Name != nil && r.Params.Client.Version != nil} {
		if !there {
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	slices.Sort(missing)
	cause := &rpcError{code: mcp.INVALID_PARAMS,
		text: "initialize is missing " + strings.Join(missing, ", ") +
			`. Send {"protocolVersion", "capabilities", "clientInfo": {"name", "version"}}.`}
	to.refuse(id, cause)
	return cause
}

// spoken reports whether the version in a request's header is one that is spoken here, and refuses the request where it
// is not. Requests without one are of 2025-03-26 or older; versions from 2026-07-28 on mcp-go compares with the one in
// the message.
func (m *Server) spoken(c *gin.Context, id json.RawMessage) bool {
	version := c.GetHeader(mcp.HeaderProtocolVersion)
	if version == "" || mcp.IsValidProtocolVersion(version) || mcp.IsModernProtocol(version) {
		return true
	}
	supported := slices.Clone(mcp.ValidProtocolVersions)
	refuseRPC(c, http.StatusBadRequest, id, &rpcError{code: mcp.UNSUPPORTED_PROTOCOL_VERSION,
		text: fmt.Sprintf("The protocol version %q is not spoken here. Send one of %s.", server.Clip(version, 40),
			strings.Join(supported, ", ")),
		data: mcp.UnsupportedProtocolVersionData{Supported: supported, Requested: server.Clip(version, 40)}})
	return false
}

// Errors are the errors at MCP's addresses: requests that come too fast are refused in JSON-RPC.
func Errors() server.ErrorShape {
	return server.ErrorShape{
		Name: "RPCError",
		Schema: map[string]any{"type": "object", "required": []string{"jsonrpc", "error"},
			"properties": map[string]any{"error": map[string]any{"type": "object"}}},
		Owns: func(path string) bool { return path == "/mcp" || path == "/message" },
		Write: func(c *gin.Context, p server.Problem) bool {
			if p.Status != http.StatusTooManyRequests || c.Request.Method != http.MethodPost {
				return false
			}
			refuseRPC(c, p.Status, nil, &rpcError{code: codeTooMany, text: p.Detail + " " + p.Hint,
				data: map[string]any{"code": p.Code, "retry_after": c.Writer.Header().Get("Retry-After")}})
			return true
		},
	}
}

// refuseRPC answers with an error of JSON-RPC and a status of HTTP.
func refuseRPC(c *gin.Context, status int, id json.RawMessage, cause *rpcError) {
	if idKey(id) == "" || longID(id) {
		id = json.RawMessage("null")
	}
	fault := map[string]any{"code": cause.code, "message": plan.Bounded(cause.text, plan.LongestError)}
	if cause.data != nil {
		fault["data"] = cause.data
	}
	server.WriteJSON(c, status, map[string]any{"jsonrpc": mcp.JSONRPC_VERSION, "id": id, "error": fault})
}

// refuseBody answers a body that could not be taken for a message.
func (m *Server) refuseBody(c *gin.Context, body []byte, err error) {
	p := server.ProblemOf(err)
	if p.Status != http.StatusBadRequest && p.Status != http.StatusRequestEntityTooLarge {
		m.core.Fail(c, err)
		return
	}
	bad := rpcOf(err)
	if p.Hint != "" && p.Status == http.StatusRequestEntityTooLarge {
		bad.text += " " + p.Hint
	}
	refuseRPC(c, p.Status, headOf(body).ID, bad)
}

// session looks up the session of a request of a protocol that has them. It answers where there is none, and reports
// whether there is one.
func (m *Server) session(c *gin.Context, id json.RawMessage) bool {
	name := c.GetHeader(mcp.HeaderSessionID)
	if name == "" {
		refuseRPC(c, http.StatusBadRequest, id,
			&rpcError{code: mcp.INVALID_REQUEST,
				text: "The header Mcp-Session-Id is missing. Send the one that initialize was answered with."})
		return false
	}
	if _, err := m.ids.of(c.Request).Validate(name); err != nil {
		refuseRPC(c, http.StatusNotFound, id,
			&rpcError{code: codeNoSession, text: "There is no such session any more. Start a new one with initialize."})
		return false
	}
	return true
}

// boundSessions are the sessions as one caller sees them: another's session is like none.
type boundSessions struct {
	*sessionIDs
	caller string
}

// as are the sessions of a caller.
func (m *sessionIDs) as(caller string) boundSessions { return boundSessions{m, caller} }

// of are the sessions of who sent a request; of nil, which mcp-go asks for outside of one, those of nobody.
func (m *sessionIDs) of(r *http.Request) boundSessions {
	if r == nil {
		return m.as("")
	}
	return m.as(server.CallerOf(r.Context()).ID)
}

// ResolveSessionIdManager implements mcp-go's SessionIdManagerResolver.
func (m *sessionIDs) ResolveSessionIdManager(r *http.Request) mcpserver.SessionIdManager {
	return m.of(r)
}
