// Draws a Lit template to a string with the pages' own copy of Lit, as the compiler does.

import { render } from '../../web/node_modules/@lit-labs/ssr/index.js';
import { collectResult } from '../../web/node_modules/@lit-labs/ssr/lib/render-result.js';
import type { TemplateResult } from '../../web/node_modules/lit/index.js';

export { html, type TemplateResult } from '../../web/node_modules/lit/index.js';

/** Without the marks that Lit leaves in comments. */
export async function draw(template: TemplateResult): Promise<string> {
  return (await collectResult(render(template))).replace(/<!--[^]*?-->|<\?>/g, '');
}

/** What people read of it. */
export function lettersOf(markup: string): string {
  const signs: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", '#8203': '\u200B', amp: '&' };
  return markup.replace(/<[^>]*>/g, '').replace(/&(#?\w+);/g, (whole, name: string) => signs[name] ?? whole);
}
