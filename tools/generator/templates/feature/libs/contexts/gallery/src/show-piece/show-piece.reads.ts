import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { ShowPieceSnapshot } from '@scrip/contracts/gallery';
import { type RequestContext, isRefused, notFound } from '@scrip/kernel';
import type { DataSource } from 'typeorm';
import type { GalleryRefusal } from '../gallery.refusals';
import { type ShowPieceListQuery, showPieceListStatements } from './show-piece-list.query';

interface ShowPieceRow {
  state: ShowPieceSnapshot;
}

/** Reads show pieces as they stand. */
@Injectable()
export class ShowPieceReads {
  constructor(@InjectDataSource('gallery') private readonly dataSource: DataSource) {}

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
    { project }: RequestContext,
    query: ShowPieceListQuery,
  ): Promise<{ showPieces: ShowPieceSnapshot[]; total: number } | GalleryRefusal> {
    const statements = showPieceListStatements(project.id, query);
    if (isRefused(statements)) return statements;
    const { page, count } = statements;
    const [rows, [counted]] = await Promise.all([
      this.dataSource.query<ShowPieceRow[]>(page.text, page.values),
      this.dataSource.query<{ total: string }[]>(count.text, count.values),
    ]);
    return { showPieces: rows.map(({ state }) => state), total: Number(counted?.total ?? 0) };
  }
}
