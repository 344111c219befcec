package settings

import (
	"catena/server"
)

// Options are the parts that are changed here. All are required.
type Options struct {
	Models Models
	Tools  Tools
}

type handlers struct {
	*server.Core
	opt Options
}

// Routes are the addresses of what an administrator sets.
func Routes(core *server.Core, opt Options) []server.Route {
	s := &handlers{core, opt}
	return []server.Route{
		{Method: "GET", Path: "/api/v1/settings/model", Needs: server.NeedsAdmin, Tag: "service",
			Summary: "The language model in use, without its key, and which of it can be chosen here",
			Handle:  s.getModel},
		{Method: "POST", Path: "/api/v1/settings/model", Needs: server.NeedsManage, Tag: "service",
			Summary: "Choose the language model, on the server's own machine or over HTTPS; without a key the chosen " +
				"one stays where provider and address do",
			Body: server.Body{Name: "ModelChoice", Of: Choice{}, Fields: choiceFields}, Handle: s.postModel},
		{Method: "DELETE", Path: "/api/v1/settings/model", Needs: server.NeedsManage, Tag: "service",
			Summary: "Forget the model that was chosen, with its key", Handle: s.deleteModel},
		{Method: "GET", Path: "/api/v1/settings/tools", Needs: server.NeedsAdmin, Tag: "service",
			Summary: "The tools and toolsets that are switched off for everybody", Handle: s.getTools},
		{Method: "POST", Path: "/api/v1/settings/tools", Needs: server.NeedsManage, Tag: "service",
			Summary: "Switch a tool or a toolset off or on for everybody, from the next turn on",
			Body:    server.Body{Name: "ToolSwitch", Of: Switch{}, Fields: switchFields}, Handle: s.postTools},
	}
}
