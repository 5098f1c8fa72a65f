import { Injectable } from '@nestjs/common';
import {
  type CatalogPort,
  catalogPort,
  catalogueOf,
  collectionsOfLines,
  namedItems,
} from '@scrip/contracts/catalog';
import type { RequestContext } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import type { AskedTerms } from '../candidates/candidates.reads';
import type { QualificationRefusal } from '../qualification.refusals';
import {
  countingItems,
  type LoadedOrder,
  type RequestOrder,
  requestOrder,
} from '../evaluation/request-order';
import { collectionsOfLine } from '../evaluation/rule-inputs';

/** Loads what the lines of a request are known by. */
@Injectable()
export class RequestLines {
  constructor(@InjectPort(catalogPort) private readonly catalog: CatalogPort) {}

  /** The order with the records of its lines and with those of the asked collections that hold them; of collections that are too many
   *  to be asked for, none. Null: the request has none. Refuses an order that cannot be calculated with. */
  async of(
    context: RequestContext,
    loaded: LoadedOrder | null,
    { collections }: Pick<AskedTerms, 'collections'>,
  ): Promise<RequestOrder | null | QualificationRefusal> {
    if (!loaded) return null;
    const lines = countingItems(loaded);
    const [found, memberships] = await Promise.all([
      loaded.found ?? namedItems(this.catalog, context, lines),
      collections.length === 0 || lines.length === 0
        ? null
        : collectionsOfLines(this.catalog, context, lines, collections),
    ]);
    return requestOrder(loaded.sent, loaded.stored, {
      catalogue: catalogueOf(found),
      ...(memberships && { collections: memberships.map(collectionsOfLine) }),
    });
  }
}
