"use strict";
// What a browser adds to the page. All text reaches it by textContent, never as markup.
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  const live = document.getElementById("live");
  const say = (text) => { live.textContent = text; };
  const block = (id) => JSON.parse(document.getElementById(id).textContent);
  const make = (name, text, parent) => {
    const one = document.createElement(name);
    if (text) one.textContent = text;
    if (parent) parent.append(one);
    return one;
  };
  const number = (value) => value == null ? "-" : Number(value.toPrecision(4)).toLocaleString("en");

  // Print: everything is open and charts fit on paper, and as it was afterwards.
  let opened = [];
  const plots = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    for (const one of opened) one.open = true;
    for (const one of plots) one.setSize({ width: 620, height: one.height });
  });
  addEventListener("afterprint", () => {
    for (const one of opened) one.open = false;
    for (const one of plots) one.setSize({ width: one.root.parentElement.clientWidth, height: one.height });
  });

  // Copy.
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.addEventListener("click", async () => {
      const source = document.getElementById(button.dataset.copy);
      try {
        await navigator.clipboard.writeText(source.textContent);
        say("Copied.");
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(source);
        say("Selected: copy it with the keyboard.");
      }
    });
  }

  // A chart with its readout: a cursor that the pointer or the arrow keys move.
  const chart = (place, label, options, data, words) => {
    const shown = { ...options, width: Math.max(place.clientWidth, 200), legend: { show: false } };
    const hull = make("div", "", place);
    hull.tabIndex = 0;
    hull.setAttribute("role", "group");
    hull.setAttribute("aria-label", `${label}. Left and right arrow keys move through its values.`);
    const readout = make("p", "", place);
    readout.className = "readout";
    const plot = new uPlot({ ...shown, hooks: { ...options.hooks, setCursor: [(u) => {
      readout.textContent = u.cursor.idx == null ? "" : words(u.cursor.idx);
    }] } }, data, hull);
    plots.push(plot);
    const canvas = hull.querySelector("canvas");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", label);
    let at = -1;
    hull.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      at = Math.min(Math.max(at + step, 0), plot.data[0].length - 1);
      plot.setCursor({ left: plot.valToPos(plot.data[0][at], "x"), top: plot.bbox.height / devicePixelRatio / 2 });
      readout.textContent = words(at);
      say(words(at));
    });
    new ResizeObserver(() => {
      if (place.clientWidth > 50) plot.setSize({ width: place.clientWidth, height: options.height });
    }).observe(place);
    return plot;
  };
  const toggles = (place, plot, names, first) => {
    const bar = make("div", "");
    bar.className = "toggles";
    bar.setAttribute("role", "group");
    bar.setAttribute("aria-label", "What the chart shows");
    names.forEach(([name, isOn], at) => {
      const button = make("button", name, bar);
      button.type = "button";
      button.setAttribute("aria-pressed", String(isOn));
      button.addEventListener("click", () => {
        const on = button.getAttribute("aria-pressed") !== "true";
        button.setAttribute("aria-pressed", String(on));
        plot.setSeries(at + first, { show: on });
      });
    });
    place.prepend(bar);
  };

  const grid = { stroke: "#e1e4e9", width: 1 };
  const axis = { stroke: "#16181d", grid, ticks: grid, font: "12px system-ui, sans-serif" };
  const shade = (one) => (u) => {
    const paint = (from, to, colour) => {
      const left = u.valToPos(from, "x", true), right = u.valToPos(to, "x", true);
      u.ctx.fillStyle = colour;
      u.ctx.fillRect(left, u.bbox.top, Math.max(right - left, 1), u.bbox.height);
    };
    u.ctx.save();
    let start = 0, odd = false;
    one.at.forEach((place, at) => {
      if (one.session[at + 1] === one.session[at]) return;
      if (odd) paint(one.at[start], place, "#eef0f3");
      odd = !odd;
      start = at + 1;
    });
    one.at.forEach((place, at) => {
      if (one.disturbed[at]) paint(place, one.at[at + 1] ?? place, "#ffe2b0");
    });
    u.ctx.restore();
  };
  // Between sessions data and processes are fresh: no line joins them.
  const breaks = (one, values) => (u) => {
    const gaps = [];
    let last = -1;
    values.forEach((value, at) => {
      if (value == null) return;
      if (last >= 0 && one.session[last] !== one.session[at]) {
        gaps.push([u.valToPos(one.at[last], "x", true), u.valToPos(one.at[at], "x", true)]);
      }
      last = at;
    });
    return gaps;
  };
  const machineInk = ["#16181d", "#a11", "#6a51a3", "#00695c", "#8a5a00"];
  for (const place of document.querySelectorAll("[data-chart]")) {
    const one = block("charts-block")[Number(place.dataset.chart)];
    const series = [{}];
    const names = [];
    for (const cell of one.cells) {
      const ink = { stroke: cell.colour, width: 1.5, dash: cell.dash };
      const points = { show: true, size: 6, fill: cell.colour, stroke: cell.colour };
      series.push({ label: cell.name, scale: "y", spanGaps: true, gaps: breaks(one, cell.values), points, ...ink });
      names.push([cell.name, true]);
    }
    one.machine.forEach((lane, at) => {
      const isOn = at === 0;
      const scale = lane.unit === "MB/s" ? "disk" : "share";
      series.push({ label: lane.name, scale, show: isOn, spanGaps: true, stroke: machineInk[at % 5], width: 1, dash: [2, 2], points: { show: false } });
      names.push([`${lane.name}, ${lane.unit}`, isOn]);
    });
    const axes = [
      { ...axis, label: "s since the first slice", labelSize: 20 },
      { ...axis, scale: "y", size: 64 },
    ];
    if (one.machine.some((lane) => lane.unit !== "MB/s")) axes.push({ ...axis, side: 1, scale: "share", grid: { show: false }, size: 58, values: (u, ticks) => ticks.map((tick) => `${tick} %`) });
    const words = (at) => {
      const cell = one.cells.find((cell) => cell.values[at] != null);
      const lanes = one.machine.map((lane) => `${lane.name} ${number(lane.values[at])} ${lane.unit}`);
      const when = `${number(one.at[at])} s`;
      return [`${when}, session ${one.session[at] + 1}`, cell ? `${cell.name} ${number(cell.values[at])} ${one.unit}` : "",
        ...lanes, one.disturbed[at] && `disturbed: ${one.disturbed[at]}`].filter(Boolean).join("; ");
    };
    const plot = chart(place, `${one.title}: ${one.unit} over time`, {
      height: 320, series, axes,
      scales: { x: { time: false }, y: { range: (u, low, high) => [0, high * 1.05 || 1] }, share: { range: [0, 100] }, disk: { range: (u, low, high) => [0, high || 1] } },
      hooks: { drawClear: [shade(one)] },
      cursor: { drag: { x: true, y: false } },
    }, [one.at, ...one.cells.map((cell) => cell.values), ...one.machine.map((lane) => lane.values)], words);
    toggles(place, plot, names, 1);
  }

  // Percentile curves: both axes are logarithmic, so that each further nine is as wide.
  const nines = ["0 %", "90 %", "99 %", "99.9 %", "99.99 %", "99.999 %"];
  for (const place of document.querySelectorAll("[data-latency]")) {
    const one = block("latency-block")[Number(place.dataset.latency)];
    let shown = one.operations[0];
    const label = make("label", "Operation ", place);
    const select = make("select", "", label);
    for (const operation of one.operations) make("option", operation.name, select);
    const series = [{}, ...one.cells.map((cell) => (
      { label: cell.name, stroke: cell.colour, width: 2, dash: cell.dash, points: { show: false } }))];
    const data = () => [shown.at, ...shown.values];
    const words = (at) => {
      const share = `${(100 * (1 - 10 ** -shown.at[at])).toFixed(Math.max(0, Math.ceil(shown.at[at]) - 1))} %`;
      const each = one.cells.map((cell, place) => shown.values[place][at] == null ? "" : `${cell.name} ${number(shown.values[place][at])} us`);
      return [`${shown.name}: ${share} took at most`, ...each.filter(Boolean)].join("; ");
    };
    const plot = chart(place, `${one.title}: latency by percentile`, {
      height: 320, series, padding: [null, 34, null, null],
      scales: { x: { time: false, range: [0, 5] }, y: { distr: 3 } },
      axes: [
        { ...axis, splits: () => [0, 1, 2, 3, 4, 5], values: (u) => nines.map((text, at) => u.width < 480 && at % 2 ? "" : text) },
        { ...axis, size: 64, label: "us", labelSize: 20 },
      ],
      cursor: { drag: { x: false, y: false } },
    }, data(), words);
    toggles(place, plot, one.cells.map((cell) => [cell.name, true]), 1);
    select.addEventListener("change", () => {
      shown = one.operations[select.selectedIndex];
      plot.setData(data());
    });
  }
})();
