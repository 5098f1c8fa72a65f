import type { LoggerService } from '@nestjs/common';
import pino, { type DestinationStream, type Logger } from 'pino';
import { currentLogContext } from './log-context';
import { maskSecrets, maskText } from './masking';
import { standardOutput } from './standard-output';

export interface LoggerOptions {
  level: string;
  /** Where lines go; standard output unless given. */
  destination?: DestinationStream;
}

// Nest tells of each module and route it loads.
const chatty = new Set([
  'NestFactory',
  'NestApplication',
  'NestMicroservice',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
]);

interface Parts {
  where?: string;
  stack?: string;
  fields: Record<string, unknown>;
}

// Nest passes the context (a class name) last, and a stack before it with `error`.
const partsOf = (parameters: unknown[], withStack: boolean): Parts => {
  const rest = [...parameters];
  const where = typeof rest.at(-1) === 'string' ? (rest.pop() as string) : undefined;
  const stack = withStack && typeof rest.at(-1) === 'string' ? (rest.pop() as string) : undefined;
  const fields = Object.assign(
    {},
    ...rest
      .filter((part) => part !== undefined)
      .map((part) => (part instanceof Error ? { err: part } : Object(part))),
  ) as Record<string, unknown>;
  return { where, stack, fields };
};

/** Nest's logger: one JSON line per entry (readable text on a terminal), secrets masked, with the id of the request
 *  that is being served. Log ids and keys, never payloads. */
export class ScripLogger implements LoggerService {
  private readonly pino: Logger;

  constructor({ level, destination = standardOutput() }: LoggerOptions) {
    this.pino = pino(
      {
        level,
        base: null,
        // Errors come here as plain fields already.
        serializers: { err: (fields: unknown) => fields },
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
        mixin: () => ({ ...currentLogContext() }),
      },
      destination,
    );
  }

  fatal(message: unknown, ...parameters: unknown[]): void {
    this.write('fatal', message, parameters);
  }
  error(message: unknown, ...parameters: unknown[]): void {
    this.write('error', message, parameters);
  }
  warn(message: unknown, ...parameters: unknown[]): void {
    this.write('warn', message, parameters);
  }
  log(message: unknown, ...parameters: unknown[]): void {
    this.write(chatty.has(String(parameters.at(-1))) ? 'debug' : 'info', message, parameters);
  }
  debug(message: unknown, ...parameters: unknown[]): void {
    this.write('debug', message, parameters);
  }
  verbose(message: unknown, ...parameters: unknown[]): void {
    this.write('trace', message, parameters);
  }

  /** Whether lines of this severity are written. */
  writes(level: 'debug' | 'info'): boolean {
    return this.pino.isLevelEnabled(level);
  }

  flush(): void {
    this.pino.flush();
  }

  private write(
    level: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace',
    message: unknown,
    given: unknown[],
  ) {
    if (!this.pino.isLevelEnabled(level)) return;
    const { where, stack, fields } = partsOf(given, level === 'error' || level === 'fatal');
    const line = {
      ...(where ? { where } : {}),
      ...(maskSecrets(fields) as object),
      ...(stack ? { stack: maskText(stack) } : {}),
      ...(message instanceof Error ? { err: maskSecrets(message) } : {}),
      ...(typeof message === 'object' && message !== null && !(message instanceof Error)
        ? (maskSecrets(message) as object)
        : {}),
    };
    const text =
      message instanceof Error ? message.message : typeof message === 'object' ? '' : String(message);
    this.pino[level](line, maskText(text));
  }
}
