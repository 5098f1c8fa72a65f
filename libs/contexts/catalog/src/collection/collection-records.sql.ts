/** Values of a statement: the project, and ids of products and of SKUs, as placeholders. */
interface Places {
  project: string;
  products: string;
  skus: string;
}

/** A product `p` as filters of collections look at it. */
export const productRecord = `
  p.project_id, 'product' AS object, p.id, NULL::text AS product_id, p.id AS owner_id, p.source_id, p.name,
  (p.state->'product'->>'price')::numeric AS price, p.state->'product'->'attributes' AS attributes,
  p.state->'product'->>'image_url' AS image_url, p.state->'product'->'metadata' AS metadata,
  p.created_at, p.updated_at`;

/** A SKU `s` of the product `owner`, likewise. */
export const skuRecord = `
  s.project_id, 'sku' AS object, s.id, s.product_id, s.product_id AS owner_id, s.source_id, s.sku AS name,
  (s.snapshot->>'price')::numeric AS price,
  (SELECT jsonb_agg(key) FROM jsonb_object_keys(s.snapshot->'attributes') AS key) AS attributes,
  s.snapshot->>'image_url' AS image_url, (owner.state->'product'->'metadata') || (s.snapshot->'metadata') AS metadata,
  s.created_at, s.updated_at`;

/** Selects live products and SKUs by id, as filters of collections look at them: metadata of a SKU are its product's
 *  overlaid by its own, prices are each one's own, attributes of a SKU are the keys of which it has a value.
 *  Source: reference 07 §6, §7. */
export const recordsSql = ({ project, products, skus }: Places): string => `
  SELECT ${productRecord}
  FROM products p
  WHERE p.project_id = ${project} AND p.id = ANY(${products}::text[]) AND p.status = 'LIVE'
  UNION ALL
  SELECT ${skuRecord}
  FROM skus s
  JOIN products owner ON owner.project_id = s.project_id AND owner.id = s.product_id AND owner.status = 'LIVE'
  WHERE s.project_id = ${project} AND s.id = ANY(${skus}::text[]) AND s.status = 'LIVE'`;
