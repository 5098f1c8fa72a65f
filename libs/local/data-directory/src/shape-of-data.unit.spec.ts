import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OtherShapesData, checkShape, keepShape } from './shape-of-data';

describe('the shape of a data directory', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'scrip-shape-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("is nobody's before the first start that comes so far", () => {
    checkShape(folder, 'distributed');
    checkShape(folder, 'embedded');
  });

  it('is that of the first start, and of every later one', () => {
    keepShape(folder, 'distributed');
    keepShape(folder, 'distributed');
    expect(() => keepShape(folder, 'embedded')).toThrow(OtherShapesData);
    expect(() => keepShape(folder, 'embedded')).toThrow(
      `${folder} was made by npm run start:services, and npm start needs one of its own`,
    );
    expect(() => checkShape(folder, 'embedded')).toThrow(OtherShapesData);
    checkShape(folder, 'distributed');
  });
});
