import { Injectable, Logger } from '@nestjs/common';
import { InjectJobQueue, JobHandler, JobQueue, type RunningJob, defineJob } from '@scrip/service';
import { InternalContexts, noSettings } from '@scrip/tasks';
import { type CampaignToGenerate, laneOf } from './generation-lane';
import { GenerationSteps, type GenerationTask } from './generation-steps';

/** Makes the codes of the code orders of one campaign. */
export const generateVouchers = defineJob<CampaignToGenerate>('campaigns', 'generate-vouchers');

/** Time of one portion, milliseconds: afterwards jobs of other campaigns have their turn. */
const portionMs = 500;

/** Works off the code orders of a campaign one after another, oldest first, in portions: what is left over goes to
 *  the end of the queue. Killed at any point, the next job goes on from what is stored. Source: reference 04 §4.1.
 *  Machine time: how long one run may take. */
@Injectable()
export class GenerationJob {
  private readonly logger = new Logger(GenerationJob.name);

  constructor(
    private readonly contexts: InternalContexts,
    @InjectJobQueue('campaigns') private readonly queue: JobQueue,
    private readonly steps: GenerationSteps,
  ) {}

  @JobHandler(generateVouchers)
  async run(campaign: CampaignToGenerate, job: RunningJob): Promise<void> {
    const project = (await this.contexts.of(campaign.project_id))?.project;
    if (!project) {
      this.logger.warn(`a code order is of project ${campaign.project_id}, which does not exist`);
      return this.giveAllUp(campaign);
    }
    const until = Date.now() + portionMs;
    for (;;) {
      const task = await this.next(campaign);
      if (!task) return;
      try {
        await this.steps.advance(project, task);
      } catch (error) {
        // The last attempt: no later job would work on this code order.
        if (job.attempt >= job.maxAttempts) await this.steps.giveUp(project, task);
        throw error;
      }
      if (Date.now() < until && !job.abortSignal.aborted) continue;
      await this.queue.add(generateVouchers, campaign, {
        queueName: laneOf(campaign.campaign_id),
        // Several jobs of a campaign, one for each order, become one.
        jobKey: campaign.campaign_id,
      });
      return;
    }
  }

  /** Ends the code orders of a project that was deleted. */
  private async giveAllUp(campaign: CampaignToGenerate): Promise<void> {
    const project = noSettings(campaign.project_id);
    for (let task = await this.next(campaign); task; task = await this.next(campaign))
      await this.steps.giveUp(project, task);
  }

  private next(campaign: CampaignToGenerate): Promise<GenerationTask | undefined> {
    return this.steps.oldestUnfinished(campaign);
  }
}
