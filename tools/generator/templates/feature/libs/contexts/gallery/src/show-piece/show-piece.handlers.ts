import { Injectable } from '@nestjs/common';
import type { ShowPieceEvent, ShowPieceSnapshot } from '@scrip/contracts/gallery';
import { type AggregateStore, type EventStore, InjectEventStore, decisionOf } from '@scrip/event-store';
import type { RequestContext } from '@scrip/kernel';
import type { GalleryRefusal, GalleryRefusalKey } from '../gallery.refusals';
import { showPieceAggregate } from './show-piece.aggregate';
import type { ShowPieceCommand } from './show-piece.commands';
import { decideShowPiece } from './show-piece.decider';

/** Decides commands and commits what was decided. */
@Injectable()
export class ShowPieceHandlers {
  private readonly showPieces: AggregateStore<ShowPieceSnapshot, ShowPieceEvent>;

  constructor(@InjectEventStore('gallery') store: EventStore) {
    this.showPieces = store.aggregate(showPieceAggregate);
  }

  /** Returns the show piece as it is after the command. Refuses `not_found` and `duplicate_found` (name). */
  execute(context: RequestContext, command: ShowPieceCommand): Promise<ShowPieceSnapshot | GalleryRefusal> {
    return this.showPieces.execute<ShowPieceSnapshot, GalleryRefusalKey>({
      context,
      streamId: command.id,
      decide: (state) =>
        decisionOf(showPieceAggregate, state, decideShowPiece(command, state), (showPiece) => showPiece),
    });
  }
}
