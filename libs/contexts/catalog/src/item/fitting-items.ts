import type { CatalogItem } from '@scrip/contracts/catalog';

/** Bytes of JSON that fit one answer between services, with its envelope. */
const answerBytes = 900_000;

/** The first of the items, as many as fit one answer between services, and at least one: each has at most a few times the bytes that
 *  metadata can have. */
export const fittingOf = (items: readonly CatalogItem[]): CatalogItem[] => {
  let left = answerBytes;
  const beyond = items.findIndex((item, index) => {
    left -= Buffer.byteLength(JSON.stringify(item)) + 1;
    return left < 0 && index > 0;
  });
  return beyond < 0 ? [...items] : items.slice(0, beyond);
};
