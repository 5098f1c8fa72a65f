import { type Deadlined, Fault, type FaultKind, noDeadline } from '@scrip/kernel';
import { ProtocolError } from './frame-socket';

// Client and server begin with `hello` (server's challenge), `prove` (client's challenge and proof) and `welcome`
// (server's proof, and the ports it serves). Then the client sends calls and pings, the server answers, pongs and, before
// it closes, `goodbye`. A message is an array; calls and answers begin with the call's number.

export type Call = [id: number, port: string, method: string, context: Deadlined, request: unknown];

export type Answer =
  | [id: number, kind: 'answer', value?: unknown]
  | [id: number, kind: 'fault', fault: FaultKind, retryable: boolean]
  | [id: number, kind: 'defect'];

/** Returns the kind of a message; `number` means a call or an answer. Throws `ProtocolError`. */
export const kindOf = (message: unknown): string => {
  const first: unknown = Array.isArray(message) ? message[0] : undefined;
  if (typeof first === 'number') return 'number';
  if (typeof first !== 'string') throw new ProtocolError('not a message');
  return first;
};

/** Throws `ProtocolError`. */
export const textAt = (message: unknown, index: number): string => {
  const text: unknown = (message as unknown[])[index];
  if (typeof text !== 'string') throw new ProtocolError('a text is missing');
  return text;
};

/** Returns the ports that a `welcome` lists. Throws `ProtocolError`. */
export const portsOf = (message: unknown): string[] => {
  const ports: unknown = (message as unknown[])[2];
  if (!Array.isArray(ports) || !ports.every((port) => typeof port === 'string')) {
    throw new ProtocolError('ports are missing');
  }
  return ports;
};

/** Throws `ProtocolError`. */
export const callOf = (message: unknown): Call => {
  const [id, port, method, context] = message as [unknown, unknown, unknown, { deadlineAt?: unknown } | null];
  const sound =
    Number.isSafeInteger(id) &&
    typeof port === 'string' &&
    typeof method === 'string' &&
    typeof context === 'object' &&
    typeof context?.deadlineAt === 'number';
  if (!sound) throw new ProtocolError('not a call');
  return message as Call;
};

const faultKinds: readonly unknown[] = ['unavailable', 'deadline', 'overloaded'] satisfies FaultKind[];

/** Throws `ProtocolError`. */
export const answerOf = (message: unknown): Answer => {
  const [, kind, fault] = message as [number, unknown, unknown];
  const sound = kind === 'answer' || kind === 'defect' || (kind === 'fault' && faultKinds.includes(fault));
  if (!sound) throw new ProtocolError('not an answer');
  return message as Answer;
};

/** Returns the part of an error that the caller may see: the kind of a fault; nothing of a defect. */
export const failureOf = (id: number, error: unknown): Answer =>
  error instanceof Fault ? [id, 'fault', error.kind, error.retryable] : [id, 'defect'];

/** Returns a context that JSON can carry: an infinite deadline becomes a finite number. */
export const sendable = (context: Deadlined): Deadlined =>
  Number.isFinite(context.deadlineAt) ? context : { ...context, deadlineAt: noDeadline };
