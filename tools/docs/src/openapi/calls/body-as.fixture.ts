/** A body of this media type, and the headers that it needs. `file` of a form is sent as a file. */
export const bodyAs = (
  type: string,
  body: Record<string, string>,
): { body: string | FormData; headers?: Record<string, string> } => {
  const headers = { 'content-type': type };
  if (type === 'application/x-www-form-urlencoded')
    return { body: new URLSearchParams(body).toString(), headers };
  if (type !== 'multipart/form-data') return { body: JSON.stringify(body), headers };
  const form = new FormData();
  for (const [name, value] of Object.entries(body))
    form.append(name, ...((name === 'file' ? [new Blob([value]), 'file.csv'] : [value]) as [string]));
  return { body: form };
};
