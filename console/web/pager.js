// Links to the part of a long list before and after the one that is shown.
import {make, numberText} from "./page.js";

export function addPager(element, offset, limit, total) {
  if (total <= limit && offset === 0) return element.replaceChildren();
  const link = (to, text) => {
    const url = new URL(location.href);
    url.searchParams.set("offset", to);
    return make("a", {href: url.pathname + url.search}, text);
  };
  const parts = [];
  if (offset > 0) parts.push(link(0, "first"), " · ", link(Math.max(0, offset - limit), "before"), " · ");
  parts.push(`${numberText(offset + 1)} to ${numberText(Math.min(total, offset + limit))} of ${numberText(total)}`);
  if (offset + limit < total) {
    parts.push(" · ", link(offset + limit, "next"), " · ", link(Math.floor((total - 1) / limit) * limit, "last"));
  }
  element.replaceChildren(...parts);
}
