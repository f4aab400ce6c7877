// Numbers as people read them.
const PREFIXES = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"], [1e-9, "n"], [1e-12, "p"]];

/** So many significant digits without trailing zeros. */
function digits(x, count) {
  if (x === null || x === undefined || !Number.isFinite(x)) return "–";
  if (x === 0) return "0";
  const size = Math.floor(Math.log10(Math.abs(x)));
  if (size < -4 || size > 6) {
    const [mantissa, exponent] = x.toExponential(count - 1).split("e");
    return `${trimmed(mantissa)}e${Number(exponent)}`;
  }
  return trimmed(x.toPrecision(count).includes("e") ? String(Math.round(x)) : x.toPrecision(count));
}

function trimmed(text) {
  return text.includes(".") ? text.replace(/0+$/, "").replace(/\.$/, "") : text;
}

/** The power of a thousand that suits a size. */
function prefix(size) {
  return PREFIXES.find(([factor]) => Math.abs(size) >= factor * (1 - 1e-12)) || [1, ""];
}

/** A number with its unit and a prefix. */
function prefixed(x, unit, count = 5) {
  if (x === null || x === undefined || !Number.isFinite(x)) return "–";
  const [factor, letter] = x === 0 ? [1, ""] : prefix(x);
  return `${digits(x / factor, count)} ${letter}${unit}`;
}

/** An element with attributes and children. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "text") made.textContent = value;
    else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** A colour of the style sheet. */
function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
