/** Where the parts of the page come from, by their names in its addresses: files of `swagger-ui-dist`, and our own. */
export const docsAssets: Readonly<Record<string, { file: string } | { text: string }>> = {
  'swagger-ui.css': { file: 'swagger-ui.css' },
  'swagger-ui-bundle.js': { file: 'swagger-ui-bundle.js' },
  'favicon-32x32.png': { file: 'favicon-32x32.png' },
  'start.js': {
    text: `window.ui = SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  validatorUrl: null,
  queryConfigEnabled: false,
});
`,
  },
};

/** What the page may load: nothing from elsewhere, no inline script. Swagger UI draws icons from `data:` images and styles
 *  its elements inline. */
export const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page at `/docs`. Addresses are relative, so that it also works below a path of a proxy. */
export const docsPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Scrip API</title>
    <link rel="icon" type="image/png" href="docs/favicon-32x32.png" />
    <link rel="stylesheet" href="docs/swagger-ui.css" />
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;
