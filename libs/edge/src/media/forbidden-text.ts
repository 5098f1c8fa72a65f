import { hasForbiddenCharacters } from '@scrip/kernel';

/** Bodies nested deeper than this are refused before anything recurses into them. */
export const deepestNesting = 64;

const mayHoldForbidden = /\\u(?:0000|d[89a-f])/i;

/** The path of the first text in parsed JSON that cannot be stored, or null. `raw` is the JSON itself: such characters
 *  only come escaped there, so that most bodies need no walk. */
export const forbiddenTextIn = (parsed: unknown, raw: string): string | null =>
  mayHoldForbidden.test(raw) ? hasForbiddenCharacters(parsed) : null;

/** Whether brackets in `raw` nest deeper than allowed; those inside of texts do not count. */
export const isTooDeep = (raw: string): boolean => {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < raw.length; at += 1) {
    const char = raw.charCodeAt(at);
    if (inText) {
      if (char === 92 /* \ */) at += 1;
      else if (char === 34 /* " */) inText = false;
    } else if (char === 34) {
      inText = true;
    } else if (char === 123 /* { */ || char === 91 /* [ */) {
      depth += 1;
      if (depth > deepestNesting) return true;
    } else if (char === 125 /* } */ || char === 93 /* ] */) {
      depth -= 1;
    }
  }
  return false;
};
