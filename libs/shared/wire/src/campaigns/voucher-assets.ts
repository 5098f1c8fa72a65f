import { type Keyring, SealBroken } from '@scrip/kernel';

/** Images of a code; `id` does not reveal the code. Source: reference 04 §5. */
export interface VoucherAssets {
  qr: { id: string; url: string };
  barcode: { id: string; url: string };
}

/** Makes and reads the ids under which a code's images are public. The same code of the same project keeps its id. */
export interface AssetIds {
  of(projectId: string, code: string): VoucherAssets;
  /** The code behind an id; null when the id was not made here. */
  codeOf(assetId: string): string | null;
}

/** The purpose of the keys of asset ids. */
export const assetIdsPurpose = 'voucher-assets';

/** `keys`: those of the purpose; `baseUrl`: where the API is reached, without a slash at its end; a function where that is
 *  known only after the start. Source: reference 04 §5. */
export const assetIds = (keys: Keyring, baseUrl: string | (() => string)): AssetIds => {
  const urlOf = typeof baseUrl === 'function' ? baseUrl : () => baseUrl;
  return {
    of(projectId, code) {
      const id = keys.sealDeterministic(JSON.stringify([projectId, code]));
      return {
        qr: { id, url: `${urlOf()}/v1/assets/qr/${id}` },
        barcode: { id, url: `${urlOf()}/v1/assets/barcode/${id}` },
      };
    },
    codeOf(assetId) {
      try {
        return (JSON.parse(keys.openDeterministic(assetId)) as [string, string])[1];
      } catch (error) {
        if (error instanceof SealBroken) return null;
        throw error;
      }
    },
  };
};
