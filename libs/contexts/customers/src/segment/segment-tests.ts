import { Injectable } from '@nestjs/common';
import type { BusinessClock, RequestContext } from '@scrip/kernel';
import { LocationTests, MetadataSchemas } from '@scrip/metadata';
import { InjectBusinessClock } from '@scrip/service';
import type { TestedNow } from './segment-matching';

/** What customers of a project are tested with. */
@Injectable()
export class SegmentTests {
  constructor(
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly metadata: MetadataSchemas,
    private readonly locations: LocationTests,
  ) {}

  /** Tests of now. To be asked for outside of transactions: auth may be called. Throws `Fault` where it does not answer. */
  async now(context: RequestContext): Promise<TestedNow> {
    return {
      project: context.project,
      now: this.clock.now(context.project),
      typeOf: await this.metadata.typesOf(context, 'customer'),
      placesIn: (texts, locationIds) => this.locations.of(context, texts, locationIds),
    };
  }
}
