// Servers on the heat map: a colour for each of six, told apart without red and green, on light and dark, and a letter.
// More than six share colours, not letters.
import {make, serverText} from "./page.js";

export const COLORS = [[0x33, 0x66, 0xcc], [0xff, 0x99, 0x00], [0x99, 0x33, 0x33], [0x66, 0xcc, 0xff], [0xff, 0xdd, 0x66], [0x80, 0x80, 0x80]];
const SEVERAL = [0xbb, 0xbb, 0xbb];  // of rows with regions of several servers

// The servers of a picture's regions, by name.
export const serversOf = (picture) => [...new Set(picture.regions.map((region) => region.server))].sort();

const colorOf = (place) => COLORS[place % COLORS.length];
const letterOf = (place) => String.fromCharCode(65 + place % 26) + (place < 26 ? "" : String(Math.floor(place / 26) + 1));

// The server of a row, as its place among the servers; -1: several.
function serverOf(picture, row, servers) {
  const names = new Set(picture.regions.slice(row.region, row.region + row.regions).map((region) => region.server));
  return names.size === 1 ? servers.indexOf([...names][0]) : -1;
}

// [red, green, blue] of each row.
export function rowColors(picture) {
  const servers = serversOf(picture);
  return picture.rows.map((row) => {
    const place = serverOf(picture, row, servers);
    return place < 0 ? SEVERAL : colorOf(place);
  });
}

// The letter of each row's server.
export function rowLetters(picture) {
  const servers = serversOf(picture);
  return picture.rows.map((row) => {
    const place = serverOf(picture, row, servers);
    return place < 0 ? "*" : letterOf(place);
  });
}

export const cssColor = ([red, green, blue]) => `rgb(${red} ${green} ${blue})`;

export function listServers(list, picture) {
  const servers = serversOf(picture);
  const item = (color, text) => {
    const box = make("span", {class: "color"});
    box.style.background = cssColor(color);
    return make("li", {}, box, text);
  };
  const items = servers.map((name, place) => item(colorOf(place), `${letterOf(place)} ${serverText(name)}`));
  if (picture.rows.some((row) => serverOf(picture, row, servers) < 0)) items.push(item(SEVERAL, "* several"));
  list.replaceChildren(...items);
}
