import { Controller, Delete, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ContextOf, Ctx, listOf, Operation, pageOf } from '@scrip/edge';
import { isRefused, type RequestContext } from '@scrip/kernel';
import type { OperationsRefusal } from '../operations.refusals';
import { TrashBin } from './trash-bin.handlers';
import { TrashBinQuery } from './trash-bin.dto';
import { renderBinEntry } from './trash-bin.wire';

/** What was deleted and can be purged. Source: reference 07 §13. */
@Controller('/v1/trash-bin')
@ContextOf('operations')
export class TrashBinHttp {
  constructor(private readonly bin: TrashBin) {}

  @Get()
  @Operation({
    id: 'listTrashBin',
    refuses: [],
    links: { purgeBinEntry: { binEntryId: '/data/0/id' } },
    summary: 'Lists what is in the bin',
    description:
      'In the order of deletion, unless another one is asked for. What was deleted with its product or its campaign has no entry of its own. ' +
      '`total` counts the entries of the answer.',
    answers: {
      200: { list: 'data', of: 'BinEntryResponse', counts: ['total', 'has_more', 'more_starting_after'] },
    },
  })
  async list(
    @Ctx() context: RequestContext,
    @Query() { limit, order, starting_after_id, filters }: TrashBinQuery,
  ) {
    const after = starting_after_id ?? null;
    const found = await this.bin.list(context, { limit: limit + 1, order, after, filters: filters ?? null });
    if (isRefused(found)) return found;
    const { items, hasMore } = pageOf(found, limit);
    const last = items.at(-1);
    return listOf('data', items.map(renderBinEntry), {
      total: items.length,
      has_more: hasMore,
      ...(hasMore && last ? { more_starting_after: last.id } : {}),
    });
  }

  @Delete(':binEntryId')
  @HttpCode(204)
  @Operation({
    id: 'purgeBinEntry',
    refuses: ['not_found'],
    summary: 'Deletes for good what is in the bin',
    description:
      'With everything below it: the SKUs of a product, the vouchers of a campaign. Its id, its name, its source id and its code are free then. Nothing comes back from ' +
      'the bin.',
    answers: { 204: null },
  })
  async purge(
    @Ctx() context: RequestContext,
    @Param('binEntryId') id: string,
  ): Promise<OperationsRefusal | undefined> {
    return (await this.bin.purge(context, id)) ?? undefined;
  }
}
