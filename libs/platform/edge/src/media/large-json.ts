import { setImmediate } from 'node:timers/promises';
import { bodyLimitBytes } from '@scrip/contracts/registry';
import { EdgeFailure } from '../failure/failure';
import { failures } from '../failure/failures';

const [quote, backslash, comma] = [34, 92, 44];
const [openBracket, closeBracket] = [91, 93];
const [openBrace, closeBrace] = [123, 125];

/** Elements that are parsed at once, in UTF-16 units together: some ms, between which other requests have their turn. */
const portionUnits = 131_072;

/** Values that a large body which is no list may have: parsed at once, they take about as long as those of a body of 1 MB. */
const valuesMax = 524_288;

/** Values that a large list may have, all its elements together: a hundred thousand codes with their metadata have fewer. Each takes
 *  memory and time wherever the list is looked at. */
const valuesOfListMax = 1_048_576;

/** Where the portions of lists end that were parsed by portions, in elements. */
const endsOfPortions = new WeakMap<readonly unknown[], readonly number[]>();

/** Elements of a list, and the index of the first one. */
export interface PortionOfList<T> {
  from: number;
  elements: readonly T[];
}

/** The elements of a list by the portions that it was parsed in, between which the process serves others; of a body of usual size
 *  all at once. Source: ADR 131. */
export async function* portionsOfList<T>(list: readonly T[]): AsyncGenerator<PortionOfList<T>> {
  let from = 0;
  for (const end of endsOfPortions.get(list) ?? [list.length]) {
    if (from > 0) await setImmediate();
    yield { from, elements: list.slice(from, end) };
    from = end;
  }
}

/** Where a part of a body lies in it. */
export interface PartOfBody {
  /** Units before it. */
  offset: number;
  /** Elements before it. */
  index: number;
}

const malformed = (place: string) => new EdgeFailure(failures.malformedJson(place));
const tooManyValues = (what: string) =>
  new EdgeFailure(failures.invalidPayload(`${what} has more values than are read at once`));

/** Reads a JSON body that is larger than those of most routes: a list by portions of its elements, between which the process
 *  serves others; anything else at once, where it has few values. Nothing but the elements is kept. `parse` reads a whole JSON
 *  text. Throws what it throws, and `EdgeFailure` `invalid_payload`. Source: ADR 131. */
export const parseLargeJson = async (
  raw: string,
  parse: (text: string, part?: PartOfBody) => unknown,
): Promise<unknown> => {
  const begin = raw.search(/\S/);
  if (raw.charCodeAt(begin) !== openBracket) {
    if (valuesIn(raw) > valuesMax) throw tooManyValues('Payload');
    return parse(raw);
  }
  const elements: unknown[] = [];
  const ends: number[] = [];
  let values = 0;
  for (const { text, part, isLast } of portionsOf(raw, begin + 1)) {
    values += valuesIn(text) + 1;
    if (values > valuesOfListMax) throw tooManyValues('Payload');
    if (text.length > bodyLimitBytes) throw tooManyValues(`Property [${elements.length}]`);
    const isEmpty = text.trim() === '';
    if (isEmpty && !(isLast && part.index === 0))
      throw malformed(`: unexpected character at position ${part.offset}`);
    if (!isEmpty) for (const element of parse(`[${text}]`, part) as unknown[]) elements.push(element);
    ends.push(elements.length);
    await setImmediate();
  }
  endsOfPortions.set(elements, ends);
  return elements;
};

/** Values of a JSON text, about: each but the first of an object or a list has a comma before it. */
const valuesIn = (raw: string): number => {
  let values = 0;
  for (let at = 0, inText = false; at < raw.length; at += 1) {
    const unit = raw.charCodeAt(at);
    if (inText && unit === backslash) at += 1;
    else if (unit === quote) inText = !inText;
    else if (!inText && (unit === comma || unit === openBrace || unit === openBracket)) values += 1;
  }
  return values;
};

interface Portion {
  text: string;
  part: PartOfBody;
  isLast: boolean;
}

/** Whole elements of a list that begins before `from`, in portions. Throws where the list does not end, or something follows. */
function* portionsOf(raw: string, from: number): Generator<Portion> {
  let [begin, index, elements, depth, inText] = [from, 0, 0, 0, false];
  for (let at = from; at < raw.length; at += 1) {
    const unit = raw.charCodeAt(at);
    if (inText && unit === backslash) at += 1;
    else if (unit === quote) inText = !inText;
    else if (inText) continue;
    else if (unit === openBrace || unit === openBracket) depth += 1;
    else if (depth > 0 && (unit === closeBrace || unit === closeBracket)) depth -= 1;
    else if (unit === closeBracket) {
      const after = raw.slice(at + 1).search(/\S/);
      if (after >= 0) throw malformed(`: unexpected character at position ${at + 1 + after}`);
      yield { text: raw.slice(begin, at), part: { offset: begin, index }, isLast: true };
      return;
    } else if (depth === 0 && unit === comma) {
      elements += 1;
      if (at - begin < portionUnits) continue;
      yield { text: raw.slice(begin, at), part: { offset: begin, index }, isLast: false };
      [begin, index] = [at + 1, elements];
    }
  }
  throw malformed(': it ends too early');
}
