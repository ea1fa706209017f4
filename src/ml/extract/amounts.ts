import type { Span } from "./sentences.ts";

export interface Amount extends Span {
  text: string;
  /** ISO 4217 code if the sign identifies the currency, else the sign. */
  currency: string;
  value: number;
}

const SIGNS: Record<string, string> = {
  $: "USD",
  "€": "EUR",
  "£": "GBP",
  "¥": "JPY",
  "₹": "INR",
  "₽": "RUB",
  "₩": "KRW",
  "₪": "ILS",
  "₺": "TRY",
  "₴": "UAH",
  "₫": "VND",
  "฿": "THB",
  "₿": "BTC",
  zł: "PLN",
};
const NAMES: Record<string, string> = {
  dollar: "USD",
  dollars: "USD",
  euro: "EUR",
  euros: "EUR",
  pound: "GBP",
  pounds: "GBP",
  bucks: "USD",
  quid: "GBP",
  rs: "INR",
  rupees: "INR",
  franken: "CHF",
  franc: "CHF",
  francs: "CHF",
  yen: "JPY",
  yuan: "CNY",
  sterling: "GBP",
  sterline: "GBP",
  pond: "GBP",
  libra: "GBP",
  libras: "GBP",
  buck: "USD",
  dólar: "USD",
  dólares: "USD",
  dollari: "USD",
  rupee: "INR",
  peso: "MXN",
  pesos: "MXN",
  real: "BRL",
  reais: "BRL",
  krone: "NOK",
  kroner: "NOK",
  krona: "SEK",
  kronor: "SEK",
  zloty: "PLN",
  złoty: "PLN",
  bitcoin: "BTC",
  bitcoins: "BTC",
  euri: "EUR",
  eurot: "EUR",
  sfr: "CHF",
  kr: "KR",
  kč: "CZK",
  円: "JPY",
  元: "CNY",
  원: "KRW",
  рубль: "RUB",
  рубля: "RUB",
  рублей: "RUB",
  руб: "RUB",
};
/** Codes of ISO 4217 and common cryptocurrencies, without those that are also words ("TRY", "ALL", "PEN"). */
export const CURRENCY_CODES =
  "USD|EUR|GBP|CHF|JPY|CAD|AUD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|INR|CNY|RMB|BRL|MXN|HKD|SGD|TWD|KRW|THB|IDR|MYR|PHP|VND|ILS|AED|SAR|QAR|EGP|ZAR|NGN|KES|UAH|RUB|BGN|ISK|CLP|PKR|BDT|LKR|BTC|ETH|USDT|USDC|Rs";
const CODE = new RegExp(`^(?:${CURRENCY_CODES})$`, "i");

/** Returns the currency of a sign, code or word, as an ISO 4217 code if there is one; null if it is no currency. */
export function currencyOf(name: string): string | null {
  const known = SIGNS[name] ?? NAMES[name.toLowerCase()];
  if (known) return known;
  return CODE.test(name) || /^\p{Sc}$/u.test(name) ? name.toUpperCase() : null;
}

/**
 * A number has at most seven groups of digits. Without the limit, matching a long run of groups takes quadratic time.
 */
const NUMBER = "\\d{1,3}(?:[.,'’\\u00a0\\u202f ]\\d{3}){0,6}(?:[.,]\\d{1,2})?(?!\\d)|\\d+(?:[.,]\\d{1,2})?";
const PATTERN = new RegExp(
  `(?:(?<pre>\\p{Sc}|\\b(?:${CURRENCY_CODES})\\b)\\s?(?<n1>${NUMBER})(?<k1>\\s?(?:k|m|million|thousand|Mio\\.?)\\b)?)|(?:(?<![\\d.,])(?<n2>${NUMBER})(?<k2>\\s?(?:k|million|thousand|Mio\\.?|千|万|億))?\\s?(?<post>\\p{Sc}|zł|(?:${CURRENCY_CODES}|dollars?|euros?|pounds?|bucks|quid|rupees|Franken|francs|yen|pesos|reais|libras|sterline)(?![\\p{L}])|円))`,
  "giu",
);
const MAX_AMOUNTS = 200;

/** Returns the amounts of money in a text, in order. @param most the largest number of results */
export function amountsOf(text: string, most = MAX_AMOUNTS): Amount[] {
  const found: Amount[] = [];
  for (const match of text.matchAll(PATTERN)) {
    const { pre, n1, k1, n2, k2, post } = match.groups!;
    const sign = (pre ?? post)!;
    const times = timesOf(k1 ?? k2 ?? "");
    const value = numberOf((n1 ?? n2)!) * times;
    const currency = currencyOf(sign) ?? sign.toUpperCase();
    found.push({ text: match[0], start: match.index, end: match.index + match[0].length, currency, value });
    if (found.length >= most) break;
  }
  return found;
}

function timesOf(scale: string): number {
  if (/k|thousand|千/i.test(scale)) return 1e3;
  if (scale.includes("万")) return 1e4;
  if (scale.includes("億")) return 1e8;
  return /m/i.test(scale) ? 1e6 : 1;
}

/**
 * Reads "1.234,50", "1,234.50", "1 234" and "12,5". A separator before the last one or two digits is the decimal
 * separator.
 */
function numberOf(text: string): number {
  const decimal = /[.,](\d{1,2})$/.exec(text);
  const whole = (decimal ? text.slice(0, decimal.index) : text).replace(/\D/g, "");
  return Number(`${whole}.${decimal?.[1] ?? "0"}`);
}
