import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPrivateFile } from './private-file';

/** How Scrip runs on a data directory. */
export type ShapeOfData = 'embedded' | 'distributed';

/** The data directory is the other shape's. */
export class OtherShapesData extends Error {
  override readonly name = 'OtherShapesData';
}

const commandOf: Record<ShapeOfData, string> = {
  embedded: 'npm start',
  distributed: 'npm run start:services',
};

const pathOf = (dataDir: string): string => join(dataDir, 'shape');

/** Throws `OtherShapesData` when the data directory is the other shape's: the two count differently how far consumers have
 *  come, so that one could skip events that the other has not dealt with. */
export const checkShape = (dataDir: string, shape: ShapeOfData): void => {
  if (!existsSync(pathOf(dataDir))) return;
  const kept = readFileSync(pathOf(dataDir), 'utf8').trim();
  if (kept === shape) return;
  throw new OtherShapesData(
    `${dataDir} was made by ${commandOf[kept as ShapeOfData] ?? kept}, and ${commandOf[shape]} needs one of its own: ` +
      'choose another folder with SCRIP_DATA_DIR',
  );
};

/** Makes the data directory this shape's, for good. To be called before anything consumes events, and not earlier: a start
 *  that fails for want of a server takes nothing. Throws as `checkShape`. */
export const keepShape = (dataDir: string, shape: ShapeOfData): void => {
  if (!createPrivateFile(pathOf(dataDir), `${shape}\n`)) checkShape(dataDir, shape);
};
