import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { ShowPieceSnapshot } from '@scrip/contracts/gallery';
import { type RequestContext, isRefused, notFound } from '@scrip/kernel';
import { InjectListReader, type ListReader } from '@scrip/service';
import type { DataSource } from 'typeorm';
import type { GalleryRefusal } from '../gallery.refusals';
import { type ShowPieceListQuery, showPieceListStatements } from './show-piece-list.query';

interface ShowPieceRow {
  state: ShowPieceSnapshot;
}

/** Reads show pieces as they stand. */
@Injectable()
export class ShowPieceReads {
  constructor(
    @InjectDataSource('gallery') private readonly dataSource: DataSource,
    @InjectListReader('gallery') private readonly lists: ListReader,
  ) {}

  /** Refuses `not_found`. */
  async find({ project }: RequestContext, id: string): Promise<ShowPieceSnapshot | GalleryRefusal> {
    const [row] = await this.dataSource.query<ShowPieceRow[]>(
      'SELECT state FROM show_pieces WHERE project_id = $1 AND id = $2',
      [project.id, id],
    );
    return row?.state ?? notFound('show_piece', id, 'show piece');
  }

  /** A page of show pieces, and how many match. */
  async list(
    context: RequestContext,
    query: ShowPieceListQuery,
  ): Promise<{ showPieces: ShowPieceSnapshot[]; total: number } | GalleryRefusal> {
    const statements = showPieceListStatements(context.project.id, query);
    if (isRefused(statements)) return statements;
    const { rows, total } = await this.lists.page<ShowPieceRow>(context, statements);
    return { showPieces: rows.map(({ state }) => state), total };
  }
}
