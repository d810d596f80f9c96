// Areas of a picture with handles to drag: one for each hidden field with `data-area`, the name shown to visitors.
const FINGERTIP = 44; // diameter in pixels; the dot in the middle has half of it, so that the picture below stays visible

export function editAreas(editor, picture) {
  const sheet = editor.querySelector(".handles");
  const form = document.querySelector("[data-areas]");
  const areas = {};
  for (const field of form.querySelectorAll("input[data-area]")) {
    areas[field.name] = field.value.trim().split(/\s+/).map((corner) => corner.split(",").map(Number));
  }

  const make = (kind, attributes) => {
    const part = document.createElementNS("http://www.w3.org/2000/svg", kind);
    for (const [name, value] of Object.entries(attributes)) part.setAttribute(name, value);
    return part;
  };

  const place = () => {
    sheet.style.height = `${picture.getBoundingClientRect().height}px`;
    const { width, height } = sheet.getBoundingClientRect();
    for (const [name, corners] of Object.entries(areas)) {
      sheet.querySelector(`polygon.${name}`).setAttribute("points", corners.map(([x, y]) => `${x * 1000},${y * 1000}`).join(" "));
      corners.forEach(([x, y], number) => {
        const handle = sheet.querySelector(`ellipse[data-area="${name}"][data-number="${number}"]`);
        handle.setAttribute("cx", x * 1000);
        handle.setAttribute("cy", y * 1000);
        handle.setAttribute("rx", (FINGERTIP / 2 / width) * 1000);
        handle.setAttribute("ry", (FINGERTIP / 2 / height) * 1000);
      });
      // The picture is stretched to its frame; the labels are not.
      const label = sheet.querySelector(`text.${name}`);
      const [left, top] = [Math.min(...corners.map(([x]) => x)), Math.min(...corners.map(([, y]) => y))];
      label.setAttribute("transform", `translate(${left * 1000} ${top * 1000}) scale(${1000 / width} ${1000 / height})`);
      form.elements[name].value = corners.map(([x, y]) => `${x.toFixed(4)},${y.toFixed(4)}`).join(" ");
    }
  };

  const move = (handle, x, y) => {
    const clamp = (value) => Math.min(1, Math.max(0, value));
    areas[handle.dataset.area][Number(handle.dataset.number)] = [clamp(x), clamp(y)];
    place();
  };

  const dot = make("radialGradient", { id: "handle" });
  for (const [offset, colour, opacity] of [[0, "#14100d", 1], [0.4, "#14100d", 1], [0.42, "#fff", 1], [0.54, "#fff", 1], [0.56, "#fff", 0]]) {
    dot.append(make("stop", { offset, "stop-color": colour, "stop-opacity": opacity }));
  }
  sheet.append(dot);
  for (const [name, corners] of Object.entries(areas)) {
    sheet.append(make("polygon", { class: name }));
    const label = make("text", { class: name, x: 16, y: 22 });
    label.textContent = form.elements[name].dataset.area;
    sheet.append(label);
    corners.forEach((_, number) => {
      const words = sheet.dataset.corner.replace("AREA", form.elements[name].dataset.area);
      sheet.append(
        make("ellipse", { fill: "url(#handle)", tabindex: 0, role: "button", "aria-label": words.replace("NUMBER", number + 1), "data-area": name, "data-number": number }),
      );
    });
  }

  document.querySelector("[data-draw]")?.addEventListener("click", ({ target }) => {
    sheet.removeAttribute("hidden");
    target.hidden = true;
    form.querySelector("[data-save]").hidden = false;
    const cancel = form.querySelector("[data-cancel]");
    if (cancel) cancel.hidden = false;
    form.querySelector("[data-help]").hidden = false;
    place();
    sheet.querySelector("ellipse").focus();
  });
  const drawn = JSON.stringify(areas);
  form.querySelector("[data-cancel]")?.addEventListener("click", () => {
    Object.assign(areas, JSON.parse(drawn));
    place();
    sheet.setAttribute("hidden", "");
    form.querySelector("[data-draw]").hidden = false;
    for (const part of form.querySelectorAll("[data-save], [data-help], [data-cancel]")) part.hidden = true;
  });
  if (!sheet.hasAttribute("hidden")) place();

  sheet.addEventListener("pointerdown", (event) => {
    const handle = event.target.closest("ellipse");
    if (!handle) return;
    event.preventDefault();
    handle.focus();
    handle.setPointerCapture(event.pointerId);
    const box = sheet.getBoundingClientRect();
    const drag = ({ clientX, clientY }) => move(handle, (clientX - box.left) / box.width, (clientY - box.top) / box.height);
    handle.addEventListener("pointermove", drag);
    handle.addEventListener("pointerup", () => handle.removeEventListener("pointermove", drag), { once: true });
  });

  sheet.addEventListener("keydown", (event) => {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    const handle = event.target.closest("ellipse");
    if (!steps || !handle) return;
    event.preventDefault();
    const [x, y] = areas[handle.dataset.area][Number(handle.dataset.number)];
    const step = event.shiftKey ? 0.05 : 0.01;
    move(handle, x + steps[0] * step, y + steps[1] * step);
  });
  addEventListener("resize", () => !sheet.hasAttribute("hidden") && place());
}
