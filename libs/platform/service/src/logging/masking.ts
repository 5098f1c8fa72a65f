const mask = '***';

/** UTF-16 units of the longest text that a line shows. */
const textUnitsMax = 8_192;

const secretName =
  /^(?:authorization|proxy-authorization|cookie|set-cookie|x-(?:app|client|management)-token|x-service-oauth|idempotency-key|.*(?:token|secret|password|passphrase|private_?key|master_?key|api_?key|credentials))$/i;

// Secrets that may appear in a text: bearer tokens, webhook tokens, passwords inside URLs. Matching takes time
// proportional to the text, because schemes and user names are bounded.
const secretTexts: readonly [RegExp, string][] = [
  [/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, `$1 ${mask}`],
  [/\bwhsec_[\w+/=-]+/g, `whsec_${mask}`],
  [/(\b[a-z][a-z0-9+.-]{0,31}:\/\/[^\s:/@]{0,255}):[^\s/@]+@/gi, `$1:${mask}@`],
];

/** Returns the beginning of a long text, cut at a blank, so that no secret is cut in two and missed. */
const cut = (text: string): string => {
  const blankAt = text.lastIndexOf(' ', textUnitsMax);
  return text.slice(0, blankAt > 0 ? blankAt : textUnitsMax);
};

/** Returns a text with possible secrets masked; at most its first 8,192 characters. */
export const maskText = (text: string): string => {
  const kept = text.length > textUnitsMax ? cut(text) : text;
  const masked = secretTexts.reduce(
    (partly, [pattern, replacement]) => partly.replace(pattern, replacement),
    kept,
  );
  return kept.length < text.length ? `${masked} (${text.length - kept.length} characters more)` : masked;
};

const depthMax = 6;

/** A copy fit for a log: members named like secrets are masked, errors are reduced to type, message, code and stack,
 *  since drivers attach statements and their values. */
export const maskSecrets = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string') return maskText(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'function' || typeof value === 'symbol') return `(${typeof value})`;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Error) return errorFields(value, depth);
  if (value instanceof Date) return value.toISOString();
  if (depth >= depthMax) return '(deeper)';
  if (Array.isArray(value)) return value.map((member) => maskSecrets(member, depth + 1));
  const { toJSON } = value as { toJSON?: () => unknown };
  if (typeof toJSON === 'function') return maskSecrets(toJSON.call(value), depth + 1);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      secretName.test(name) ? mask : maskSecrets(member, depth + 1),
    ]),
  );
};

const errorFields = (error: Error, depth: number): Record<string, unknown> => {
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return {
    type: error.name,
    message: maskText(error.message),
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof constraint === 'string' ? { constraint } : {}),
    ...(error.stack ? { stack: maskText(error.stack) } : {}),
    ...(error.cause !== undefined && depth < depthMax ? { cause: maskSecrets(error.cause, depth + 1) } : {}),
  };
};
