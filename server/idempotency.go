package server

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"slices"
	"time"

	"github.com/gin-gonic/gin"

	"catena/chat"
	"catena/internal/access"
	"catena/tools"
)

// Bounds of requests that are no chat messages and carry an Idempotency-Key.
const (
	replyLife    = 24 * time.Hour   // how long a reply is kept for who sends the request again
	maxReplies   = 1000             // of one caller that are kept at a time
	maxReply     = 8 << 20          // bytes of one
	keyedTime    = 10 * time.Minute // for a request that goes on when its client has hung up
	replyTimeout = 10 * time.Second // of one write to the store
)

// How a request with a key ended, as the store has it: it is done, or it may be done by whoever sends it again.
const (
	replyDone  = "done"
	replyAgain = "again"
)

// Replies keep what requests with an Idempotency-Key were answered, each as a run that is one call: *sqlite.Store and
// *redis.Store satisfy it, see their methods.
type Replies interface {
	StartCall(ctx context.Context, owner, run string, request []byte, at, expires time.Time,
		limit int) (started bool, err error)
	ReopenRun(ctx context.Context, owner, run, status string, last uint64) error
	FinishRun(ctx context.Context, run, status string, response []byte, at time.Time) error
	Run(ctx context.Context, owner, run string) (session, status string, request, response []byte, err error)
	ReleaseLease(ctx context.Context, run string) error
}

// keyedCall is one request with a key.
type keyedCall struct {
	owner  string // a name of its own, so that nothing else of the caller's is among its calls
	id     string
	digest string
	rights string
}

// keptRequest is what is kept of a request. Rights are those of who sent it, "" where a version kept it that did not know
// them: a reply holds what they let its reader see.
type keptRequest struct {
	Digest string `json:"digest"`
	Rights string `json:"rights,omitempty"`
}

// keptReply is an answer. One without a status is of a request that broke off, or whose answer was too large to be
// kept.
type keptReply struct {
	Status int    `json:"http_status"`
	Type   string `json:"content_type"`
	Body   []byte `json:"reply"`
}

// once has a handler run once for each Idempotency-Key of a caller: the same request again gets the reply that is kept,
// one under way 409, and another request under the key 422. Without the header it does nothing.
func (s *Core) once(handle gin.HandlerFunc) gin.HandlerFunc {
	return func(c *gin.Context) {
		key := c.GetHeader("Idempotency-Key")
		if key == "" || s.opt.Replies == nil {
			handle(c)
			return
		}
		k, err := s.keyedRequest(c, key)
		if err == nil {
			var before *keptReply
			if before, err = s.beginCall(c.Request.Context(), k); before != nil {
				c.Header("Content-Type", before.Type)
				writeBytes(c, before.Status, before.Body)
				return
			}
		}
		if err != nil {
			s.Fail(c, err)
			return
		}
		s.handleOnce(c, k, handle)
	}
}

// keyedRequest reads the whole of a request, which its handler then reads again.
func (s *Core) keyedRequest(c *gin.Context, key string) (keyedCall, error) {
	if err := chat.CheckKey(key); err != nil {
		return keyedCall{}, err
	}
	body, err := readBody(c)
	if err != nil {
		return keyedCall{}, err
	}
	c.Request.Body = io.NopCloser(bytes.NewReader(body))
	caller := CallerOf(c.Request.Context())
	owner := "keyed:" + caller.ID
	sum := sha256.Sum256([]byte(owner + "\x00" + key))
	return keyedCall{owner: owner, id: tools.DirectRun + base32.StdEncoding.EncodeToString(sum[:])[:26],
		digest: requestDigest(c.Request, body), rights: rightsDigest(caller)}, nil
}

// rightsDigest is the SHA-256 of what a caller may do, in hex: by scopes, and by the roles that policies go by.
func rightsDigest(c access.Caller) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q\n%q", c.Rights.Scopes(), slices.Sorted(slices.Values(c.Roles)))
	return hex.EncodeToString(h.Sum(nil))
}

