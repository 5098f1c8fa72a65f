import type { Provider } from '@nestjs/common';
import { purposeRing, SCRIP_CONFIG, type ScripConfig } from '@scrip/service';
import { assetIds, assetIdsPurpose } from '@scrip/wire/campaigns';

/** Provider token of `AssetIds` under this process's master key and address. */
export const ASSET_IDS = Symbol.for('scrip.campaigns.asset-ids');

export const assetIdsProvider: Provider = {
  provide: ASSET_IDS,
  inject: [SCRIP_CONFIG],
  useFactory: (config: ScripConfig) => assetIds(purposeRing(config, assetIdsPurpose), () => config.baseUrl),
};
