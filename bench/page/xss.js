void (async () => {
  window.acted = new Set();
  window.hit = (n) => window.acted.add(String(n));
  const { answer } = await import("/static/render.js");
  for (const [i, { channel, text }] of window.vectors.entries()) {
    const place = document.createElement("div");
    document.getElementById("turns").append(place);
    try {
      place.append(...answer(window.channels[channel](text), { reply() {}, decide() {}, again() {} }));
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
