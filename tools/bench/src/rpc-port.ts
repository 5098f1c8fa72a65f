import type { RequestContext } from '@scrip/kernel';
import { definePort } from '@scrip/rpc';

/** What is called to measure calls: it answers what it gets, about the size of a voucher. */
export interface EchoPort {
  echo(context: RequestContext, request: { voucher: Record<string, unknown> }): Promise<unknown>;
}

export const echoPort = definePort<EchoPort>('echo', ['echo']);
