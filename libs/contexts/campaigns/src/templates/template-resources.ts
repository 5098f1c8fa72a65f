import { Injectable } from '@nestjs/common';
import { type AuthPort, authPort, type KeptLocation, locationsPerCall } from '@scrip/contracts/auth';
import type { CampaignTemplateSnapshot, KeptResources } from '@scrip/contracts/campaigns';
import { type CatalogPort, catalogPort } from '@scrip/contracts/catalog';
import { type CustomersPort, customersPort } from '@scrip/contracts/customers';
import type { RuleDefinition } from '@scrip/contracts/qualification';
import type { CreatedResource, RenamedResource, RestoredResources } from '@scrip/contracts/snapshot';
import { isRefused, type Refusal, refuse, type RequestContext } from '@scrip/kernel';
import { filtersOf, locationsOf } from '@scrip/list-query';
import { InjectPort } from '@scrip/rpc';
import type { CampaignsRefusal } from '../campaigns.refusals';
import type { KeptContent } from './template-content';
import { namedMetadata, TemplateMetadata } from './template-metadata';
import { referencesOf, withIds } from './template-references';

/** Bytes of JSON that a template may have: far from the limit of an event. */
const templateBytesMax = 640_000;

/** A template whose rules and discount name records of the project, and what was created for it. */
export interface RestoredTemplate {
  template: CampaignTemplateSnapshot;
  created: CreatedResource[];
}

const locationsIn = ({ segments, catalog }: Pick<KeptResources, 'segments' | 'catalog'>): string[] => [
  ...new Set(
    [...segments, ...catalog.collections].flatMap(({ filter }) =>
      filter ? locationsOf(filtersOf(filter)) : [],
    ),
  ),
];

const pagesOf = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / locationsPerCall) }, (_, page) =>
    items.slice(page * locationsPerCall, (page + 1) * locationsPerCall),
  );

/** What templates keep of records that other contexts own: what their rules and discounts name, and what that refers to. Source:
 *  reference 04 §12. */
@Injectable()
export class TemplateResources {
  constructor(
    @InjectPort(authPort) private readonly auth: AuthPort,
    @InjectPort(catalogPort) private readonly catalog: CatalogPort,
    @InjectPort(customersPort) private readonly customers: CustomersPort,
    private readonly metadata: TemplateMetadata,
  ) {}

  /** Records as they are now; none are asked for where nothing is named. Refuses `invalid_payload` for static segments, and for
   *  more than a template holds. Throws `Fault` where an owner does not answer. */
  async keep(
    context: RequestContext,
    kept: KeptContent & { rules: RuleDefinition[] },
  ): Promise<KeptResources | Refusal<'invalid_payload'>> {
    const references = referencesOf(kept);
    const namesRecords = Object.values(references.catalog).some((ids) => ids.length > 0);
    const catalog = namesRecords
      ? await this.catalog.keepRecords(context, { references: references.catalog })
      : { products: [], skus: [], collections: [] };
    if (isRefused(catalog)) return catalog;
    const named = references.segments.length
      ? await this.customers.keepSegments(context, { ids: references.segments })
      : { segments: [] };
    if (isRefused(named)) return named;
    const { segments } = named;
    const locations: KeptLocation[] = [];
    for (const ids of pagesOf(locationsIn({ segments, catalog })))
      locations.push(...(await this.auth.keepLocations(context, { ids })).locations);
    const metadata_types = await this.metadata.typesOf(
      context,
      namedMetadata(kept.rules, { catalog, segments }),
    );
    const resources = { catalog, segments, locations, metadata_types };
    return Buffer.byteLength(JSON.stringify({ ...kept, resources })) <= templateBytesMax
      ? resources
      : refuse('invalid_payload', `A template has at most ${templateBytesMax} bytes`);
  }

  /** Finds in the project what the template names, and creates what is missing or has changed: first what others refer to. What
   *  is created stays, and is found again, also where what is made of the template is refused afterwards. Refuses as the owners
   *  of the records do; throws `Fault` where one does not answer. */
  async restore(
    context: RequestContext,
    template: CampaignTemplateSnapshot,
  ): Promise<RestoredTemplate | CampaignsRefusal> {
    const { id: template_id, resources, rules = [] } = template;
    if (!resources) return { template, created: [] };
    const misfit = await this.metadata.mustBeTheSame(context, resources.metadata_types);
    if (misfit) return misfit;
    const { catalog, segments } = resources;
    const renamed: RenamedResource[] = [];
    const created: CreatedResource[] = [];
    const take = (restored: RestoredResources): void => {
      renamed.push(...restored.renamed);
      created.push(...restored.created);
    };
    for (const locations of pagesOf(resources.locations)) {
      const restored = await this.auth.restoreLocations(context, { template_id, locations });
      if (isRefused(restored)) return restored;
      take(restored);
    }
    if (catalog.products.length + catalog.skus.length + catalog.collections.length > 0) {
      const restored = await this.catalog.restoreRecords(context, { template_id, kept: catalog, renamed });
      if (isRefused(restored)) return restored;
      take(restored);
    }
    if (segments.length > 0) {
      const restored = await this.customers.restoreSegments(context, { template_id, segments, renamed });
      if (isRefused(restored)) return restored;
      take(restored);
    }
    const ids = new Map(renamed.map(({ object, from, to }) => [`${object} ${from}`, to]));
    const idOf = (object: string, id: string): string =>
      object === 'unit'
        ? (ids.get(`product ${id}`) ?? ids.get(`sku ${id}`) ?? id)
        : (ids.get(`${object} ${id}`) ?? id);
    return { template: withIds({ ...template, rules }, idOf), created };
  }
}
