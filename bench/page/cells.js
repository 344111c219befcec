// A table whose cells, names of columns and name are vectors comes through the program.
void (async () => {
  window.acted = new Set();
  window.hit = (n) => window.acted.add(`cell ${n}`);
  const { answer } = await import("/static/render.js");
  const lines = Array.from({ length: 40 }, (_, i) => `"<img src=x onerror=hit(${i})>",<svg onload=hit(${i})>`);
  const body = 'a,"<img src=x onerror=hit(1)>"\n' + lines.join("\n") + "\n";
  const name = encodeURIComponent("vectors <img src=x onerror=hit(0)>.csv");
  const uploaded = await (await fetch(`/api/v1/tables?name=${name}`, { method: "POST", headers: { "Content-Type": "text/csv" }, body })).json();
  const handle = await (await fetch("/api/v1/chat", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ message: `list all rows of ${uploaded.names?.[0]}`, session_id: uploaded.session_id }) })).json();
  document.getElementById("turns").replaceChildren(...answer(handle, {}));
  await new Promise((resolve) => setTimeout(resolve, 800));
  window.cellsShown = document.querySelectorAll("#turns td, #turns tbody th").length;
})()
