import { Turns } from '@scrip/kernel';
import { LRUCache } from 'lru-cache';
import { type AssetImage, type AssetKind, type AssetStyle, drawCode, nameOfImage } from './asset-images';

/** Bytes of the images that a process keeps, their names with them. */
const keptBytes = 16_777_216;
const bytesBesides = 500;

/** One code is drawn at a time; others wait, of one code 4 at most. */
const turnSizes = { turns: { total: 1, perHolder: 1 }, places: { total: 100, perHolder: 4 } };
const patienceMs = 3_000;

/** How long nothing is drawn after an image, in times of what it took: all drawing together takes a quarter of the process. */
const restTimes = 3;
const longestRestMs = 1_000;

/** Draws codes one at a time, and keeps the images: one takes up to 100 ms in which the process serves no other call, and needs no
 *  credentials. Source: reference 04 §5. */
export class DrawnCodes {
  private readonly kept: LRUCache<string, AssetImage>;
  private readonly turns = new Turns(turnSizes, 'too many codes are being drawn');

  constructor(
    private readonly draw: typeof drawCode = drawCode,
    maxSize = keptBytes,
  ) {
    this.kept = new LRUCache({
      maxSize,
      sizeCalculation: ({ body }, name) => body.length + 2 * name.length + bytesBesides,
    });
  }

  /** Returns what `drawCode` does. Throws `Fault` (503) where too many codes wait to be drawn. */
  async image(kind: AssetKind, code: string, style: AssetStyle): Promise<AssetImage | null> {
    const name = nameOfImage(kind, code, style);
    return this.kept.get(name) ?? this.drawInTurn(name, () => this.draw(kind, code, style), code);
  }

  private async drawInTurn(
    name: string,
    draw: () => Promise<AssetImage | null>,
    code: string,
  ): Promise<AssetImage | null> {
    const endTurn = await this.turns.take(code, patienceMs);
    const begunMs = performance.now();
    try {
      const known = this.kept.get(name);
      if (known) return known;
      const drawn = await draw();
      if (drawn) this.kept.set(name, drawn);
      return drawn;
    } finally {
      const restMs = Math.min(longestRestMs, restTimes * (performance.now() - begunMs));
      setTimeout(endTurn, restMs).unref();
    }
  }
}
