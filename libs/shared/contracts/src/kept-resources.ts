/** What templates keep, as `created_resources` names it. */
export type ResourceObject =
  'validation_rules' | 'product' | 'sku' | 'products_collection' | 'segments' | 'location';

/** Something that a setup made beside the campaign or tier. */
export interface CreatedResource {
  id: string;
  object: ResourceObject;
}

/** A kept record that has another id in the project. */
export interface RenamedResource {
  object: ResourceObject;
  /** As what refers to it was kept. */
  from: string;
  to: string;
}

/** Where the records that a template keeps are in a project: found unchanged, or created. */
export interface RestoredResources {
  renamed: RenamedResource[];
  created: CreatedResource[];
}

/** How many bytes of JSON the records of one owner have together at most that it keeps for a template. */
export const keptBytesMax = 524_288;
