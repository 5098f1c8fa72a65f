import { Body, Controller, Get, Param, Post, Put, Query } from '@nestjs/common';
import type { ShowPieceSnapshot } from '@scrip/contracts/gallery';
import { ContextOf, Ctx, Ids, listOf, Operation, Refusals } from '@scrip/edge';
import { type BusinessClock, type IdSource, type RequestContext, isRefused } from '@scrip/kernel';
import { InjectBusinessClock } from '@scrip/service';
import { type GalleryRefusal, galleryRefusals } from '../gallery.refusals';
import { ShowPieceListQuery } from './show-piece-list.query';
import { ShowPieceBody } from './show-piece.dto';
import { ShowPieceHandlers } from './show-piece.handlers';
import { ShowPieceReads } from './show-piece.reads';
import { renderShowPiece } from './show-piece.wire';

const rendered = (showPiece: ShowPieceSnapshot | GalleryRefusal) =>
  isRefused(showPiece) ? showPiece : renderShowPiece(showPiece);

@Controller('/v1/show-pieces')
@ContextOf('gallery')
@Refusals(galleryRefusals)
export class ShowPieceHttp {
  constructor(
    private readonly handlers: ShowPieceHandlers,
    private readonly reads: ShowPieceReads,
    @InjectBusinessClock() private readonly clock: BusinessClock,
  ) {}

  @Post()
  @Operation({
    id: 'createShowPiece',
    refuses: ['duplicate_found'],
    links: { getShowPiece: { showPieceId: '/id' }, updateShowPiece: { showPieceId: '/id' } },
    summary: 'Creates a show piece',
    example: { name: 'Spring' },
    answers: { 200: 'ShowPieceResponse' },
  })
  async create(@Ctx() context: RequestContext, @Ids() ids: IdSource, @Body() { name }: ShowPieceBody) {
    const id = ids.next('sho_', 'show_piece');
    return rendered(
      await this.handlers.execute(context, { type: 'CreateShowPiece', id, name, now: this.now(context) }),
    );
  }

  @Put(':showPieceId')
  @Operation({
    id: 'updateShowPiece',
    refuses: ['not_found', 'duplicate_found'],
    summary: 'Gives a show piece another name',
    example: { name: 'Summer' },
    answers: { 200: 'ShowPieceResponse' },
  })
  async update(
    @Ctx() context: RequestContext,
    @Param('showPieceId') id: string,
    @Body() { name }: ShowPieceBody,
  ) {
    return rendered(
      await this.handlers.execute(context, { type: 'RenameShowPiece', id, name, now: this.now(context) }),
    );
  }

  @Get(':showPieceId')
  @Operation({
    id: 'getShowPiece',
    refuses: ['not_found'],
    summary: 'Shows a show piece',
    answers: { 200: 'ShowPieceResponse' },
  })
  async get(@Ctx() context: RequestContext, @Param('showPieceId') id: string) {
    return rendered(await this.reads.find(context, id));
  }

  @Get()
  @Operation({
    id: 'listShowPieces',
    refuses: [],
    links: {
      getShowPiece: { showPieceId: '/show_pieces/0/id' },
      updateShowPiece: { showPieceId: '/show_pieces/0/id' },
    },
    summary: 'Lists show pieces',
    answers: { 200: { list: 'show_pieces', of: 'ShowPieceResponse', counts: ['total'] } },
  })
  async list(@Ctx() context: RequestContext, @Query() query: ShowPieceListQuery) {
    const found = await this.reads.list(context, query);
    if (isRefused(found)) return found;
    return listOf('show_pieces', found.showPieces.map(renderShowPiece), { total: found.total });
  }

  private now({ project }: RequestContext): string {
    return this.clock.now(project).toISOString();
  }
}
