package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// methodTask tells how a task stands.
const methodTask = "notifications/tasks"

// taskURIPrefix and the id are how subscriptions know a task. No resource has such a URI.
const taskURIPrefix = "task:"

// taskChanged tells who has asked to hear of a task.
func (m *Server) taskChanged(owner, id string) { m.subs.changed(owner, taskURIPrefix+id) }

// subscribed is told of the first who subscribes to something, and when there is nobody any more.
func (m *Server) subscribed(uri string, on bool) {
	if id, ok := strings.CutPrefix(uri, taskURIPrefix); ok && m.tasks != nil {
		m.tasks.follow(id, on)
		return
	}
	m.opt.Tools.Subscribed(uri, on)
}

// listened is a subscriptions/listen request that names tasks, which mcp-go does not read.
type listened struct {
	to line
	id string
}

// wantTasks takes the tasks of a subscriptions/listen request, for listen, or says why it may not name any.
func (m *Server) wantTasks(ctx context.Context, to line, id any, meta *mcp.Meta, tasks []string) *rpcError {
	if len(tasks) == 0 || m.tasks == nil || !mcp.IsModernProtocol(meta.ProtocolVersion()) {
		return nil
	}
	caps := meta.ClientCapabilities()
	if caps == nil {
		return nil // mcp-go refuses it
	}
	if _, ok := caps.Extensions[tasksExtension]; !ok {
		return needsTasks("Hearing of tasks")
	}
	key := listened{to, fmt.Sprint(id)}
	m.wanted.Store(key, tasks)
	context.AfterFunc(ctx, func() { m.wanted.Delete(key) })
	return nil
}

// listenTasks gives the tasks that a subscriptions/listen request named and that are its caller's, as URIs.
func (m *Server) listenTasks(ctx context.Context, to line, id any) (uris []string) {
	want, ok := m.wanted.LoadAndDelete(listened{to, fmt.Sprint(id)})
	if !ok {
		return nil
	}
	for _, task := range want.([]string) {
		if len(uris) == maxSubscriptions || ctx.Err() != nil {
			break
		}
		if _, err := m.visibleTask(ctx, task); err == nil {
			uris = append(uris, taskURIPrefix+task)
		}
	}
	return uris
}

// taskMessage is the notification of a task's state, nil for one that is gone.
func (m *Server) taskMessage(owner, id string, tag any) []byte {
	ctx, cancel := context.WithTimeout(context.Background(), taskLogTimeout)
	defer cancel()
	v, err := m.tasks.find(ctx, owner, id)
	if err != nil {
		return nil
	}
	params := v.wire(true)
	params["_meta"] = map[string]any{mcp.MetaKeySubscriptionID: tag}
	message, err := notification(methodTask, params)
	if err != nil {
		return nil // not for what came out of JSON
	}
	return message
}

// acknowledgedTasks puts the tasks of an acknowledgement, which mcp-go takes for resources, where the extension has
// them.
func acknowledgedTasks(b []byte) []byte {
	from, to := bytes.IndexByte(b, '{'), bytes.LastIndexByte(b, '}')
	if from < 0 || to < from || !bytes.Contains(b, []byte(mcp.MethodNotificationSubscriptionsAcknowledged)) {
		return b
	}
	var message struct {
		JSONRPC string `json:"jsonrpc"`
		Method  string `json:"method"`
		Params  struct {
			Meta          json.RawMessage `json:"_meta"`
			Notifications map[string]any  `json:"notifications"`
		} `json:"params"`
	}
	if json.Unmarshal(b[from:to+1], &message) != nil ||
		message.Method != mcp.MethodNotificationSubscriptionsAcknowledged {
		return b
	}
	list, _ := message.Params.Notifications["resourceSubscriptions"].([]any)
	uris, tasks := []any{}, []string{}
	for _, item := range list {
		if id, ok := strings.CutPrefix(fmt.Sprint(item), taskURIPrefix); ok {
			tasks = append(tasks, id)
		} else {
			uris = append(uris, item)
		}
	}
	if len(tasks) == 0 {
		return b
	}
	if message.Params.Notifications["taskIds"] = tasks; len(uris) > 0 {
		message.Params.Notifications["resourceSubscriptions"] = uris
	} else {
		delete(message.Params.Notifications, "resourceSubscriptions")
	}
	out, err := json.Marshal(message)
	if err != nil {
		return b
	}
	return slices.Concat(b[:from], out, b[to+1:])
}

// follow has changes be looked for of a task that somebody wants to hear of: it may be under way at another process. It
// does not block.
func (t *Tasks) follow(id string, on bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case !on:
		delete(t.followed, id)
		return
	case t.closed:
		return
	}
	t.followed[id] = taskEnd{}
	if !t.following {
		t.following = true
		go t.followAll()
	}
}

// followAll looks at the tasks that are followed, until there are none.
func (t *Tasks) followAll() {
	tick := time.NewTicker(taskPoll)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-t.ending:
			return
		}
		t.mu.Lock()
		if len(t.followed) == 0 {
			t.following = false
			t.mu.Unlock()
			return
		}
		ids := slices.Collect(maps.Keys(t.followed))
		ids = slices.DeleteFunc(ids, func(id string) bool { return t.live[id] != nil })
		t.mu.Unlock()
		for _, id := range ids {
			t.look(id)
		}
	}
}

// look tells of a task that another process has changed, and follows it no more once it has ended.
func (t *Tasks) look(id string) {
	ctx, cancel := context.WithTimeout(context.Background(), taskLogTimeout)
	defer cancel()
	owner, _, _, err := t.log.Accepted(ctx, id)
	var v view
	if err == nil {
		v, err = t.find(ctx, owner, id)
	}
	if err != nil {
		return // it is gone, or the next look finds it
	}
	t.mu.Lock()
	was, there := t.followed[id]
	switch v.end.Status {
	case taskCompleted, taskFailed, taskCancelled:
		delete(t.followed, id)
	default:
		if there {
			t.followed[id] = v.end
		}
	}
	t.mu.Unlock()
	if there && (was.storedStatus() != v.end.storedStatus() || !was.At.Equal(v.end.At)) {
		t.changed(owner, id)
	}
}
