import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type AuthPort, authPort } from '@scrip/contracts/auth';
import {
  beginSpan,
  type MachineClock,
  internalContext,
  isRefused,
  newRequestId,
  noDeadline,
} from '@scrip/kernel';
import { InjectPort } from '@scrip/rpc';
import { InjectMachineClock } from '@scrip/service';
import type { DataSource } from 'typeorm';
import { EndpointHandlers } from '../endpoint/endpoint.handlers';
import { type AttemptResult, isDelivered, resultOf } from './attempt-result';
import type { DeliveryTarget } from './delivery-target';
import { HttpDelivery, type HttpEnd } from './http-delivery';
import type { Lane } from './lane';
import { type AttemptEnd, type ClaimedSendout, succeededSince } from './sendout.table';

const payloadGone: HttpEnd = { status: null, error: 'payload_expired', excerpt: null, retryAfter: null };

/** Executes one attempt: sends the request, decides the next state of the sendout, and disables the endpoint where
 *  needed. */
@Injectable()
export class SendoutAttempt {
  constructor(
    private readonly http: HttpDelivery,
    private readonly endpoints: EndpointHandlers,
    @InjectPort(authPort) private readonly auth: AuthPort,
    @InjectDataSource('webhooks') private readonly database: DataSource,
    @InjectMachineClock() private readonly clock: MachineClock,
  ) {}

  /** Opens no transaction while the request runs. `succeededSince`: whether this lane had a success since an instant,
   *  stored or not. */
  async make(
    lane: Lane,
    sendout: ClaimedSendout,
    target: DeliveryTarget,
    sawSuccessSince: (since: Date) => boolean,
  ): Promise<AttemptEnd> {
    const startedAt = this.clock.now();
    const startedMs = performance.now();
    const end = await this.send(sendout, target, startedAt);
    const durationMs = Math.round(performance.now() - startedMs);
    const result = resultOf(sendout, end, { now: this.clock.now(), random: Math.random() });
    await this.stopEndpoint(lane, sendout, result, sawSuccessSince);
    return {
      sendoutId: sendout.id,
      attempt: sendout.attempt,
      targetUrl: target.targetUrl,
      startedAt,
      durationMs,
      httpStatus: end.status,
      error: end.error,
      responseExcerpt: end.excerpt,
      succeeded: isDelivered(end),
      state: result.state,
      nextAttemptAt: result.nextAttemptAt,
    };
  }

  private async send(sendout: ClaimedSendout, target: DeliveryTarget, startedAt: Date): Promise<HttpEnd> {
    const { id, body, kind, attempt, traceparent } = sendout;
    if (body === null) return payloadGone;
    const attributes = { 'scrip.sendout.id': id, 'scrip.sendout.attempt': attempt };
    const step = beginSpan({ name: `deliver ${kind}`, kind: 'CLIENT', attributes }, traceparent);
    const end = await this.http.post(target.targetUrl, body, target.headers(id, body, startedAt));
    step.end(isDelivered(end) ? undefined : (end.error ?? end.status));
    return end;
  }

  /** Runs before the sendout's result is stored, so that it is repeated after a crash in between. */
  private async stopEndpoint(
    lane: Lane,
    { firstAttemptAt }: ClaimedSendout,
    { stop }: AttemptResult,
    sawSuccessSince: (since: Date) => boolean,
  ): Promise<void> {
    if (stop === null) return;
    const isHealthy = async () =>
      sawSuccessSince(firstAttemptAt) || (await succeededSince(this.database, lane, firstAttemptAt));
    if (stop === 'retries_exhausted' && (await isHealthy())) return;
    const call = { requestId: newRequestId(), deadlineAt: noDeadline, traceparent: null };
    const project = await this.auth.loadProject(call, { project_id: lane.projectId });
    if (isRefused(project)) return; // A project that is gone delivers nothing any more.
    await this.endpoints.disable(internalContext(project), lane.webhookId, stop);
  }
}
