// Colours of a heat map: from cold to hot by brightness first, so that they can be told apart without red and green
// (after the scale "inferno"), with a background of its own where nothing was counted.

const STOPS = [
  [0x2b, 0x0a, 0x4f], [0x56, 0x0f, 0x6d], [0x8a, 0x22, 0x6a], [0xbc, 0x37, 0x54],
  [0xe3, 0x59, 0x33], [0xf9, 0x8c, 0x0a], [0xf9, 0xc9, 0x32], [0xfc, 0xff, 0xa4],
];

// The share of the scale, 0 to 1, at which `count` stands if the largest is `most`: logarithmic, so that ten times as
// much is as far everywhere.
export function shareOf(count, most) {
  return most <= 1 ? 1 : Math.log1p(count) / Math.log1p(most);
}

// [red, green, blue] at a share of the scale.
export function colorAt(share) {
  const place = Math.max(0, Math.min(1, share)) * (STOPS.length - 1);
  const low = Math.min(Math.floor(place), STOPS.length - 2);
  const part = place - low;
  return STOPS[low].map((value, channel) => Math.round(value + (STOPS[low + 1][channel] - value) * part));
}
