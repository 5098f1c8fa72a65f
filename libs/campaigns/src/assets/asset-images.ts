import { type RenderOptions, toBuffer, toSVG } from 'bwip-js/node';

/** Kinds of images of a code. */
export type AssetKind = 'qr' | 'barcode';

export interface AssetImage {
  contentType: 'image/png' | 'image/svg+xml';
  body: Buffer;
}

const symbols: Record<AssetKind, string> = { qr: 'qrcode', barcode: 'code128' };
/** Widest picture of a long code, pixels. */
const maxWidth = 4_000;
const barcodeModulesPerCharacter = 11;
/** Longest text that Code 128 is drawn for, bytes. */
const maxBarcodeBytes = 500;

/** Pixels of one module: a tenth of `size`, fewer for very long bar codes. */
const scaleOf = (kind: AssetKind, text: string, size: number): number => {
  const wanted = Math.ceil(size / 10);
  if (kind === 'qr') return wanted;
  return Math.max(
    1,
    Math.min(wanted, Math.floor(maxWidth / (barcodeModulesPerCharacter * (text.length + 4)))),
  );
};

/** Draws a code. `size` is 1 to 100. Codes beyond ASCII are encoded as their UTF-8 bytes. Null for a code that is too
 *  long for a bar code. Source: spec 04 §5. */
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
