import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import type { SkuSnapshot } from '@scrip/contracts/catalog';
import { ContextOf, Ctx, Ids, listOf, Operation, Refusals } from '@scrip/edge';
import { type IdSource, isRefused, type RequestContext } from '@scrip/kernel';
import { type CatalogRefusal, catalogRefusals } from '../catalog.refusals';
import { deletionOf, DeletionQuery } from '@scrip/trash-bin';
import { ProductReads } from '../product/product.reads';
import type { SkuFields } from './sku.commands';
import { SkuChangeBody, SkuUpsertBody } from './sku.dto';
import { SkuHandlers } from './sku.handlers';
import { SkuListQuery, SkuReads } from './sku.reads';
import { renderSku } from './sku.wire';

const fieldsOf = ({ sku, price, currency, attributes, metadata, image_url }: SkuChangeBody): SkuFields => ({
  ...(sku !== undefined && { sku }),
  ...(price !== undefined && { price }),
  ...(currency !== undefined && { currency }),
  ...(attributes !== undefined && { attributes: attributes ?? {} }),
  ...(metadata && { metadata }),
  ...(image_url !== undefined && { image_url }),
});

const rendered = (sku: SkuSnapshot | CatalogRefusal) => (isRefused(sku) ? sku : renderSku(sku));

const ofOne = (sku: string) => ({
  getSku: { skuId: `${sku}/id` },
  updateSku: { productId: `${sku}/product_id`, skuId: `${sku}/id` },
  deleteSku: { productId: `${sku}/product_id`, skuId: `${sku}/id` },
});

@Controller('/v1')
@ContextOf('catalog')
@Refusals(catalogRefusals)
export class SkuHttp {
  constructor(
    private readonly handlers: SkuHandlers,
    private readonly reads: SkuReads,
    private readonly products: ProductReads,
  ) {}

  @Post('products/:productId/skus')
  @Operation({
    id: 'upsertSku',
    refuses: [
      'invalid_sku',
      'resource_in_use',
      'duplicate_found',
      'resource_protected',
      'metadata_validation_failed',
    ],
    links: ofOne(''),
    summary: 'Creates a SKU of a product, or changes one',
    description:
      'Changes the SKU of `id` or, where no id is sent, of `source_id`; creates it where it is unknown. A source id is given ' +
      'once: of a SKU that exists, it stays. Attributes are those that the product declares.',
    example: {
      source_id: 'shirt-blue',
      sku: 'Blue shirt',
      price: 2_700,
      attributes: { color: 'blue' },
      metadata: { stock: 3 },
    },
    answers: { 200: 'SkuResponse' },
  })
  async create(
    @Ctx() context: RequestContext,
    @Ids() ids: IdSource,
    @Param('productId') idOrSourceId: string,
    @Body() body: SkuUpsertBody,
  ) {
    const product = await this.products.find(context, idOrSourceId);
    if (isRefused(product)) return product;
    const { id = null, source_id = null } = body;
    const fields = fieldsOf(body);
    const new_id = ids.next('sku_', 'sku');
    return rendered(
      await this.handlers.upsert(context, ids, {
        product_id: product.id,
        id,
        source_id,
        new_id,
        fields,
        override: false,
      }),
    );
  }

  @Get('products/:productId/skus')
  @Operation({
    id: 'listSkus',
    refuses: [],
    links: ofOne('/skus/0'),
    summary: 'Lists the SKUs of a product',
    description: 'By pages, or from `starting_after_id` on, as products are listed.',
    answers: { 200: { list: 'skus', of: 'SkuResponse', counts: ['total'] } },
  })
  async list(
    @Ctx() context: RequestContext,
    @Param('productId') idOrSourceId: string,
    @Query() query: SkuListQuery,
  ) {
    const product = await this.products.find(context, idOrSourceId);
    if (isRefused(product)) return product;
    const found = await this.reads.list(context, product.id, query);
    return isRefused(found) ? found : listOf('skus', found.skus.map(renderSku), { total: found.total });
  }

  @Get('skus/:skuId')
  @Operation({
    id: 'getSku',
    refuses: [],
    summary: 'Shows a SKU',
    description: 'Named by its id or its source id.',
    answers: { 200: 'SkuResponse' },
  })
  async get(@Ctx() context: RequestContext, @Param('skuId') idOrSourceId: string) {
    return rendered(await this.reads.find(context, idOrSourceId));
  }

  @Put('products/:productId/skus/:skuId')
  @Operation({
    id: 'updateSku',
    refuses: ['invalid_sku', 'duplicate_found', 'metadata_validation_failed'],
    summary: 'Changes a SKU',
    description: 'Named by its id or its source id. Fields that are not sent stay; metadata are merged.',
    example: { price: 2_600 },
    answers: { 200: 'SkuResponse' },
  })
  async update(
    @Ctx() context: RequestContext,
    @Param('productId') productId: string,
    @Param('skuId') skuId: string,
    @Body() body: SkuChangeBody,
  ) {
    const sku = await this.skuOf(context, productId, skuId);
    return isRefused(sku) ? sku : rendered(await this.handlers.update(context, sku, fieldsOf(body)));
  }

  @Delete('products/:productId/skus/:skuId')
  @HttpCode(204)
  @Operation({
    id: 'deleteSku',
    refuses: ['resource_in_use'],
    summary: 'Deletes a SKU that no rule names',
    description:
      'Named by its id or its source id: into the bin, where its source id stays taken until it is purged there, or for good ' +
      'with `force=true`.',
    answers: { 204: null },
  })
  async delete(
    @Ctx() context: RequestContext,
    @Param('productId') productId: string,
    @Param('skuId') skuId: string,
    @Ids() ids: IdSource,
    @Query() query: DeletionQuery,
  ): Promise<CatalogRefusal | undefined> {
    const sku = await this.skuOf(context, productId, skuId);
    if (isRefused(sku)) return sku;
    const deleted = await this.handlers.delete(context, sku, deletionOf(query, ids));
    return isRefused(deleted) ? deleted : undefined;
  }

  /** Refuses `not_found`, which names the product before the SKU. */
  private async skuOf(
    context: RequestContext,
    productId: string,
    skuId: string,
  ): Promise<SkuSnapshot | CatalogRefusal> {
    const product = await this.products.find(context, productId);
    return isRefused(product) ? product : this.reads.find(context, skuId, product.id);
  }
}
