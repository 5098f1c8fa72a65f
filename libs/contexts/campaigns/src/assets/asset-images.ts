import { type RenderOptions, toBuffer, toSVG } from 'bwip-js/node';

/** Kinds of images of a code. */
export type AssetKind = 'qr' | 'barcode';

export interface AssetImage {
  contentType: 'image/png' | 'image/svg+xml';
  body: Buffer;
}

const symbols: Record<AssetKind, string> = { qr: 'qrcode', barcode: 'code128' };
/** Widest picture of a long code, pixels: a QR code is as high as it is wide, and drawing takes time for each pixel. */
const maxWidth: Record<AssetKind, number> = { qr: 600, barcode: 4_000 };
const barcodeModulesPerCharacter = 11;
/** Longest text that Code 128 is drawn for, bytes. */
const maxBarcodeBytes = 500;

/** Units at the side of a QR code for so many bytes, or a few more: two for each module, and a version v holds about
 *  1.2 v² + 8 v bytes. */
const qrUnits = (bytes: number): number =>
  2 * (17 + 4 * Math.ceil((Math.sqrt(64 + 4.8 * (bytes + 3)) - 8) / 2.4));

/** Pixels of one unit: a tenth of `size`, fewer for long codes. */
const scaleOf = (kind: AssetKind, text: string, size: number): number => {
  const units = kind === 'qr' ? qrUnits(text.length) : barcodeModulesPerCharacter * (text.length + 4);
  return Math.max(1, Math.min(Math.ceil(size / 10), Math.floor(maxWidth[kind] / units)));
};

/** Draws a code. `size` is 1 to 100. Codes beyond ASCII are encoded as their UTF-8 bytes. Null for a code that is too
 *  long for a bar code. Source: reference 04 §5. */
export const drawCode = async (
  kind: AssetKind,
  code: string,
  { size, format }: { size: number; format: 'png' | 'svg' },
): Promise<AssetImage | null> => {
  const text = Buffer.from(code).toString('latin1');
  if (kind === 'barcode' && text.length > maxBarcodeBytes) return null;
  const options: RenderOptions = {
    bcid: symbols[kind],
    text,
    binarytext: true,
    scale: scaleOf(kind, text, size),
    paddingwidth: 2,
    paddingheight: 2,
    backgroundcolor: 'FFFFFF',
  };
  return format === 'svg'
    ? { contentType: 'image/svg+xml', body: Buffer.from(toSVG(options)) }
    : { contentType: 'image/png', body: await toBuffer(options) };
};
