import { raw, type RenderOptions, toSVG } from 'bwip-js/node';
import { type Pattern, patternPng } from './pattern-png';

/** Kinds of images of a code. */
export type AssetKind = 'qr' | 'barcode';

export interface AssetImage {
  contentType: 'image/png' | 'image/svg+xml';
  body: Buffer;
}

const symbols: Record<AssetKind, string> = { qr: 'qrcode', barcode: 'code128' };
/** Widest picture of a long code, pixels: a QR code is as high as it is wide, and drawing takes time for each pixel. */
const widthMax: Record<AssetKind, number> = { qr: 600, barcode: 4_000 };
const barcodeModulesPerCharacter = 11;
/** Longest text that Code 128 is drawn for, bytes. */
const barcodeBytesMax = 500;

/** Units at the side of a QR code for so many bytes, or a few more: two for each module, and a version v holds about
 *  1.2 v² + 8 v bytes. */
const qrUnits = (bytes: number): number =>
  2 * (17 + 4 * Math.ceil((Math.sqrt(64 + 4.8 * (bytes + 3)) - 8) / 2.4));

/** Pixels of one unit: a tenth of `size`, fewer for long codes. */
const scaleOf = (kind: AssetKind, text: string, size: number): number => {
  const units = kind === 'qr' ? qrUnits(text.length) : barcodeModulesPerCharacter * (text.length + 4);
  return Math.max(1, Math.min(Math.ceil(size / 10), Math.floor(widthMax[kind] / units)));
};

/** What a code is drawn as. `size` is 1 to 100. */
export interface AssetStyle {
  size: number;
  format: 'png' | 'svg';
}

const textOf = (code: string): string => Buffer.from(code).toString('latin1');

/** Names the image of a code: sizes that are drawn alike have one. */
export const nameOfImage = (kind: AssetKind, code: string, { size, format }: AssetStyle): string =>
  `${kind} ${format} ${scaleOf(kind, textOf(code), size)} ${code}`;

const marginUnits = 2;
const barcodeHeightUnits = 72;

/** The lines of a QR code are as high as wide, two units; the one of a bar code tells of widths, bars and gaps in turn. */
const patternOf = (options: RenderOptions, scale: number): Pattern => {
  const [symbol] = raw(options);
  if (!symbol) throw new Error(`no symbol was made of ${options.bcid}`);
  const margin = marginUnits * scale;
  if ('pixs' in symbol) {
    const { pixs, pixx, pixy } = symbol;
    const lines = Array.from({ length: pixy }, (_, line) => pixs.slice(line * pixx, (line + 1) * pixx));
    return { lines, width: 2 * scale, height: 2 * scale, margin };
  }
  const line = symbol.sbs.flatMap((units, index) => Array.from({ length: units }, () => (index + 1) % 2));
  return { lines: [line], width: scale, height: barcodeHeightUnits * scale, margin };
};

/** Draws a code. Codes beyond ASCII are encoded as their UTF-8 bytes. Null for a code that is too
 *  long for a bar code. Source: reference 04 §5. */
export const drawCode = async (
  kind: AssetKind,
  code: string,
  { size, format }: AssetStyle,
): Promise<AssetImage | null> => {
  const text = textOf(code);
  if (kind === 'barcode' && text.length > barcodeBytesMax) return null;
  const scale = scaleOf(kind, text, size);
  const options: RenderOptions = {
    bcid: symbols[kind],
    text,
    binarytext: true,
    scale,
    paddingwidth: marginUnits,
    paddingheight: marginUnits,
    backgroundcolor: 'FFFFFF',
  };
  return format === 'svg'
    ? { contentType: 'image/svg+xml', body: Buffer.from(toSVG(options)) }
    : { contentType: 'image/png', body: await patternPng(patternOf(options, scale)) };
};
