import type { Transcript } from './transcript';

/** Any JSON object of the interface. */
export type Json = Record<string, unknown>;

export interface Call {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  headers: Record<string, string>;
  json?: unknown;
  form?: Record<string, string>;
}

export interface Answer {
  status: number;
  body: Json;
}

const quoted = (text: string): string => (text.includes("'") ? JSON.stringify(text) : `'${text}'`);

/** Calls the server and prints each call as the curl command that does the same. Values of `secrets` are printed as
 *  shell variables. */
export class Api {
  constructor(
    private readonly baseUrl: string,
    private readonly transcript: Transcript,
    private readonly secrets: Map<string, string>,
  ) {}

  /** From now on printed as `$NAME`. */
  hide(name: string, value: string): void {
    this.secrets.set(name, value);
  }

  /** `learn` sees the answer before it is printed, to hide what is secret in it. */
  async call(
    { method, path, headers, json, form }: Call,
    { silent = false, learn }: { silent?: boolean; learn?: (body: Json) => void } = {},
  ): Promise<Answer> {
    const body = form
      ? new URLSearchParams(form).toString()
      : json === undefined
        ? undefined
        : JSON.stringify(json);
    const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': type }) },
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const answer = { status: response.status, body: (text === '' ? {} : JSON.parse(text)) as Json };
    learn?.(answer.body);
    if (!silent) this.print({ method, path, headers, json, form }, answer);
    return answer;
  }

  private print({ method, path, headers, json, form }: Call, { status, body }: Answer): void {
    const parts = [
      `curl${method === 'GET' || json !== undefined || form ? '' : ` -X ${method}`} ${this.baseUrl}${path}`,
      ...Object.entries(headers).map(([name, value]) => `-H "${name}: ${this.hidden(value)}"`),
      ...(json === undefined
        ? []
        : [`-H "Content-Type: application/json"`, `-d ${quoted(JSON.stringify(json))}`]),
      ...Object.entries(form ?? {}).map(([name, value]) => `-d "${name}=${this.hidden(value)}"`),
    ];
    this.transcript.call(this.hidden(parts.join(' \\\n    ')), status, this.masked(body));
  }

  private hidden(text: string): string {
    return [...this.secrets].reduce((shown, [name, value]) => shown.replaceAll(value, `$${name}`), text);
  }

  private masked(body: Json): Json {
    return JSON.parse(this.hidden(JSON.stringify(body))) as Json;
  }
}
