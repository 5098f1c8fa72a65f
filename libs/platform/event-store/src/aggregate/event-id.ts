import type { IdSource } from '@scrip/kernel';

const uuidForm = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** The id of the n-th event that a command appends to a stream; the same however often a command of these ids is decided. */
export const eventIdOf = (
  ids: IdSource,
  { aggregate, streamId, index }: { aggregate: string; streamId: string; index: number },
): string => uuidForm(ids.next('', `event:${aggregate}:${streamId}:${index}`));
