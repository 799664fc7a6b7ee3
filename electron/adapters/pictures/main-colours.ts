const maxColours = 3;
/** A colour that covers less is a detail. */
const minShare = 0.12;

/** The two or three main colours of a picture as plain words, the most frequent first. */
export function mainColours(pixels: Uint8Array, channels: number): readonly string[] {
  const counts = new Map<string, number>();
  for (let at = 0; at + 2 < pixels.length; at += channels) {
    const name = nameOfColour(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const byCount = [...counts].toSorted(([, a], [, b]) => b - a);
  const minCount = (minShare * pixels.length) / channels;
  return byCount
    .filter(([, count], place) => place === 0 || count >= minCount)
    .slice(0, maxColours)
    .map(([name]) => name);
}

export function nameOfColour(red: number, green: number, blue: number): string {
  const brightest = Math.max(red, green, blue);
  const spread = brightest - Math.min(red, green, blue);
  if (brightest < 45) return 'black';
  if (spread < 0.16 * brightest || spread < 20) return nameOfGrey(brightest);
  const hue = hueOf(red, green, blue, brightest, spread);
  return nameOfHue(hue, brightest, spread / brightest);
}

function nameOfGrey(brightest: number): string {
  return brightest > 215 ? 'white' : 'grey';
}

/** The hue as an angle: 0 red, 120 green, 240 blue. */
function hueOf(red: number, green: number, blue: number, brightest: number, spread: number) {
  if (brightest === red) return ((green - blue) / spread) * 60 + (green < blue ? 360 : 0);
  if (brightest === green) return ((blue - red) / spread) * 60 + 120;
  return ((red - green) / spread) * 60 + 240;
}

function nameOfHue(hue: number, brightest: number, saturation: number): string {
  // Brown is dark orange, pink is pale red: words that the hue alone does not know.
  if ((hue >= 345 || hue < 15) && saturation < 0.55 && brightest > 180) return 'pink';
  if (hue >= 12 && hue < 45 && brightest < 185) return 'brown';
  return hues.find(({ until }) => hue < until)?.name ?? 'red';
}

const hues: readonly { readonly until: number; readonly name: string }[] = [
  { until: 15, name: 'red' },
  { until: 45, name: 'orange' },
  { until: 70, name: 'yellow' },
  { until: 165, name: 'green' },
  { until: 192, name: 'cyan' },
  { until: 255, name: 'blue' },
  { until: 295, name: 'purple' },
  { until: 345, name: 'pink' },
];
