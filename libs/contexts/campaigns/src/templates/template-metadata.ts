import { Injectable } from '@nestjs/common';
import type { KeptMetadataType, KeptResources } from '@scrip/contracts/campaigns';
import type { RuleDefinition } from '@scrip/contracts/qualification';
import type { Metadata } from '@scrip/contracts/snapshot';
import { type Refusal, refuse, type RequestContext } from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import { rulesIn } from './kept-rules';

type NamedProperty = Omit<KeptMetadataType, 'type'>;

/** Whose metadata rules look at. Source: reference 02 §3. */
const schemaOfRule: Readonly<Record<string, KeptMetadataType['related_object']>> = {
  'customer.metadata': 'customer',
  'order.metadata': 'order',
  'redemption.metadata': 'redemption',
  'order.items.metadata': 'order_item',
  'order.items.metadata_any': 'order_item',
  'order.items.metadata_each': 'order_item',
  'product.metadata': 'product',
};

const ofMetadata = 'metadata.';

const inFilter = (
  filter: Metadata | null,
  related_object: KeptMetadataType['related_object'],
): NamedProperty[] =>
  Object.keys(filter ?? {}).flatMap((field) =>
    field.startsWith(ofMetadata) ? [{ related_object, property: field.slice(ofMetadata.length) }] : [],
  );

/** The metadata that rules, segments and collections of a template look at, each once. */
export const namedMetadata = (
  rules: readonly RuleDefinition[],
  { segments, catalog }: Pick<KeptResources, 'segments' | 'catalog'>,
): NamedProperty[] => {
  const named = [
    ...rules.flatMap((rule) =>
      rulesIn(rule.rules).flatMap(({ name, property }) => {
        const related_object = schemaOfRule[name];
        return related_object && property !== null ? [{ related_object, property }] : [];
      }),
    ),
    ...segments.flatMap(({ filter }) => inFilter(filter, 'customer')),
    ...catalog.collections.flatMap(({ filter }) => inFilter(filter, 'product')),
  ];
  return [...new Map(named.map((one) => [`${one.related_object} ${one.property}`, one])).values()];
};

/** The types of metadata that rules and filters of templates compare by. Source: reference 04 §12. */
@Injectable()
export class TemplateMetadata {
  constructor(private readonly schemas: MetadataSchemas) {}

  /** The types of these; those without a definition are left out. Throws `Fault` where auth does not answer. */
  async typesOf(context: RequestContext, named: readonly NamedProperty[]): Promise<KeptMetadataType[]> {
    const types: KeptMetadataType[] = [];
    for (const { related_object, property } of named) {
      const type = (await this.schemas.of(context, related_object))?.typeOf(property);
      if (type !== undefined) types.push({ related_object, property, type });
    }
    return types;
  }

  /** Refuses `metadata_validation_failed` for the first whose type is another one in the project; a definition that is missing is none. */
  async mustBeTheSame(
    context: RequestContext,
    kept: readonly KeptMetadataType[],
  ): Promise<Refusal<'metadata_validation_failed'> | null> {
    const now = new Map(
      (await this.typesOf(context, kept)).map((one) => [`${one.related_object} ${one.property}`, one.type]),
    );
    for (const { related_object, property, type } of kept) {
      const other = now.get(`${related_object} ${property}`) ?? type;
      if (other !== type) {
        return refuse(
          'metadata_validation_failed',
          `Property ${related_object}.metadata.${property} is ${other}, and ${type} in the template`,
        );
      }
    }
    return null;
  }
}
