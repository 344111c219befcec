package mcp

import (
	"context"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
)

// iconsSince is the first protocol that has icons.
const iconsSince = mcp.ProtocolVersion20251125

// iconsOf are the icons of our toolsets: drawings of 12 by 12 by their paths. They go into every list of tools, so they
// are small.
var iconsOf = map[string][]mcp.Icon{
	// a speech bubble
	"core": drawing("M2 2.5h8V8H5l-3 2.5z"),
	// a table
	"data": drawing("M2 2.5h8v7H2zM2 5h8M5 2.5v7"),
	// a person
	"crm": drawing("M6 5.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM2 10.5a4 4 0 0 1 8 0"),
	// a bookmark
	"memory": drawing("M3 1.5h6v9L6 8l-3 2.5z"),
	// two who are connected
	"persona": drawing("M3 4a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zm6 7a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM4 3.5l4 5"),
	"code":    drawing("M4 3L1 6l3 3M8 3l3 3-3 3"), // brackets
}

// ownIcon is the server's: two links of a chain, as on the page.
var ownIcon = drawing("M3.3 3.8h1.2a2.2 2.2 0 0 1 0 4.4H3.3a2.2 2.2 0 0 1 0-4.4zm4.2 0h1.2a2.2 2.2 0 0 1 0 " +
	"4.4H7.5a2.2 2.2 0 0 1 0-4.4z")

// drawing is a picture of lines, in a colour that is seen on light and dark. In a path a comma is as good as a space,
// and shorter in a URI.
func drawing(path string) []mcp.Icon {
	return []mcp.Icon{{MIMEType: "image/svg+xml",
		Src: "data:image/svg+xml," + strings.NewReplacer(" ", "%20", "<", "%3C", ">", "%3E", "#", "%23").Replace(
			"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0,0,12,12' fill='none' stroke='#298'><path d='"+
				strings.ReplaceAll(path, " ", ",")+"'/></svg>")}}
}

// showsIcons reports whether the protocol of a request has icons.
func showsIcons(ctx context.Context) bool {
	return mcpserver.IsModernRequest(ctx) || mcpserver.RequestProtocolVersion(ctx) >= iconsSince // versions are dates
}

// withIcon gives a tool of ours the icon of its toolset. What has icons of its own, as another server's tool may, keeps
// them.
func withIcon(ctx context.Context, toolset string, def mcp.Tool) mcp.Tool {
	if icons := iconsOf[toolset]; icons != nil && def.Icons == nil && showsIcons(ctx) {
		def.Icons = icons
	}
	return def
}

// showIcon puts our icon into the answer to initialize, and identify into that to server/discover. Other answers name
// the server too, and are smaller without.
func (m *Server) showIcon(_ context.Context, _ any, _ *mcp.InitializeRequest, out *mcp.InitializeResult) {
	if out.ProtocolVersion >= iconsSince {
		out.ServerInfo.Icons = ownIcon
	}
}

func (m *Server) identify(_ context.Context, _ any, _ *mcp.DiscoverRequest, out *mcp.DiscoverResult) {
	own := m.identity()
	own.Icons = ownIcon
	out.EnsureResultMeta().SetServerInfo(own)
}
