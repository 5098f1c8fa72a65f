import { lookup } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';

/** One address of a host. */
export interface HostAddress {
  address: string;
  family: number;
}

/** Resolves all addresses of a host name. Throws the error of the operating system. */
@Injectable()
export class HostResolver {
  resolve(host: string): Promise<HostAddress[]> {
    return lookup(host, { all: true });
  }
}
