// Runs before the first paint, so that nobody sees the wrong depth or theme for a moment. Kept small: it blocks.

import { page } from '../state/page.ts';
import { showSettings } from './show.ts';

document.documentElement.dataset['script'] = 'yes';
showSettings(page().get());
