import { refuseFile } from './file-refusal';

/** Characters of one row, its commas and quotes with them: what two records of the largest size take. */
export const longestRow = 524_288;

const [lineFeed, carriageReturn] = [10, 13];

const first = (bytes: Buffer): { newline: number; last: number } => {
  const ends = [bytes.indexOf(lineFeed), bytes.indexOf(carriageReturn)].filter((at) => at >= 0);
  return {
    newline: Math.min(...ends, bytes.length),
    last: Math.max(bytes.lastIndexOf(lineFeed), bytes.lastIndexOf(carriageReturn)),
  };
};

/** Throws for bytes that no file of comma separated values begins with, but those of common programs do. */
const checkBeginning = (bytes: Buffer): void => {
  const beginsWith = (...values: number[]): boolean => values.every((value, index) => bytes[index] === value);
  if (beginsWith(0xff, 0xfe) || beginsWith(0xfe, 0xff)) throw refuseFile('must be UTF-8, not UTF-16');
  if (beginsWith(0x50, 0x4b, 3, 4) || beginsWith(0xd0, 0xcf, 0x11, 0xe0) || beginsWith(0x1f, 0x8b))
    throw refuseFile('must be a text of comma separated values, not a spreadsheet or an archive');
};

/** The text of a file, without a byte order mark. Throws `EdgeFailure` (400) where it is not UTF-8, and for a line so long
 *  that its columns would not fit the memory. Source: reference 07 §11. */
export async function* utf8Text(file: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (bytes?: Buffer): string => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch {
      throw refuseFile('must be UTF-8');
    }
  };
  let [isBeginning, lineBytes, line] = [true, 0, 1];
  for await (const bytes of file) {
    if (isBeginning) checkBeginning(bytes);
    isBeginning = false;
    const { newline, last } = first(bytes);
    if (lineBytes + newline > longestRow) throw tooLongARow(line);
    lineBytes = last < 0 ? lineBytes + bytes.length : bytes.length - last - 1;
    if (last >= 0) line += 1;
    yield decode(bytes);
  }
  yield decode();
}

/** The 400 of a row that is too long. */
export const tooLongARow = (line: number): ReturnType<typeof refuseFile> =>
  refuseFile(`has a row of more than ${longestRow} characters, near line ${line}`);
