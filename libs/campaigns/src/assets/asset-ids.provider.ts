import type { Provider } from '@nestjs/common';
import { assetIds } from '@scrip/contracts';
import { SCRIP_CONFIG, type ScripConfig } from '@scrip/service';

/** Provider token of `AssetIds` under this process's master key and address. */
export const ASSET_IDS = Symbol.for('scrip.campaigns.asset-ids');

export const assetIdsProvider: Provider = {
  provide: ASSET_IDS,
  inject: [SCRIP_CONFIG],
  useFactory: (config: ScripConfig) =>
    assetIds(Buffer.from(config.masterKey.reveal(), 'base64'), () => config.baseUrl),
};
