// Elements made from text. Nothing in this page is ever parsed as markup: what records say stays text.

/** An element: make('td', {class: 'x', onclick: f}, 'text', child, …). Attributes that are null are left out. */
function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
function makeSvg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

const byId = (id) => document.getElementById(id);

/** Text with the characters made visible that could hide or turn what is around them. */
function visible(text) {
  return String(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, (c) =>
    c < ' ' ? String.fromCharCode(0x2400 + c.charCodeAt(0)) : '\ufffd');
}

/** `text` with its http and https addresses as links. */
function linked(text) {
  return visible(text).split(/(https?:\/\/[^\s)"'<>]+)/).map((part, i) =>
    i % 2 === 1 ? make('a', { href: part, rel: 'noreferrer' }, part) : part);
}

const plural = (n, one, many = one + 's') => `${n} ${n === 1 ? one : many}`;
