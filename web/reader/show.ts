// The page's settings as attributes of <html>, which is where the style sheet reads them.

import type { PageState } from '../state/page.ts';

export function showSettings({ depth, theme, base }: PageState): void {
  Object.assign(document.documentElement.dataset, { depth, theme, base: String(base) });
}
