const whole = new Intl.NumberFormat("en");

/** 12431 → "12,431". */
export function count(value: number): string {
  return whole.format(value);
}

/** "1 message", "12,431 messages". */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

const SIZES = ["bytes", "KB", "MB", "GB", "TB"] as const;

/** 1536000 → "1.5 MB". */
export function size(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < SIZES.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${SIZES[unit]}`;
}

/** 93784 → "1 day, 2 hours". */
export function duration(seconds: number): string {
  const parts: [number, string][] = [
    [Math.floor(seconds / 86_400), "day"],
    [Math.floor((seconds % 86_400) / 3_600), "hour"],
    [Math.floor((seconds % 3_600) / 60), "minute"],
  ];
  const words = parts.filter(([value]) => value > 0).map(([value, unit]) => counted(value, unit));
  return words.slice(0, 2).join(", ") || "less than a minute";
}
