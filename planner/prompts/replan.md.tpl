That plan ran in part. What became of its steps:
{{range $s := .}}- {{.ID}} ({{.Tool}}): {{if .Done}}done{{with .Columns}}, a table of {{$s.Rows}} rows with the columns
{{range .}}  - {{.}}
{{end}}{{else}}
{{end}}{{else}}no result: {{.Code}}
{{end}}{{end}}
Answer with a plan for what is missing, as JSON. Steps that are done keep their results: refer to them by their ids and leave them out of "steps". Give every other step a new id. Do not change or delete anything that this plan did not already. If what is missing cannot be had with these tools and tables, answer with {"refuse":"why"}.
