const quote = 34;
const backslash = 92;
const comma = 44;
const [openBracket, closeBracket] = [91, 93];
const [openBrace, closeBrace] = [123, 125];

/** What a scan of JSON text finds. `forbiddenAt`: offset of the first escape that stands for NUL or for half a surrogate
 *  pair; PostgreSQL cannot store the one, UTF-8 not express the other, and neither comes unescaped in valid JSON. */
export interface JsonScan {
  deepest: number;
  forbiddenAt: number | null;
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** The UTF-16 unit of `\uXXXX` at an offset; NaN where there is no such escape. */
const escapedUnit = (raw: string, at: number): number =>
  raw.charCodeAt(at) === backslash && raw.charCodeAt(at + 1) === 117 /* u */
    ? Number.parseInt(raw.slice(at + 2, at + 6), 16)
    : NaN;

/** UTF-16 units that an escape takes; negative where it stands for what cannot be stored. */
const escapeLength = (raw: string, at: number): number => {
  const unit = escapedUnit(raw, at);
  if (Number.isNaN(unit)) return 2;
  if (unit === 0 || isLow(unit)) return -6;
  if (!isHigh(unit)) return 6;
  return isLow(escapedUnit(raw, at + 6)) ? 12 : -6;
};

/** Looks at each character of JSON text once, without building anything. Texts that are no JSON are fine too. */
export const scanJson = (raw: string): JsonScan => {
  const found: JsonScan = { deepest: 0, forbiddenAt: null };
  let depth = 0;
  let inText = false;
  for (let at = 0; at < raw.length; at += 1) {
    const char = raw.charCodeAt(at);
    if (inText && char === backslash) {
      const length = escapeLength(raw, at);
      if (length < 0) found.forbiddenAt ??= at;
      at += Math.abs(length) - 1;
    } else if (char === quote) {
      inText = !inText;
    } else if (!inText && (char === openBrace || char === openBracket)) {
      depth += 1;
      if (depth > found.deepest) found.deepest = depth;
    } else if (!inText && (char === closeBrace || char === closeBracket)) {
      depth -= 1;
    }
  }
  return found;
};

/** An open array (at `index`) or object (at `key`, raw text with quotes). */
interface Frame {
  index: number;
  key: string | null;
  expectsKey: boolean;
}

const endOfText = (raw: string, from: number): number => {
  for (let at = from + 1; at < raw.length; at += 1) {
    const char = raw.charCodeAt(at);
    if (char === backslash) at += 1;
    else if (char === quote) return at;
  }
  return raw.length;
};

const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** `.name`, or `[0]`; characters that cannot be stored appear escaped. */
const stepOf = ({ key, index }: Frame): string =>
  key === null ? `[${index}]` : `.${(JSON.parse(key) as string).replace(/\0|\p{Surrogate}/gu, escaped)}`;

/** The path (`.items[0].name`, empty for the root) of the text that an offset lies in; `raw`: valid JSON. Takes time
 *  proportional to the offset. */
export const pathAt = (raw: string, offset: number): string => {
  const open: Frame[] = [];
  for (let at = 0; at < offset; at += 1) {
    const char = raw.charCodeAt(at);
    if (char === openBrace) open.push({ index: 0, key: '""', expectsKey: true });
    else if (char === openBracket) open.push({ index: 0, key: null, expectsKey: false });
    else if (char === closeBrace || char === closeBracket) open.pop();
    else if (char === comma) {
      const frame = open[open.length - 1]!;
      frame.index += 1;
      frame.expectsKey = frame.key !== null;
    } else if (char === quote) {
      const end = endOfText(raw, at);
      const frame = open.at(-1);
      if (frame?.expectsKey) {
        frame.key = raw.slice(at, end + 1);
        frame.expectsKey = false;
      }
      at = end;
    }
  }
  return open.map(stepOf).join('');
};
