package upstream

import (
	"bytes"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"
)

// under is the definition as its server wrote it, in one line and under another name; nil when that cannot be made.
// What stands there twice stands there once, and what is null is left out: clients take neither in a tool, and one that
// they do not take costs them the whole list. In the schemas nothing is touched.
func (t *remoteTool) under(name string) json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(t.raw, &fields) != nil {
		return nil // listTools has read it before
	}
	for key, value := range fields {
		switch key {
		case "annotations", "icons", "execution":
			value = full(value)
		}
		if key == "execution" {
			value = withoutTasks(value)
		}
		if fields[key] = value; string(value) == "null" {
			delete(fields, key)
		}
	}
	quoted, err := json.Marshal(name)
	if err != nil {
		return nil
	}
	fields["name"] = quoted
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(fields) != nil {
		return nil
	}
	return bytes.TrimSpace(b.Bytes())
}

// withoutTasks is a tool's execution without an offer or a demand of tasks: its tasks are awaited here, and our clients
// call it like any other. That it forbids them is true here too, and stays.
func withoutTasks(execution json.RawMessage) json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(execution, &fields) != nil || fields["taskSupport"] == nil {
		return execution
	}
	var support mcp.TaskSupport
	if json.Unmarshal(fields["taskSupport"], &support) == nil && support == mcp.TaskSupportForbidden {
		return execution
	}
	delete(fields, "taskSupport")
	out, err := json.Marshal(fields)
	if err != nil || len(fields) == 0 {
		return json.RawMessage("null")
	}
	return out
}

// full leaves out the members of objects that are null.
func full(raw json.RawMessage) json.RawMessage {
	if !bytes.Contains(raw, []byte("null")) {
		return raw
	}
	var v any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return raw
	}
	out, err := json.Marshal(pruned(v))
	if err != nil {
		return raw
	}
	return out
}

func pruned(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			if v[key] = pruned(value); value == nil {
				delete(v, key)
			}
		}
	case []any:
		for i := range v {
			v[i] = pruned(v[i])
		}
	}
	return v
}
