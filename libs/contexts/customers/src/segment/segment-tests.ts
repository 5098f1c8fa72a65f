import { Injectable } from '@nestjs/common';
import type { BusinessClock, RequestContext } from '@scrip/kernel';
import { MetadataSchemas } from '@scrip/metadata';
import { InjectBusinessClock } from '@scrip/service';
import type { TestedAt } from './segment-filter';

/** What customers of a project are tested with. */
@Injectable()
export class SegmentTests {
  constructor(
    @InjectBusinessClock() private readonly clock: BusinessClock,
    private readonly metadata: MetadataSchemas,
  ) {}

  /** Tests of now. To be asked for outside of transactions: auth may be called. Throws `Fault` where it does not answer. */
  async now(context: RequestContext): Promise<TestedAt> {
    const typeOf = await this.metadata.typesOf(context, 'customer');
    return { project: context.project, now: this.clock.now(context.project), typeOf };
  }
}
