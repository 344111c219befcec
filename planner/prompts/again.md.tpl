That plan cannot run. What is wrong with it:
{{range .Findings}}- {{.Code}}{{with .Path}} at {{.}}{{end}}: {{.Message}}
{{end}}{{with .More}}- and {{.}} more
{{end}}
Answer with the whole corrected plan as JSON, nothing else. If it cannot be made with these tools and tables, answer with {"refuse":"why"} or {"clarify":"one question"}.
