import { exampleHtml, schemaHtml } from "./docs-schema.ts";
import { escapeHtml, prose } from "./docs-text.ts";
import type { Json } from "./schemas.ts";

interface Operation extends Json {
  operationId: string;
  summary: string;
  description?: string;
  tags?: string[];
  security: Record<string, string[]>[];
  parameters?: Json[];
  requestBody?: { content: Record<string, Json> };
  responses: Record<string, Json>;
}

interface Entry {
  method: string;
  path: string;
  operation: Operation;
}

/**
 * Returns the HTML page of the API reference, made from the description alone. The page can be read without its script,
 * which adds the search and a form for each operation.
 * @param script address of the script, relative to the page
 */
export function docsHtml(document: Json, script: string): string {
  const info = document.info as { title: string; version: string; description: string };
  const server = (document.servers as { url: string }[])[0]!.url;
  const groups = groupByTag(document.paths as Record<string, Record<string, Operation>>);
  const sections = [...groups].map(([tag, entries]) => sectionHtml(document, server, tag, entries));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(info.title)} API</title>
<link rel="stylesheet" href="docs/docs.css">
<script type="module" src="${escapeHtml(script)}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the reference</a>
<nav aria-label="Operations">
<p class="brand">${escapeHtml(info.title)} <span>API ${escapeHtml(info.version)}</span></p>
<p><a href="../app/">Settings page</a> <a href="../app/#/keys">API keys</a> <a href="openapi.json">openapi.json</a></p>
<div id="find" class="find" role="search"></div>
${[...groups].map(([tag, entries]) => navHtml(tag, entries)).join("\n")}
</nav>
<main id="content" tabindex="-1">
<h1>${escapeHtml(info.title)} API</h1>
<div class="about">
${prose(info.description, 2)}
</div>
${sections.join("\n")}
</main>
</body>
</html>
`;
}

function groupByTag(paths: Record<string, Record<string, Operation>>): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags?.[0] ?? "Description";
      groups.set(tag, [...(groups.get(tag) ?? []), { method: method.toUpperCase(), path, operation }]);
    }
  }
  return groups;
}

function navHtml(tag: string, entries: Entry[]): string {
  const links = entries.map(({ method, operation }) => {
    const { operationId, summary } = operation;
    return `<li><a href="#${escapeHtml(operationId)}">${methodHtml(method)} ${escapeHtml(summary)}</a></li>`;
  });
  return `<div data-group>\n<h2>${escapeHtml(tag)}</h2>\n<ul>${links.join("")}</ul>\n</div>`;
}

function methodHtml(method: string): string {
  return `<b class="m ${method}">${method}</b>`;
}

function sectionHtml(document: Json, server: string, tag: string, entries: Entry[]): string {
  const articles = entries.map((entry) => entryHtml(document, server, entry));
  return `<section data-group>\n<h2>${escapeHtml(tag)}</h2>\n${articles.join("\n")}\n</section>`;
}

function entryHtml(document: Json, server: string, entry: Entry): string {
  const { method, path, operation } = entry;
  const [bodyType, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  return `<article id="${escapeHtml(operation.operationId)}">
<h3>${escapeHtml(operation.summary)}</h3>
<p class="line">${methodHtml(method)} <code>${escapeHtml(server + path)}</code></p>
${prose(operation.description ?? "", 4)}
${curlHtml(server, entry, body)}
<div class="try"></div>
${parametersHtml(document, operation.parameters ?? [])}
${body ? `<h4>Body <small>${escapeHtml(bodyType ?? "")}</small></h4>${schemaHtml(document, body.schema as Json)}` : ""}
${Object.entries(operation.responses)
  .map(([status, response]) => responseHtml(document, status, response))
  .join("\n")}
</article>`;
}

function curlHtml(server: string, { method, path, operation }: Entry, body: Json | undefined): string {
  const lines = [
    `curl${method === "GET" ? "" : ` -X ${method}`} "$POSTROOM${server.startsWith("/") ? server : "/v1"}${path}"`,
  ];
  if (operation.security.length > 0) lines.push('-H "Authorization: Bearer $KEY"');
  if (operation.parameters?.some((parameter) => parameter.name === "Idempotency-Key" && parameter.required)) {
    lines.push('-H "Idempotency-Key: $(uuidgen)"');
  }
  if (body?.example !== undefined) {
    lines.push('-H "Content-Type: application/json"', `-d '${JSON.stringify(body.example).replaceAll("'", "'\\''")}'`);
  }
  return `<pre><code>${escapeHtml(lines.join(" \\\n  "))}</code></pre>`;
}

function parametersHtml(document: Json, given: Json[]): string {
  // Parameters that every operation takes are references and are explained in the introduction.
  const parameters = given.filter((parameter) => !parameter.$ref);
  if (parameters.length === 0) return "";
  const rows = parameters.map((parameter) => {
    const where = `${parameter.in}${parameter.required ? ", required" : ""}`;
    const name = `<code>${escapeHtml(String(parameter.name))}</code><br><small>${escapeHtml(where)}</small>`;
    const description = prose(String(parameter.description ?? ""), 5);
    return `<tr><td>${name}</td><td>${description}${schemaHtml(document, parameter.schema as Json)}</td></tr>`;
  });
  return `<h4>Parameters</h4><table>${rows.join("")}</table>`;
}

function responseHtml(document: Json, status: string, given: Json): string {
  const response = resolveResponse(document, given);
  const description = prose(String(response.description), 5);
  const [type, content] = Object.entries((response.content ?? {}) as Record<string, Json>)[0] ?? [];
  if (status >= "400") {
    const codes = Object.keys((content?.examples ?? {}) as Json).join(", ");
    return `<details><summary><b class="bad">${status}</b> ${escapeHtml(codes)}</summary>${description}</details>`;
  }
  const shape = content ? schemaHtml(document, content.schema as Json) + exampleHtml(content.example) : description;
  const title = escapeHtml(type ?? "no body");
  return `<details open><summary><b class="good">${status}</b> ${title}</summary>${shape}</details>`;
}

function resolveResponse(document: Json, response: Json): Json {
  const name = /^#\/components\/responses\/(.+)$/.exec(String(response.$ref ?? ""))?.[1];
  if (!name) return response;
  return ((document.components as Json).responses as Record<string, Json>)[name]!;
}
