// The script of every page. Each part works on what the HTML already holds, and the page reads without any of them.

import { startFigures } from './figures.ts';
import { startLinks } from './links.ts';
import { startMenus } from './menus.ts';
import { startOffline } from './offline.ts';
import { startProgress } from './progress.ts';
import { startQuestions } from './questions.ts';
import { startScrollers } from './scrollers.ts';
import { startSearch } from './search.ts';
import { startSettings } from './settings.ts';

startSettings();
startMenus();
startSearch();
startQuestions();
startLinks();
startFigures();
startScrollers();
startOffline();
startProgress();
