import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';

/** Lines of units, dark where they are 1, one below the other. */
export interface Pattern {
  lines: readonly (readonly number[])[];
  /** Pixels of one unit. */
  width: number;
  height: number;
  /** Light pixels on every side. */
  margin: number;
}

const compress = promisify(deflate);

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const [grey, up] = [0, 2];

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

/** A row of pixels, eight to a byte; light ones are 1. */
const rowOf = (line: readonly number[], { width, margin }: Pattern, pixels: number): Buffer => {
  const row = Buffer.alloc(Math.ceil(pixels / 8), 0xff);
  line.forEach((unit, index) => {
    if (unit !== 1) return;
    const from = margin + index * width;
    for (let at = from; at < from + width; at += 1) row[at >> 3]! &= ~(0x80 >> (at & 7));
  });
  return row;
};

/** Draws a pattern as PNG, black and white. A row that is like the one above it costs next to nothing. Source: RFC 2083. */
export const patternPng = async (pattern: Pattern): Promise<Buffer> => {
  const { lines, height, margin } = pattern;
  const [columns, rows] = [
    2 * margin + pattern.width * (lines[0]?.length ?? 0),
    2 * margin + height * lines.length,
  ];
  const [rowBytes, light] = [1 + Math.ceil(columns / 8), rowOf([], pattern, columns)];
  // Each row is the difference to the one above, none unless it is written.
  const raw = Buffer.alloc(rowBytes * rows);
  for (let row = 0; row < rows; row += 1) raw[row * rowBytes] = up;
  const begin = (row: number, pixels: Buffer): void => {
    raw[row * rowBytes] = 0;
    pixels.copy(raw, row * rowBytes + 1);
  };
  begin(0, light);
  lines.forEach((line, index) => begin(margin + index * height, rowOf(line, pattern, columns)));
  begin(rows - margin, light);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(columns, 0);
  header.writeUInt32BE(rows, 4);
  header.set([1, grey, 0, 0, 0], 8);
  const data = await compress(raw);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};
