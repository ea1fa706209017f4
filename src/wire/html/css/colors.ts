/** Reads CSS colors and compares them. */

/** Red, green and blue from 0 to 255, and opacity from 0 to 1. */
export type Color = readonly [red: number, green: number, blue: number, alpha: number];

export const WHITE: Color = [255, 255, 255, 1];
export const TRANSPARENT: Color = [0, 0, 0, 0];

/** The named colors (CSS Color 4 §6.1), each name with its hexadecimal value. */
const NAMES = new Map<string, string>(
  (
    "aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4 " +
    "black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 cadetblue 5f9ea0 " +
    "chartreuse 7fff00 chocolate d2691e coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff " +
    "darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9 " +
    "darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00 darkorchid 9932cc darkred 8b0000 " +
    "darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f darkslategrey 2f4f4f " +
    "darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969 " +
    "dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc " +
    "ghostwhite f8f8ff gold ffd700 goldenrod daa520 gray 808080 green 008000 greenyellow adff2f grey 808080 " +
    "honeydew f0fff0 hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa " +
    "lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080 lightcyan e0ffff " +
    "lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1 " +
    "lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 lightslategrey 778899 " +
    "lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000 " +
    "mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371 " +
    "mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585 " +
    "midnightblue 191970 mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 " +
    "oldlace fdf5e6 olive 808000 olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa " +
    "palegreen 98fb98 paleturquoise afeeee palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f " +
    "pink ffc0cb plum dda0dd powderblue b0e0e6 purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f " +
    "royalblue 4169e1 saddlebrown 8b4513 salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d " +
    "silver c0c0c0 skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa springgreen 00ff7f " +
    "steelblue 4682b4 tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 violet ee82ee wheat f5deb3 " +
    "white ffffff whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32"
  )
    .match(/\S+ \S+/g)!
    .map((pair) => pair.split(" ") as [string, string]),
);

/** Returns a color; null when it is not known, as with `inherit` and less common functions. */
export function parseColor(text: string): Color | null {
  const value = text.trim().toLowerCase();
  if (value === "transparent") return TRANSPARENT;
  const hex = NAMES.get(value) ?? /^#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/.exec(value)?.[1];
  if (hex !== undefined) return fromHex(hex);
  const [, name, inner] = /^(rgb|hsl)a?\(([^()]*)\)$/.exec(value) ?? [];
  if (name === undefined || inner === undefined) return null;
  const parts = inner.split(/[\s,/]+/).filter((part) => part !== "");
  if (parts.length < 3 || parts.length > 4 || !parts.every((part) => /^[+-]?\d*\.?\d+(?:%|deg)?$/.test(part)))
    return null;
  return name === "rgb" ? fromRgb(parts) : fromHsl(parts);
}

/** Returns the color of a `bgcolor` or `color` attribute, in which "#" is optional; null when it is not known. */
export function parseLegacyColor(text: string | undefined): Color | null {
  const value = text?.trim() ?? "";
  return /^(?:[\da-f]{3}|[\da-f]{6})$/i.test(value) ? fromHex(value) : parseColor(value);
}

export function toHex([red, green, blue]: Color): string {
  return `#${[red, green, blue].map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
}

/** Returns the color that is seen where `color` covers an opaque one. */
export function over(color: Color, below: Color): Color {
  const alpha = color[3];
  const mix = (i: 0 | 1 | 2) => color[i] * alpha + below[i] * (1 - alpha);
  return [mix(0), mix(1), mix(2), 1];
}

/** Returns the contrast ratio of two opaque colors, from 1 to 21 (WCAG 2.2, contrast ratio). */
export function contrast(one: Color, other: Color): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

function luminance([red, green, blue]: Color): number {
  const linear = (part: number) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function fromHex(hex: string): Color {
  const full = hex.length <= 4 ? hex.replace(/./g, "$&$&") : hex;
  const part = (at: number) => Number.parseInt(full.slice(at, at + 2), 16);
  return [part(0), part(2), part(4), full.length === 8 ? part(6) / 255 : 1];
}

function fromRgb(parts: string[]): Color {
  const part = (text: string) =>
    limited(text.endsWith("%") ? (Number.parseFloat(text) / 100) * 255 : Number.parseFloat(text), 255);
  return [part(parts[0]!), part(parts[1]!), part(parts[2]!), alphaOf(parts[3])];
}

function fromHsl(parts: string[]): Color {
  const [hue, saturation, lightness] = parts.map((part) => Number.parseFloat(part)) as [number, number, number];
  const [s, l] = [limited(saturation, 100) / 100, limited(lightness, 100) / 100];
  const part = (n: number) => {
    const k = (n + (((hue % 360) + 360) % 360) / 30) % 12;
    return 255 * (l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  };
  return [part(0), part(8), part(4), alphaOf(parts[3])];
}

function alphaOf(text: string | undefined): number {
  if (text === undefined) return 1;
  return limited(text.endsWith("%") ? Number.parseFloat(text) / 100 : Number.parseFloat(text), 1);
}

function limited(value: number, most: number): number {
  return Math.min(most, Math.max(0, value));
}
