import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import type { ProductCollectionSnapshot } from '@scrip/contracts/catalog';
import { ContextOf, Ctx, Ids, listOf, Operation, Refusals } from '@scrip/edge';
import { type IdSource, isRefused, type RequestContext } from '@scrip/kernel';
import { storedFilter } from '@scrip/list-query';
import { catalogRefusals } from '../catalog.refusals';
import { filterMustFit } from './collection-filter';
import { CollectionItemsQuery } from './collection-items-list.query';
import { CollectionListQuery } from './collection-list.query';
import type { CollectionRefusal } from './collection.decider';
import { CreateCollectionBody, UpdateCollectionBody } from './collection.dto';
import { CollectionHandlers } from './collection.handlers';
import { CollectionReads } from './collection.reads';
import { FilterContexts } from '@scrip/metadata';
import { renderCollection, renderItem } from './collection.wire';
import { newCollection } from './new-collection';

const linksTo = (pointer: string) => ({
  getProductCollection: { productCollectionId: pointer },
  updateProductCollection: { productCollectionId: pointer },
  deleteProductCollection: { productCollectionId: pointer },
  listProductsOfCollection: { productCollectionId: pointer },
});

const answer = (collection: ProductCollectionSnapshot | CollectionRefusal) =>
  isRefused(collection) ? collection : renderCollection(collection);

/** Collections of products and SKUs. Source: reference 07 §7. */
@Controller('/v1/product-collections')
@ContextOf('catalog')
@Refusals(catalogRefusals)
export class CollectionHttp {
  constructor(
    private readonly handlers: CollectionHandlers,
    private readonly reads: CollectionReads,
    private readonly filterContexts: FilterContexts,
  ) {}

  @Post()
  @Operation({
    id: 'createProductCollection',
    refuses: ['duplicate_found', 'not_found'],
    links: linksTo('/id'),
    summary: 'Creates a product collection',
    description:
      'A `STATIC` one takes `products`, at most 20 products and SKUs; a product brings its SKUs. An `AUTO_UPDATE` one takes ' +
      '`filter`, which products and SKUs are tested by separately. In a large catalogue what belongs to it is found after the ' +
      'answer, in the background.',
    example: {
      name: 'Up to ten',
      type: 'AUTO_UPDATE',
      filter: { junction: 'and', price: { conditions: { $less_than_equal: [1_000] } } },
    },
    answers: { 200: 'ProductCollectionResponse' },
  })
  async create(@Ctx() context: RequestContext, @Ids() ids: IdSource, @Body() body: CreateCollectionBody) {
    const wanted = newCollection(body, await this.filterContexts.now(context, 'product'));
    if (isRefused(wanted)) return wanted;
    return answer(await this.handlers.create(context, ids.next('pc_', 'product-collection'), wanted));
  }

  @Get()
  @Operation({
    id: 'listProductCollections',
    refuses: [],
    links: linksTo('/data/0/id'),
    summary: 'Lists product collections',
    description: 'The built-in "All Products" is among them.',
    answers: { 200: { list: 'data', of: 'ProductCollectionResponse', counts: ['total'] } },
  })
  async list(@Ctx() context: RequestContext, @Query() query: CollectionListQuery) {
    const { collections, total } = await this.reads.list(context, query);
    return listOf('data', collections.map(renderCollection), { total });
  }

  @Get(':productCollectionId')
  @Operation({
    id: 'getProductCollection',
    refuses: [],
    summary: 'Shows a product collection',
    answers: { 200: 'ProductCollectionResponse' },
  })
  async get(@Ctx() context: RequestContext, @Param('productCollectionId') id: string) {
    return answer(await this.reads.find(context, id));
  }

  @Put(':productCollectionId')
  @Operation({
    id: 'updateProductCollection',
    refuses: ['duplicate_found', 'resource_protected'],
    summary: 'Changes a product collection',
    description:
      'The name of any but the built-in one, and the filter of an `AUTO_UPDATE` one, which is replaced whole. What is not ' +
      'sent stays.',
    example: { name: 'Small things' },
    answers: { 200: 'ProductCollectionResponse' },
  })
  async update(
    @Ctx() context: RequestContext,
    @Param('productCollectionId') id: string,
    @Body() { name, filter }: UpdateCollectionBody,
  ) {
    const refusal = filter ? filterMustFit(filter, await this.filterContexts.now(context, 'product')) : null;
    if (refusal) return refusal;
    const change = { ...(name ? { name } : {}), ...(filter ? { filter: storedFilter(filter) } : {}) };
    return answer(await this.handlers.update(context, id, change));
  }

  @Delete(':productCollectionId')
  @HttpCode(204)
  @Operation({
    id: 'deleteProductCollection',
    refuses: ['resource_in_use', 'resource_protected'],
    summary: 'Deletes a product collection that no rule names',
    answers: { 204: null },
  })
  async delete(
    @Ctx() context: RequestContext,
    @Param('productCollectionId') id: string,
  ): Promise<CollectionRefusal | undefined> {
    const deleted = await this.handlers.delete(context, id);
    return isRefused(deleted) ? deleted : undefined;
  }

  @Get(':productCollectionId/products')
  @Operation({
    id: 'listProductsOfCollection',
    refuses: [],
    summary: 'Lists the products and SKUs of a collection',
    description:
      'By pages, or further than these: `starting_after` is the `created_at` of the last record of a page, ' +
      '`starting_after_id` its id, as several can be created at one time. Metadata of a SKU are those of its product ' +
      'overlaid by its own.',
    answers: { 200: { list: 'data', of: 'CollectionItemResponse', counts: ['total'] } },
  })
  async items(
    @Ctx() context: RequestContext,
    @Param('productCollectionId') id: string,
    @Query() query: CollectionItemsQuery,
  ) {
    const found = await this.reads.items(context, id, query);
    return isRefused(found) ? found : listOf('data', found.items.map(renderItem), { total: found.total });
  }
}
