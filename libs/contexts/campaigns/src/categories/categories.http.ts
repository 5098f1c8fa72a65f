import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import type { CategorySnapshot } from '@scrip/contracts/snapshot';
import { ContextOf, Ctx, Ids, listOf, Operation, Refusals } from '@scrip/edge';
import { type IdSource, isRefused, type RequestContext } from '@scrip/kernel';
import { campaignsRefusals } from '../campaigns.refusals';
import type { CategoryRefusal } from './category';
import { CategoryBody, CategoryDeletionQuery } from './category.dto';
import { CategoryHandlers } from './category.handlers';
import { type CategoryResponse, renderCategory } from './category.wire';

const answer = (found: CategorySnapshot | CategoryRefusal): CategoryResponse | CategoryRefusal =>
  isRefused(found) ? found : renderCategory(found);

/** Categories of campaigns, vouchers and promotions. Source: reference 04 §9. */
@Controller('v1/categories')
@ContextOf('campaigns')
@Refusals(campaignsRefusals)
export class CategoriesHttp {
  constructor(private readonly categories: CategoryHandlers) {}

  @Get()
  @Operation({
    id: 'listCategories',
    refuses: [],
    summary: 'Lists categories',
    description: 'All of the project, newest first.',
    links: { getCategory: { categoryId: '/data/0/id' } },
    answers: { 200: { list: 'data', of: 'CategoryResponse', counts: ['total'] } },
  })
  async list(@Ctx() context: RequestContext) {
    const categories = await this.categories.list(context);
    return listOf('data', categories.map(renderCategory), { total: categories.length });
  }

  @Post()
  @Operation({
    id: 'createCategory',
    refuses: ['duplicate_found', 'invalid_payload'],
    summary: 'Creates a category',
    links: {
      getCategory: { categoryId: '/id' },
      updateCategory: { categoryId: '/id' },
      deleteCategory: { categoryId: '/id' },
    },
    example: { name: 'Seasonal', hierarchy: 2 },
    answers: { 200: 'CategoryResponse' },
  })
  async create(@Ctx() context: RequestContext, @Ids() ids: IdSource, @Body() body: CategoryBody) {
    return answer(await this.categories.create(context, ids, body));
  }

  @Get(':categoryId')
  @Operation({
    id: 'getCategory',
    refuses: [],
    summary: 'Shows a category',
    answers: { 200: 'CategoryResponse' },
  })
  async get(@Ctx() context: RequestContext, @Param('categoryId') id: string) {
    return answer(await this.categories.find(context, id));
  }

  @Put(':categoryId')
  @Operation({
    id: 'updateCategory',
    refuses: ['duplicate_found'],
    summary: 'Changes a category',
    description: 'Campaigns and vouchers that name it show it as it becomes.',
    example: { name: 'Seasonal', hierarchy: 1 },
    answers: { 200: 'CategoryResponse' },
  })
  async update(@Ctx() context: RequestContext, @Param('categoryId') id: string, @Body() body: CategoryBody) {
    return answer(await this.categories.update(context, id, body));
  }

  @Delete(':categoryId')
  @HttpCode(204)
  @Operation({
    id: 'deleteCategory',
    refuses: ['resource_in_use'],
    summary: 'Deletes a category',
    description:
      'For good; campaigns and vouchers that name it have none then. Where the stacking rules name it, only with ' +
      '`remove_from_stacking_rules=true`, which takes it out of them.',
    answers: { 204: null },
  })
  async delete(
    @Ctx() context: RequestContext,
    @Param('categoryId') id: string,
    @Query() { remove_from_stacking_rules: remove = false }: CategoryDeletionQuery,
  ): Promise<CategoryRefusal | undefined> {
    return (await this.categories.delete(context, id, { remove })) ?? undefined;
  }
}
