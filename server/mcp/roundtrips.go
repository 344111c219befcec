package mcp

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/tools"
)

// stateLife is how long a client may take to come back with answers.
const stateLife = time.Hour

// trip is a call that may ask: the state that its client keeps is for this call of this caller only.
type trip struct {
	Kind   string `json:"k"` // tool or prompt
	Name   string `json:"n"`
	Caller string `json:"c"`
	Args   string `json:"a"` // their hash
}

// kept is a state as a client keeps it.
type kept struct {
	trip
	State string `json:"s"`
	Until int64  `json:"u"` // Unix time
}

func newTrip(kind, name, caller string, args map[string]any) (trip, error) {
	hash, err := tools.ArgsHash(args)
	return trip{kind, name, caller, hash}, err
}

// outgoing are the questions of a call, with its state signed: a client may look at it, but not change it.
func (m *Server) outgoing(of func() (trip, error), needs *tools.Needs) (*mcp.MultiRoundTripResult, error) {
	out := &mcp.MultiRoundTripResult{InputRequests: needs.Requests}
	if needs.State == "" {
		return out, nil
	}
	call, err := of()
	if err != nil {
		return nil, err
	}
	b, err := json.Marshal(kept{call, needs.State, time.Now().Add(stateLife).Unix()})
	if err != nil {
		return nil, err
	}
	out.RequestState = m.signed(b)
	return out, nil
}

// continued is what a client came back with. A state that is not as it was given, is too old, or is another call's, is
// refused.
func (m *Server) continued(of func() (trip, error), in mcp.MultiRoundTripParams) (mcp.InputResponses, string, error) {
	if err := checkAnswers(in.InputResponses); err != nil || in.RequestState == "" {
		return in.InputResponses, "", err
	}
	call, err := of()
	if err != nil {
		return nil, "", err
	}
	bad := &rpcError{code: mcp.INVALID_PARAMS,
		text: "requestState is not as this server gave it for this call, or is too old. Call again without it."}
	body, _, _ := strings.Cut(in.RequestState, ".")
	b, err := base64.RawURLEncoding.DecodeString(body)
	var was kept
	if err != nil || !hmac.Equal([]byte(m.signed(b)), []byte(in.RequestState)) || json.Unmarshal(b, &was) != nil ||
		was.trip != call || time.Now().Unix() > was.Until {
		return nil, "", bad
	}
	return in.InputResponses, was.State, nil
}

// signed is the one text that stands for a state. What comes back is compared with it, and not what it decodes to:
// decoders pass over line breaks, and over bits of the last character.
func (m *Server) signed(b []byte) string {
	mac := hmac.New(sha256.New, m.key)
	mac.Write(b)
	return base64.RawURLEncoding.EncodeToString(b) + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}
