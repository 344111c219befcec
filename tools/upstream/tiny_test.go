package upstream

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// TestMain makes the test binary an MCP server when it is asked to be one.
func TestMain(m *testing.M) {
	if mode := os.Getenv("CATENA_TEST_SERVER"); mode != "" {
		serve(mode)
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// trickySchema holds keywords that a decoding into a struct would drop.
const trickySchema = `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","allOf":[{"required":["n"]}],"if":{"properties":{"n":{"const":1}}},"then":{"properties":{"m":{"type":"string"}}},"properties":{"n":{"type":"integer"},"m":{}},"x-order":["n","m"]}`

// serve speaks just enough MCP, one line at a time.
func serve(mode string) {
	if mark := os.Getenv("MARK"); mark != "" {
		_ = os.WriteFile(mark, nil, 0o600)
	}
	if mode == "mute" {
		time.Sleep(time.Minute)
		return
	}
	if mode == "half" {
		fmt.Print(strings.Repeat("x", 4<<20))
		time.Sleep(time.Minute)
		return
	}
	if mode == "dies" {
		fmt.Fprintln(os.Stderr, "cannot go on")
		os.Exit(3)
	}
	if mode == "child" {
		child := exec.Command("sleep", "60")
		child.Stdout = os.Stdout
		_ = child.Start()
		fmt.Fprintf(os.Stderr, "child %d\n", child.Process.Pid)
	}
	if mode == "tasks" {
		serveTasks()
		return
	}
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		var req struct {
			ID     any            `json:"id"`
			Method string         `json:"method"`
			Params map[string]any `json:"params"`
		}
		d := json.NewDecoder(strings.NewReader(line))
		d.UseNumber()
		if d.Decode(&req) != nil || req.ID == nil {
			continue
		}
		answer(mode, req.ID, req.Method, req.Params)
	}
}

func say(v any) {
	b, _ := json.Marshal(v)
	fmt.Println(string(b))
}

func answer(mode string, id any, method string, params map[string]any) {
	reply := func(result string) { fmt.Printf(`{"jsonrpc":"2.0","id":%v,"result":%s}`+"\n", id, result) }
	switch method {
	case "initialize":
		reply(`{"protocolVersion":"2025-06-18","capabilities":{"tools":{},"prompts":{},"completions":{},"resources":{"subscribe":` + fmt.Sprint(mode != "unwatched") + `}},"serverInfo":{"name":"tiny","version":"1"}}`)
	case "tools/list":
		asked++
		if mode == "file" {
			b, _ := os.ReadFile(os.Getenv("LIST"))
			reply(`{"tools":[` + string(b) + `]}`)
			return
		}
		if mode == "circle" {
			reply(`{"tools":[],"nextCursor":"again"}`)
			return
		}
		if params["cursor"] == nil {
			reply(`{"tools":[{"name":"tricky","title":"Tricky","description":"d","inputSchema":` + trickySchema + `,"annotations":{"readOnlyHint":true}}],"nextCursor":"2"}`)
			return
		}
		var list []string
		for _, name := range []string{"rows", "text_rows", "picture", "fail", "refuse", "slow", "die", "huge", "env", "odd name!", "progress", "flood", "deep", "pid", "links", "touch", "hush", "restless", "asked", "meta"} {
			list = append(list, fmt.Sprintf(`{"name":%q,"inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}`, name))
		}
		if restless {
			list = append(list, `{"name":"late","inputSchema":{"type":"object"}}`)
		}
		reply(`{"tools":[` + strings.Join(append(list, `{"name":"broken","inputSchema":{"type":"nonsense"}}`), ",") + `]}`)
	case "tools/call":
		call(reply, id, params)
	default:
		readable(reply, id, method, params)
	}
}

// What a test server remembers.
var (
	asked      int // for its tools
	restless   bool
	subscribed = map[string]bool{}
	tried      = map[string]bool{}
)

func readable(reply func(string), id any, method string, params map[string]any) {
	switch uri, _ := params["uri"].(string); method {
	case "ping", "resources/subscribe", "resources/unsubscribe":
		if method == "resources/subscribe" && os.Getenv("CATENA_TEST_SERVER") == "later" && !tried[uri] {
			tried[uri] = true
			time.Sleep(20 * time.Millisecond)
			fmt.Printf(`{"jsonrpc":"2.0","id":%v}`+"\n", id) // neither a result nor a refusal
			return
		}
		if subscribed[uri] = method == "resources/subscribe"; !subscribed[uri] {
			delete(subscribed, uri)
		}
		reply(`{}`)
	case "prompts/list":
		reply(`{"prompts":[{"name":"greet","arguments":[{"name":"who","required":true}]}]}`)
	case "prompts/get":
		who := params["arguments"].(map[string]any)["who"]
		reply(fmt.Sprintf(`{"messages":[{"role":"user","content":{"type":"text","text":"Hello %v"}},{"role":"user","content":{"type":"resource","resource":{"uri":"note://one","text":"one"}}}]}`, who))
	case "resources/list":
		reply(`{"resources":[{"uri":"note://one","name":"one"}]}`)
	case "resources/templates/list":
		reply(`{"resourceTemplates":[{"uriTemplate":"note://by/{n}","name":"by"}]}`)
	case "resources/read":
		name := uri[strings.LastIndexByte(uri, '/')+1:]
		if name == "none" {
			say(map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": -32002, "message": "no such note"}})
			return
		}
		reply(fmt.Sprintf(`{"contents":[{"uri":%q,"mimeType":"text/plain","text":%q}]}`, uri, name))
	case "completion/complete":
		reply(`{"completion":{"values":["ann","amy"],"total":7,"hasMore":true}}`)
	}
}

func call(reply func(string), id any, params map[string]any) {
	switch params["name"] {
	case "tricky":
		b, _ := json.Marshal(params["arguments"])
		reply(fmt.Sprintf(`{"content":[{"type":"text","text":"got it"}],"structuredContent":{"args":%s}}`, b))
	case "rows":
		reply(`{"content":[{"type":"text","text":"two rows"}],"structuredContent":{"items":[{"z":1,"a":"01"},{"z":2.50,"a":"02"}]}}`)
	case "text_rows":
		reply(`{"content":[{"type":"text","text":"[{\"id\":9007199254740993}]"}]}`)
	case "picture":
		reply(`{"content":[{"type":"image","mimeType":"image/png","data":"` + base64.StdEncoding.EncodeToString([]byte("\x89PNG\r\n\x1a\n")) + `"}]}`)
	case "fail":
		reply(`{"isError":true,"content":[{"type":"text","text":"no such file"}]}`)
	case "refuse":
		say(map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": -32602, "message": "bad params"}})
	case "slow":
		time.Sleep(time.Hour) // longer than any test waits
	case "hush":
		_ = os.Stdout.Close()
		time.Sleep(time.Hour)
	case "die":
		os.Exit(4)
	case "huge":
		fmt.Print(strings.Repeat("x", maxMessage+10))
	case "env":
		b, _ := json.Marshal(os.Environ())
		reply(`{"content":[],"structuredContent":{"env":` + string(b) + `}}`)
	case "deep":
		reply(`{"content":[{"type":"text","text":"deep"}],"structuredContent":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}`)
	case "flood":
		meta, _ := params["_meta"].(map[string]any)
		for i := range floodOf {
			say(map[string]any{"jsonrpc": "2.0", "method": "notifications/progress", "params": map[string]any{"progressToken": meta["progressToken"], "progress": i}})
		}
		reply(`{"content":[{"type":"text","text":"done"}]}`)
	case "pid":
		reply(fmt.Sprintf(`{"content":[{"type":"text","text":"%d"}]}`, os.Getpid()))
	case "links":
		reply(`{"content":[{"type":"resource_link","uri":"note://one","name":"one"},{"type":"resource_link","uri":"https://h/x","name":"web"}]}`)
	case "touch":
		for uri := range subscribed {
			say(map[string]any{"jsonrpc": "2.0", "method": "notifications/resources/updated", "params": map[string]any{"uri": uri}})
		}
		reply(fmt.Sprintf(`{"content":[{"type":"text","text":"%d"}]}`, len(subscribed)))
	case "restless":
		restless = true
		for range 1000 {
			say(map[string]any{"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
		}
		reply(`{"content":[{"type":"text","text":"done"}]}`)
	case "asked":
		reply(fmt.Sprintf(`{"content":[{"type":"text","text":"%d"}]}`, asked/2)) // two pages each time
	case "meta":
		meta, _ := json.Marshal(params["_meta"])
		reply(`{"content":[{"type":"text","text":` + strconv.Quote(string(meta)) + `}]}`)
	case "progress":
		meta, _ := params["_meta"].(map[string]any)
		say(map[string]any{"jsonrpc": "2.0", "method": "notifications/progress", "params": map[string]any{"progressToken": meta["progressToken"], "progress": 1, "total": 2, "message": "half"}})
		reply(`{"content":[{"type":"text","text":"done"}]}`)
	}
}
