// Vectors of script injection: each calls hit with its number where it acts. A text comes by each of the channels of an answer.
void (async () => {
  const bases = [
    "<script>%s</script>",
    "<img src=x onerror=%s>",
    "<svg onload=%s>",
    "<svg><script>%s</script></svg>",
    "<body onload=%s>",
    "<iframe srcdoc=\"<script>parent.%s</script>\">",
    "<a href=\"javascript:%s\">x</a>",
    "[x](javascript:%s)",
    "![x](x\"onerror=\"%s)",
    "\"><script>%s</script>",
    "'><img src=x onerror=%s>",
    "</td><script>%s</script>",
    "</textarea><script>%s</script>",
    "</title><script>%s</script>",
    "<details open ontoggle=%s>",
    "<video><source onerror=%s></video>",
    "<audio src=x onerror=%s>",
    "<input autofocus onfocus=%s>",
    "<math><mi xlink:href=\"javascript:%s\">x</mi></math>",
    "<object data=\"javascript:%s\">",
    "<embed src=\"javascript:%s\">",
    "<meta http-equiv=refresh content=\"0;url=javascript:%s\">",
    "<base href=\"javascript:%s//\">",
    "<form action=\"javascript:%s\"><input type=submit>",
    "<button formaction=\"javascript:%s\">x</button>",
    "<marquee onstart=%s>x</marquee>",
    "<style>@import 'javascript:%s';</style>",
    "<link rel=stylesheet href=\"javascript:%s\">",
    "<template><script>%s</script></template>",
    "<noscript><p title=\"</noscript><img src=x onerror=%s>\">",
    "&lt;script&gt;%s&lt;/script&gt;",
    "&#60;img src=x onerror=%s&#62;",
    "\\u003cscript\\u003e%s\\u003c/script\\u003e",
    "**<img src=x onerror=%s>**",
    "`<img src=x onerror=%s>`",
    "{{constructor.constructor('%s')()}}",
    "${%s}",
    "<img src=\"data:image/svg+xml,<svg onload=%s>\">",
    "<select autofocus onfocus=%s>",
    "<p style=\"animation:x\" onanimationstart=%s>",
  ];
  const channels = [
    (v) => ({ outcome: "answer", response: v }),
    (v) => ({ outcome: "answer", response: "**" + v + "** (1 row)\n\n|" + v.replaceAll("|", "") + "|\n|-|\n|" + v.replaceAll("|", "") + "|" }),
    (v) => ({ outcome: "error", error: { detail: v, hint: v, code: v } }),
    (v) => ({ outcome: "answer", response: "x", notes: [v], completeness: { state: "partial", detail: v } }),
    (v) => ({ outcome: "answer", response: "x", charts: [{ title: v, alt: v, vega_lite: { usermeta: { catena: { kind: "bar" } }, encoding: { x: { type: "nominal", title: v }, y: { title: v } }, data: { values: [{ x: v, label: v, y: 1, text: v }] } } }] }),
    (v) => ({ outcome: "answer", response: "x", charts: [{ title: v, alt: v, svg: "<svg xmlns='http://www.w3.org/2000/svg'>" + v + "</svg>" }] }),
    (v) => ({ outcome: "answer", response: "**" + v + "**\n\n|a|\n|-|\n|b|", tables: [{ handle: "tbl_x", title: v, name: v, columns: [], rows: [], total_rows: 1, markdown: "|a|\n|-|\n|b|" }] }),
    (v) => ({ outcome: "approval", response: "", pending: [{ step: v, tool: v, args: { [v]: v }, effect: { what: v, lines: [{ name: v, before: v, value: v }] } }] }),
    (v) => ({ outcome: "clarify", response: v, choices: [v], question: v, reading: v }),
  ];
  window.acted = new Set();
  window.hit = (n) => window.acted.add(String(n));
  const { answer } = await import("/static/render.js");
  for (let i = 0; i < window.vectors; i++) {
    const text = bases[i % bases.length].replace("%s", `hit(${i})`);
    const channel = channels[Math.floor(i / bases.length) % channels.length];
    const place = document.createElement("div");
    document.getElementById("turns").append(place);
    try {
      place.append(...answer(channel(text), { reply() {}, decide() {}, again() {} }));
    } catch (error) {
      window.acted.add(`${i} broke the page: ${error}`);
    }
    for (const node of place.querySelectorAll("*")) {
      const bad = /^(script|iframe|object|embed|base|meta|link|style|form|template|body|marquee)$/i.test(node.localName);
      const acts = [...node.attributes].some((a) => /^on/i.test(a.name) || /^\s*javascript:/i.test(a.value) && /^(href|src|action|formaction|data|xlink:href)$/i.test(a.name));
      if (bad || acts) window.acted.add(`${i} made ${node.outerHTML.slice(0, 80)}`);
    }
    for (const node of place.querySelectorAll("button, summary")) node.dispatchEvent(new Event("focus"));
    if (i % 50 === 49) {
      await new Promise((resolve) => setTimeout(resolve, 60));
      document.getElementById("turns").replaceChildren();
    }
  }
  await new Promise((resolve) => setTimeout(resolve, 300));
  window.vectorsDone = true;
})()
