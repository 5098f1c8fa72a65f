import type { Principal } from '@scrip/contracts/auth';
import type { RouteRow } from '@scrip/contracts/registry';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressKey } from '../access/address-key';
import { CallCycle, type CycleTotals } from '../access/call-cycle';
import {
  defaultRateLimits,
  headersOfStanding,
  RateBucket,
  type RateLimits,
  type Standing,
  tightestOf,
} from '../access/rate-limits';
import { EdgeFailure } from '../failure/failure';
import { failures } from '../failure/failures';
import type { Destination } from './destination';

const isAdmitted = ({ admitted }: Standing): boolean => admitted;

/** Calls counted against the limits of this process: per project, per address of a browser, per address that was
 *  rejected; and per project and cycle against that of all processes. Source: reference 07 §1.6. */
export class CallCounts {
  private readonly buckets: Record<
    'api' | 'bulk' | 'webhook' | 'client' | 'rejected' | 'dashboard' | 'open',
    RateBucket
  >;

  /** Null: cycles have no limit. */
  readonly cycle: CallCycle | null;

  constructor(limits: Partial<RateLimits>, totals: CycleTotals) {
    const all = { ...defaultRateLimits, ...limits };
    this.cycle = all.apiCallsPerCycle === null ? null : new CallCycle(all.apiCallsPerCycle, totals);
    this.buckets = {
      api: new RateBucket('api_calls', all.apiCalls),
      bulk: new RateBucket('bulk_api_calls', all.bulkApiCalls),
      webhook: new RateBucket('webhook_calls', all.webhookCalls),
      client: new RateBucket('client_api_calls', all.clientCalls),
      rejected: new RateBucket('rejected_calls', all.rejectedCalls),
      dashboard: new RateBucket('dashboard_calls', all.dashboardCalls),
      open: new RateBucket('open_calls', all.openCalls),
    };
  }

  /** Throws `EdgeFailure` where too many calls of the address were rejected lately. */
  async checkRejected(address: string): Promise<void> {
    const waitS = await this.buckets.rejected.secondsToWait(address);
    if (waitS > 0) throw new EdgeFailure(failures.tooManyRequests(waitS));
  }

  async countRejected(address: string): Promise<void> {
    await this.buckets.rejected.take(address);
  }

  /** Counts a call of an authenticated caller. Throws `EdgeFailure` where the limit is reached. */
  async count(
    request: FastifyRequest,
    reply: FastifyReply,
    { area, row }: Pick<Destination, 'area' | 'row'>,
    principal: Principal,
  ): Promise<void> {
    const [bucket, key] = this.bucketOf(request, { area, row }, principal);
    const standings = await bucket.take(key);
    // A call that another limit refuses is none of the cycle.
    if (
      area === 'server' &&
      !row?.integrationKeysOnly &&
      !principal.session &&
      principal.project &&
      standings.every(isAdmitted)
    )
      standings.push(...(this.cycle ? [this.cycle.take(principal.project.id)] : []));
    const told = tightestOf(standings);
    if (!told) return;
    void reply.headers(headersOfStanding(told));
    if (!told.admitted) throw new EdgeFailure(failures.tooManyRequests());
  }

  /** Counts a call that needs no credentials. Throws `EdgeFailure` where the limit is reached. */
  async countOpen(request: FastifyRequest, row: RouteRow | null): Promise<void> {
    if (row?.owner == null) return;
    const tightest = tightestOf(await this.buckets.open.take(addressKey(request.ip)));
    if (tightest?.admitted === false)
      throw new EdgeFailure(failures.tooManyRequests(Math.max(1, Math.ceil(tightest.waitMs / 1_000))));
  }

  private bucketOf(
    { ip }: FastifyRequest,
    { area, row }: Pick<Destination, 'area' | 'row'>,
    { session, project, key }: Principal,
  ): [RateBucket, string] {
    if (session) return [this.buckets.dashboard, session.user_id];
    if (area === 'client') return [this.buckets.client, addressKey(ip)];
    if (row?.integrationKeysOnly) return [this.buckets.webhook, project?.id ?? key.id];
    return [row?.bulk ? this.buckets.bulk : this.buckets.api, project?.id ?? key.id];
  }

  /** Charges a browser's address for what its call asked about beyond one code, so that guessing in large requests is
   *  no faster than guessing one by one. To be called when the call is over. */
  async chargeRedeemables({ edge, ip }: FastifyRequest): Promise<void> {
    if (edge?.row?.area !== 'client' || edge.redeemables < 2) return;
    await this.buckets.client.charge(addressKey(ip), edge.redeemables - 1);
  }
}