// requestDigest is the SHA-256 of what a request asks for, in hex. The boundary of a form is left out: clients draw it
// anew each time.
func requestDigest(r *http.Request, body []byte) string {
	media, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil {
		media = ""
	}
	if b := params["boundary"]; b != "" {
		body = bytes.ReplaceAll(body, []byte("--"+b), []byte("--"))
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s %s?%s\n%s\n", r.Method, r.URL.EscapedPath(), r.URL.RawQuery, media)
	h.Write(body)
	return hex.EncodeToString(h.Sum(nil))
}

// beginCall takes a request for this process to handle, or gives the reply that it had before.
func (s *Core) beginCall(ctx context.Context, k keyedCall) (*keptReply, error) {
	raw, err := json.Marshal(keptRequest{k.digest, k.rights})
	if err != nil {
		return nil, err
	}
	if before, known, err := s.before(ctx, k); known || err != nil {
		return before, err
	}
	now := time.Now()
	started, err := s.opt.Replies.StartCall(ctx, k.owner, k.id, raw, now, now.Add(replyLife), maxReplies)
	switch {
	case errors.Is(err, fs.ErrExist): // since we looked
		return nil, keyInFlight()
	case err != nil:
		return nil, fmt.Errorf("a request with a key could not be begun: %w", err)
	case !started:
		return nil, NewProblem(http.StatusTooManyRequests, "too_many_keys",
			fmt.Sprintf("%d replies are kept for you, as many as may be.", maxReplies),
			"Send it without an Idempotency-Key, or later.")
	}
	return nil, nil
}

// before looks for a request that had the key already. known is false where there is none. Without a reply and an error
// the request was put off then, and is this process's to handle now.
func (s *Core) before(ctx context.Context, k keyedCall) (before *keptReply, known bool, err error) {
	_, status, request, response, err := s.opt.Replies.Run(ctx, k.owner, k.id)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	var was keptRequest
	if err == nil {
		err = json.Unmarshal(request, &was)
	}
	if err != nil {
		return nil, true, fmt.Errorf("what an Idempotency-Key was sent with could not be read: %w", err)
	}
	switch {
	case was.Digest != k.digest:
		return nil, true, NewProblem(http.StatusUnprocessableEntity, "idempotency_key_reused",
			"This Idempotency-Key belongs to another request.", "Use a new key for each request.")
	case was.Rights != "" && was.Rights != k.rights:
		return nil, true, NewProblem(http.StatusUnprocessableEntity, "idempotency_key_reused",
			"This Idempotency-Key belongs to a request that was sent with other rights.",
			"Send it with the API key that it was sent with first, or use a new Idempotency-Key.")
	case status == RunRunning:
		return nil, true, keyInFlight()
	case status == replyAgain:
		return nil, true, s.again(ctx, k)
	}
	before = &keptReply{}
	if err := json.Unmarshal(response, before); err != nil || before.Status == 0 {
		return nil, true, NewProblem(http.StatusConflict, "outcome_unknown",
			"The request with this Idempotency-Key was begun, and its reply is not kept: it broke off, or the reply "+
				"was too large. It may have taken effect.",
			"Look whether it did. If not, send it with a new key.")
	}
	return before, true, nil
}

// again takes a request that was put off before.
func (s *Core) again(ctx context.Context, k keyedCall) error {
	err := s.opt.Replies.ReopenRun(ctx, k.owner, k.id, replyAgain, 0)
	switch {
	case errors.Is(err, fs.ErrExist): // another was first
		return keyInFlight()
	case err != nil:
		return fmt.Errorf("a request with a key could not be begun again: %w", err)
	}
	return nil
}

func keyInFlight() error {
	return NewProblem(http.StatusConflict, "idempotency_key_in_flight",
		"The request with this Idempotency-Key is still being answered.", "Send it again in a moment.")
}

// handleOnce runs the handler, which goes on when the client hangs up, and keeps its reply before it is sent.
func (s *Core) handleOnce(c *gin.Context, k keyedCall, handle gin.HandlerFunc) {
	came := c.Request.Context()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(came), keyedTime)
	defer cancel()
	defer context.AfterFunc(came, func() {
		if stopping(came) {
			cancel()
		}
	})()
	plain := c.Writer
	reply := &replyWriter{ResponseWriter: plain, status: http.StatusOK}
	c.Writer, c.Request = reply, c.Request.WithContext(ctx)
	ended := false
	defer func() {
		c.Writer, c.Request = plain, c.Request.WithContext(came)
		if !ended { // the handler broke
			s.keepReply(came, k, replyDone, keptReply{})
		}
	}()
	handle(c)
	status, kept := reply.end(plain.Header().Get("Content-Type"), ctx.Err() != nil)
	if c.GetBool(notDone) {
		status, kept = replyAgain, keptReply{}
	}
	s.keepReply(came, k, status, kept)
	ended = true
	plain.WriteHeader(reply.status)
	_, _ = plain.Write(reply.body.Bytes()) // the client may be gone; the reply is kept
}

// notDone is set in the context of a request that did nothing and may do it later: its reply is not kept.
const notDone = "catena.not_done"

// end is what becomes of a reply: what was refused for now may be done anew; what failed inside, or was cut off, may
// have taken effect.
func (w *replyWriter) end(media string, cut bool) (status string, kept keptReply) {
	switch {
	case w.status == http.StatusTooManyRequests || w.status == http.StatusRequestTimeout:
		return replyAgain, keptReply{}
	case w.status >= http.StatusInternalServerError, cut && w.status >= http.StatusBadRequest, w.body.Len() > maxReply:
		return replyDone, keptReply{}
	}
	return replyDone, keptReply{Status: w.status, Type: media, Body: w.body.Bytes()}
}

// keepReply keeps the end of a request. Where that cannot be, the request is one that broke off.
func (s *Core) keepReply(ctx context.Context, k keyedCall, status string, kept keptReply) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), replyTimeout)
	defer cancel()
	data, err := json.Marshal(kept)
	if err == nil {
		err = s.opt.Replies.FinishRun(ctx, k.id, status, data, time.Now())
	}
	if err != nil {
		err = errors.Join(err, s.opt.Replies.ReleaseLease(ctx, k.id))
		s.log.ErrorContext(ctx, "the reply to a request with an Idempotency-Key could not be kept",
			"error", err.Error())
	}
}

// replyWriter holds an answer back.
type replyWriter struct {
	gin.ResponseWriter
	status int
	body   bytes.Buffer
	wrote  bool
}

// WriteHeader sets the status.
func (w *replyWriter) WriteHeader(status int) { w.status, w.wrote = status, true }

// WriteHeaderNow does nothing: the headers are sent with the reply.
func (w *replyWriter) WriteHeaderNow() {}

// Write takes a part of the body.
func (w *replyWriter) Write(p []byte) (int, error) { w.wrote = true; return w.body.Write(p) }

// WriteString takes a part of the body.
func (w *replyWriter) WriteString(text string) (int, error) {
	w.wrote = true
	return w.body.WriteString(text)
}

// Status is that of the answer so far.
func (w *replyWriter) Status() int { return w.status }

// Size is how much of the body was written.
func (w *replyWriter) Size() int { return w.body.Len() }

// Written reports whether an answer was begun.
func (w *replyWriter) Written() bool { return w.wrote }

// Flush does nothing.
func (w *replyWriter) Flush() {}
