// A colour for each of some tables, told apart without red and green (after Okabe and Ito).
const COLORS = ["#0072b2", "#e69f00", "#56b4e9", "#cc79a7", "#009e73", "#d55e00", "#8c6bb1", "#999933"];
export const colorOf = (place) => COLORS[place % COLORS.length];
