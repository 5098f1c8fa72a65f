/** Values of a statement: the project, and ids of products and of SKUs, as placeholders. */
interface Places {
  project: string;
  products: string;
  skus: string;
}

/** Selects live products and SKUs by id, as filters of collections look at them: metadata of a SKU are its product's
 *  overlaid by its own, prices are each one's own, attributes of a SKU are the keys of which it has a value.
 *  Source: reference 07 §6, §7. */
export const recordsSql = ({ project, products, skus }: Places): string => `
  SELECT p.project_id, 'product' AS object, p.id, NULL::text AS product_id, p.id AS owner_id, p.source_id, p.name,
    (p.state->'product'->>'price')::numeric AS price, p.state->'product'->'attributes' AS attributes,
    p.state->'product'->>'image_url' AS image_url, p.state->'product'->'metadata' AS metadata,
    p.created_at, p.updated_at
  FROM products p
  WHERE p.project_id = ${project} AND p.id = ANY(${products}::text[]) AND p.status = 'LIVE'
  UNION ALL
  SELECT s.project_id, 'sku', s.id, s.product_id, s.product_id, s.source_id, s.sku,
    (s.snapshot->>'price')::numeric,
    (SELECT jsonb_agg(key) FROM jsonb_object_keys(s.snapshot->'attributes') AS key),
    s.snapshot->>'image_url', (owner.state->'product'->'metadata') || (s.snapshot->'metadata'),
    s.created_at, s.updated_at
  FROM skus s
  JOIN products owner ON owner.project_id = s.project_id AND owner.id = s.product_id AND owner.status = 'LIVE'
  WHERE s.project_id = ${project} AND s.id = ANY(${skus}::text[]) AND s.status = 'LIVE'`;
