import type { CustomerSnapshot, VoucherAssets } from '@scrip/contracts';
import type { WebhookKind } from './kinds';

/** What a renderer may use beside the event: customers, loaded before, and links to a code's images. */
export interface Relations {
  /** Null for nobody, and for somebody who is gone. */
  customer(id: string | null): CustomerSnapshot | null;
  assets(code: string): VoucherAssets;
}

/** Renders the public events of one kind from one type of domain event. Pure. */
export interface Renderer<Data = never> {
  kind: WebhookKind;
  /** Type of the domain event. */
  of: string;
  /** Ids of the customers it shows. */
  customers?: (data: Data) => (string | null)[];
  /** `data` and entity of the public event; null where the fact is not told. */
  render: (data: Data, relations: Relations) => { entityId: string; data: object } | null;
}

/** Binds a renderer to the type of its domain event. */
export const rendererOf = <Event extends { type: string; data: object }>(
  renderer: Renderer<Event['data']> & { of: Event['type'] },
): Renderer => renderer as unknown as Renderer;
