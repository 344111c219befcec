{{if .}}More tools. Now answer with the plan; there are no others that would fit better.
{{range .}}{{template "tool" .}}{{end}}{{else}}There are no more tools. Answer with a plan, or refuse.{{end}}
