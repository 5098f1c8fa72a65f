import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { ProductSnapshot, SkuSnapshot } from '@scrip/contracts/catalog';
import {
  deleteUnlessNamed,
  type NamedObject,
  namedPerNote,
  type QualificationPort,
  qualificationPort,
} from '@scrip/contracts/qualification';
import { runQuery } from '@scrip/event-store';
import type { Refusal, RequestContext } from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import type { DataSource } from 'typeorm';

const skusSql = `
  SELECT id, source_id, created_at::text FROM skus
  WHERE project_id = $1 AND product_id = $2 AND status = 'LIVE' AND (created_at, id) > ($3::timestamptz, $4)
  ORDER BY created_at, id LIMIT ${namedPerNote}`;

/** Deletes what validation rules can name, unless they do. Source: reference 07 §6, §7, ADR 146. */
@Injectable()
export class NamedDeletions {
  constructor(
    @InjectPort(qualificationPort) private readonly qualification: QualificationPort,
    @InjectDataSource('catalog') private readonly dataSource: DataSource,
  ) {}

  /** Of a product, with its SKUs. Refuses `resource_in_use`, and what `remove` refuses. */
  product<Answer>(
    context: RequestContext,
    { id, source_id }: Pick<ProductSnapshot, 'id' | 'source_id'>,
    remove: () => Promise<Answer>,
  ): Promise<Answer | Refusal<'resource_in_use'>> {
    const pages = this.withSkus(context.project.id, { object: 'product', id, source_id });
    return deleteUnlessNamed(this.qualification, context, { pages, remove });
  }

  /** As `product`. */
  sku<Answer>(
    context: RequestContext,
    { id, source_id }: Pick<SkuSnapshot, 'id' | 'source_id'>,
    remove: () => Promise<Answer>,
  ): Promise<Answer | Refusal<'resource_in_use'>> {
    const pages = [[{ object: 'sku' as const, id, source_id }]];
    return deleteUnlessNamed(this.qualification, context, { pages, remove });
  }

  /** As `product`. */
  collection<Answer>(
    context: RequestContext,
    id: string,
    remove: () => Promise<Answer>,
  ): Promise<Answer | Refusal<'resource_in_use'>> {
    const pages = [[{ object: 'products_collection' as const, id }]];
    return deleteUnlessNamed(this.qualification, context, { pages, remove });
  }

  private async *withSkus(projectId: string, product: NamedObject): AsyncGenerator<NamedObject[]> {
    yield [product];
    let last = { created_at: '-infinity', id: '' };
    for (;;) {
      const page = await runQuery<typeof last & { source_id: string | null }>(this.dataSource, skusSql, [
        projectId,
        product.id,
        last.created_at,
        last.id,
      ]);
      if (page.length > 0) yield page.map(({ id, source_id }) => ({ object: 'sku', id, source_id }));
      if (page.length < namedPerNote) return;
      last = page.at(-1)!;
    }
  }
}
