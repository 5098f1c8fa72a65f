import type { CustomerSnapshot } from '@scrip/contracts/customers';
import type { VoucherAssets } from '@scrip/wire/campaigns';
import type { WebhookKind } from './kinds';

/** The data a renderer may use beside the event: loaded customers, and links to a code's images. */
export interface Relations {
  /** Returns null without a customer, and for an erased one; a deleted one as it was then. */
  customer(id: string | null): CustomerSnapshot | null;
  assets(code: string): VoucherAssets;
  /** The tracking id of an identity, in the project of the event. */
  trackingId(identity: string): string;
  /** The user whose session caused the fact; null where none did. */
  user: { id: string } | null;
}

/** What a public event is about, and its `data`. */
export interface Rendered {
  entityId: string;
  data: object;
}

/** Renders the public events of one kind from one type of domain event. Pure. */
export interface Renderer<Data = never> {
  kind: WebhookKind;
  /** Type of the domain event. */
  of: string;
  /** Ids of the customers it shows. */
  customers?: (data: Data) => (string | null)[];
  /** Returns `data` and entity of the public event; null when the fact has none, a list when it has one for each of several
   *  entities. */
  render: (data: Data, relations: Relations) => Rendered | Rendered[] | null;
}

/** Binds a renderer to the type of its domain event. */
export const rendererOf = <Event extends { type: string; data: object }>(
  renderer: Renderer<Event['data']> & { of: Event['type'] },
): Renderer => renderer as unknown as Renderer;
