import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import type { ProductSnapshot } from '@scrip/contracts/catalog';
import { ContextOf, Ctx, Ids, IsOneOf, listOf, Operation, Refusals } from '@scrip/edge';
import { type IdSource, isRefused, type RequestContext } from '@scrip/kernel';
import { IsOptional } from 'class-validator';
import { type CatalogRefusal, catalogRefusals } from '../catalog.refusals';
import type { ProductFields } from './product.commands';
import { ProductChangeBody, ProductUpsertBody } from './product.dto';
import { deletionOf, DeletionQuery } from '@scrip/trash-bin';
import { ProductHandlers } from './product.handlers';
import { ProductListQuery } from './product-list.query';
import { ProductReads } from './product.reads';
import { type ProductInFullResponse, renderProduct, renderProductInFull } from './product.wire';

class ProductQuery {
  @IsOptional() @IsOneOf(['sku']) hide?: 'sku';
}

const example = {
  source_id: 'shirt',
  name: 'Shirt',
  price: 2_500,
  attributes: ['color', 'size'],
  image_url: 'https://shop.example.com/shirt.png',
  metadata: { season: 'spring' },
};

/** What a body says of a product. */
export const fieldsOf = ({
  name,
  price,
  attributes,
  metadata,
  image_url,
}: ProductChangeBody): ProductFields => ({
  ...(name !== undefined && { name }),
  ...(price !== undefined && { price }),
  ...(attributes !== undefined && { attributes: [...new Set(attributes)] }),
  ...(metadata && { metadata }),
  ...(image_url !== undefined && { image_url }),
});

const rendered = (product: ProductSnapshot | CatalogRefusal) =>
  isRefused(product) ? product : renderProduct(product);

const ofOne = (pointer: string) => ({
  getProduct: { productId: pointer },
  updateProduct: { productId: pointer },
  deleteProduct: { productId: pointer },
  upsertSku: { productId: pointer },
  listSkus: { productId: pointer },
});

@Controller('/v1/products')
@ContextOf('catalog')
@Refusals(catalogRefusals)
export class ProductHttp {
  constructor(
    private readonly handlers: ProductHandlers,
    private readonly reads: ProductReads,
  ) {}

  @Post()
  @Operation({
    id: 'upsertProduct',
    refuses: ['duplicate_found', 'resource_protected', 'metadata_validation_failed'],
    links: ofOne('/id'),
    summary: 'Creates a product, or changes one',
    description:
      'Changes the product of `id` or, where no id is sent, of `source_id`; creates it where it is unknown. A source id is ' +
      'given once: of a product that exists, it stays.',
    example,
    answers: { 200: 'ProductResponse' },
  })
  async create(@Ctx() context: RequestContext, @Ids() ids: IdSource, @Body() body: ProductUpsertBody) {
    const { id = null, source_id = null } = body;
    const new_id = ids.next('prod_', 'product');
    const upsert = { id, source_id, new_id, fields: fieldsOf(body), override: false };
    return rendered(await this.handlers.upsert(context, ids, upsert));
  }

  @Get()
  @Operation({
    id: 'listProducts',
    refuses: [],
    links: ofOne('/products/0/id'),
    summary: 'Lists products',
    description:
      'By pages, or with the id of the last product of a page as `starting_after_id` of the next: `page` then counts from ' +
      'there, and `total` stays that of all.',
    answers: { 200: { list: 'products', of: 'ProductResponse', counts: ['total'] } },
  })
  async list(@Ctx() context: RequestContext, @Query() query: ProductListQuery) {
    const found = await this.reads.list(context, query);
    if (isRefused(found)) return found;
    return listOf('products', found.products.map(renderProduct), { total: found.total });
  }

  @Get(':productId')
  @Operation({
    id: 'getProduct',
    refuses: [],
    summary: 'Shows a product',
    description:
      'Named by its id or its source id. Its SKUs, the oldest 500 of them, stand in `skus`, unless `hide=sku` is sent.',
    answers: { 200: 'ProductInFullResponse' },
  })
  async get(
    @Ctx() context: RequestContext,
    @Param('productId') idOrSourceId: string,
    @Query() { hide }: ProductQuery,
  ): Promise<ProductInFullResponse | CatalogRefusal> {
    if (hide === 'sku') return rendered(await this.reads.find(context, idOrSourceId));
    const found = await this.reads.findWithSkus(context, idOrSourceId);
    return isRefused(found) ? found : renderProductInFull(found);
  }

  @Put(':productId')
  @Operation({
    id: 'updateProduct',
    refuses: ['duplicate_found', 'resource_protected', 'metadata_validation_failed'],
    summary: 'Changes a product',
    description: 'Named by its id or its source id. Fields that are not sent stay; metadata are merged.',
    example: { price: 2_300, metadata: { season: 'summer' } },
    answers: { 200: 'ProductResponse' },
  })
  async update(
    @Ctx() context: RequestContext,
    @Param('productId') idOrSourceId: string,
    @Body() body: ProductChangeBody,
  ) {
    return rendered(await this.handlers.update(context, idOrSourceId, fieldsOf(body)));
  }

  @Delete(':productId')
  @HttpCode(204)
  @Operation({
    id: 'deleteProduct',
    refuses: ['resource_in_use', 'resource_protected'],
    summary: 'Deletes a product that no rule names',
    description:
      'Named by its id or its source id, with its SKUs: into the bin, where their source ids stay taken until it is purged there, or for ' +
      'good with `force=true`.',
    answers: { 204: null },
  })
  async delete(
    @Ctx() context: RequestContext,
    @Param('productId') idOrSourceId: string,
    @Ids() ids: IdSource,
    @Query() query: DeletionQuery,
  ): Promise<CatalogRefusal | undefined> {
    const deleted = await this.handlers.delete(context, idOrSourceId, deletionOf(query, ids));
    return deleted ?? undefined;
  }
}
