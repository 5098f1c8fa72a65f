import { Injectable, Logger } from '@nestjs/common';
import { InjectJobQueue, JobHandler, JobQueue, type RunningJob, defineJob } from '@scrip/service';
import type { ProjectContext } from '@scrip/kernel';
import { InternalContexts, noSettings } from '@scrip/tasks';
import { type CampaignToGenerate, laneOf } from './generation-lane';
import { type CampaignTask, CampaignWorkReads, isUpdate } from '../tasks/campaign-work.reads';
import { VoucherUpdateSteps } from '../updating/voucher-update-steps';
import { GenerationSteps } from './generation-steps';

/** Carries out the tasks of one campaign: code orders, and changes that vouchers are to follow. */
export const generateVouchers = defineJob<CampaignToGenerate>('campaigns', 'generate-vouchers');

/** Time of one portion, milliseconds: afterwards jobs of other campaigns have their turn. */
const portionMs = 500;

/** Works off the tasks of a campaign one after another, oldest first, in portions: what is left over goes to
 *  the end of the queue. Killed at any point, the next job goes on from what is stored. Source: reference 04 §4.1.
 *  Machine time: how long one run may take. */
@Injectable()
export class GenerationJob {
  private readonly logger = new Logger(GenerationJob.name);

  constructor(
    private readonly contexts: InternalContexts,
    @InjectJobQueue('campaigns') private readonly queue: JobQueue,
    private readonly work: CampaignWorkReads,
    private readonly generation: GenerationSteps,
    private readonly updates: VoucherUpdateSteps,
  ) {}

  @JobHandler(generateVouchers)
  async run(campaign: CampaignToGenerate, job: RunningJob): Promise<void> {
    const project = (await this.contexts.of(campaign.project_id))?.project;
    if (!project) {
      this.logger.warn(`a task is of project ${campaign.project_id}, which does not exist`);
      return this.giveAllUp(campaign);
    }
    const until = Date.now() + portionMs;
    for (;;) {
      const task = await this.next(campaign);
      if (!task) return;
      try {
        await this.advance(project, task);
      } catch (error) {
        // The last attempt: no later job would work on this task.
        if (job.attempt >= job.maxAttempts) await this.giveUp(project, task);
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

  /** Ends the tasks of a project that was deleted. */
  private async giveAllUp(campaign: CampaignToGenerate): Promise<void> {
    const project = noSettings(campaign.project_id);
    for (let task = await this.next(campaign); task; task = await this.next(campaign))
      await this.giveUp(project, task);
  }

  private next(campaign: CampaignToGenerate): Promise<CampaignTask | undefined> {
    return this.work.oldestUnfinished(campaign);
  }

  private advance(project: ProjectContext, task: CampaignTask): Promise<void> {
    return isUpdate(task) ? this.updates.advance(project, task) : this.generation.advance(project, task);
  }

  private giveUp(project: ProjectContext, task: CampaignTask): Promise<void> {
    return isUpdate(task) ? this.updates.giveUp(project, task) : this.generation.giveUp(project, task);
  }
}
