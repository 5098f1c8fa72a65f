import { Injectable } from '@nestjs/common';
import type { BusinessClock, ProjectContext, RequestContext } from '@scrip/kernel';
import { calendarAt, type Places } from '@scrip/list-query';
import type { MetadataTypes, RelatedObject } from '@scrip/metadata-schemas';
import { InjectBusinessClock } from '@scrip/service';
import { LocationMatcher } from './location-matcher';
import { MetadataSchemas } from './metadata-schemas';

/** What filters of segments and collections are tested with. */
export interface FilterContext {
  project: ProjectContext;
  now: Date;
  typeOf: MetadataTypes;
  /** What the records' places are to locations, where filters ask; absent: none has a place. */
  places?: Places;
}

/** The same, where filters may ask for locations. */
export interface FilterContextNow extends FilterContext {
  /** Tests texts of places against locations as they are now. */
  placesIn(texts: readonly string[], locationIds: readonly string[]): Promise<Places>;
}

/** Gives filters what they are tested with. */
@Injectable()
export class FilterContexts {
  constructor(
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly schemas: MetadataSchemas,
    private readonly locations: LocationMatcher,
  ) {}

  /** Of now, for records whose metadata have the schema of `relatedObject`. To be asked for outside of transactions: auth may be
   *  called. Throws `Fault` where it does not answer. */
  async now(context: RequestContext, relatedObject: RelatedObject): Promise<FilterContextNow> {
    const { project } = context;
    return {
      project,
      now: this.clock.now(project),
      typeOf: await this.schemas.typesOf(context, relatedObject),
      placesIn: (texts, locationIds) => this.locations.of(context, texts, locationIds),
    };
  }

  /** Whether filters mean in the project, as it is now, what they meant at `at`: types of metadata and the day. What was tested and
   *  stored meanwhile is else to be tested again: who tested all records when the meaning changed may have come before it.
   *  Source: ADR 111. */
  isOfNow(at: FilterContext, project: ProjectContext): boolean {
    const [then, now] = [calendarAt(at.project, at.now), calendarAt(project, this.clock.now(project))];
    return (
      at.project.schemaChanges === project.schemaChanges && then.zone === now.zone && then.today === now.today
    );
  }
}
