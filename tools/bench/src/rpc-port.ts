import { definePort, type RequestContext } from '@scrip/kernel';

/** The port of the RPC row: returns its request, about the size of a voucher. */
export interface EchoPort {
  echo(context: RequestContext, request: { voucher: Record<string, unknown> }): Promise<unknown>;
}

export const echoPort = definePort<EchoPort>('echo', ['echo']);
