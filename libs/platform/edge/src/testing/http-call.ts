import type { AccessAnswer, AccessRequest } from './route-access-suite';

const textOf = (request: AccessRequest): string | undefined => {
  if (request.body === undefined || request.method === 'GET') return undefined;
  if (typeof request.body === 'string') return request.body;
  const isForm = Object.entries(request.headers).some(
    ([name, value]) => name.toLowerCase() === 'content-type' && value.includes('form-urlencoded'),
  );
  return isForm
    ? new URLSearchParams(request.body as Record<string, string>).toString()
    : JSON.stringify(request.body);
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // Metrics, images, and answers without a body.
    return text;
  }
};

/** `AccessWorld.call` over HTTP, against a server at `baseUrl`. */
export const httpCall =
  (baseUrl: string) =>
  async (request: AccessRequest): Promise<AccessAnswer> => {
    const body = textOf(request);
    const response = await fetch(`${baseUrl}${request.path}`, {
      method: request.method,
      headers: request.headers,
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.status, body: parsed(await response.text()) };
  };
