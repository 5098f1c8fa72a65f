import { Inject, Injectable } from '@nestjs/common';
import { purposeRing, SCRIP_CONFIG, type ScripConfig } from '@scrip/service';
import { type AssetIds, assetIds, assetIdsPurpose, type VoucherAssets } from '@scrip/wire/campaigns';
import { LRUCache } from 'lru-cache';

/** The images of codes; those that were shown last are kept. Source: reference 04 §5. */
@Injectable()
export class KnownAssets {
  private readonly assets: AssetIds;
  private readonly known = new LRUCache<string, VoucherAssets>({ max: 10_000 });

  constructor(@Inject(SCRIP_CONFIG) config: ScripConfig) {
    this.assets = assetIds(purposeRing(config, assetIdsPurpose), () => config.baseUrl);
  }

  of(projectId: string, code: string): VoucherAssets {
    const key = `${projectId}\n${code}`;
    const known = this.known.get(key);
    if (known) return known;
    const made = this.assets.of(projectId, code);
    this.known.set(key, made);
    return made;
  }
}
